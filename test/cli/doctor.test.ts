import { Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import type { Check } from '../../src/operate/doctor.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { makeObligations } from '../support/obligations.js';
import { startProxy } from '../support/proxy.js';
import { environment, freshNamespace, row, waybill, type Env } from './run.js';

/** Each test runs several processes of about a second, beside other files' tests. */
vi.setConfig({ testTimeout: 90_000 });

let database: TestDatabase;
let namespace: string;
let env: Env;

beforeAll(async () => {
  database = await freshDatabase();
  namespace = await freshNamespace();
  env = environment(database, namespace);
  expect((await waybill(['setup'], env)).code).toBe(0);
  await makeObligations(database.pool, 1);
});
afterAll(() => database.drop());

interface Diagnosis {
  readonly code: number | null;
  readonly failed: string[];
  readonly checks: ReadonlyMap<string, Check>;
}

async function diagnose(changed: Env = {}): Promise<Diagnosis> {
  const ran = await waybill(['doctor', '--json'], { ...env, ...changed });
  const { ok, checks } = row<{ ok: boolean; checks: Check[] }>(ran);
  const failed = checks.filter((check) => !check.ok).map((check) => check.name);
  expect(ok).toBe(failed.length === 0);
  expect(ran).toMatchObject({ code: ok ? 0 : 6, stderr: '' });
  expect(checks.filter((check) => !check.ok).every((check) => check.mend)).toBe(true);
  return { code: ran.code, failed, checks: new Map(checks.map((check) => [check.name, check])) };
}

const found = (diagnosis: Diagnosis, name: string): string | undefined => diagnosis.checks.get(name)?.found;

const OF_DATABASE = ['database', 'migrations', 'rights', 'partitions', 'stored secrets', 'times'];
const OF_TEMPORAL = ['temporal', 'temporal version', 'namespace', 'search attributes', 'reconciliation'];

test('a good stack is green, and that no worker polls is told and is no fault', async () => {
  const { failed, checks } = await diagnose();
  expect(failed).toEqual([]);
  const workers = [...checks.values()].filter((check) => check.info).map((check) => check.name);
  expect(workers).toEqual(['worker waybill', 'worker waybill-send', 'worker waybill-retry']);
  expect(checks.get('stored secrets')?.found).toContain('k1');
});

test('a missing migration is named, and a newer one that breaks', async () => {
  const gone = await database.admin.query(
    `DELETE FROM waybill.migrations WHERE name = '0005_grants' RETURNING *`,
  );
  const missing = await diagnose();
  expect(missing.failed).toEqual(['migrations']);
  expect(found(missing, 'migrations')).toBe('missing: 0005_grants');
  const { id, name, run_on } = gone.rows[0] as { id: number; name: string; run_on: Date };
  await database.admin.query('INSERT INTO waybill.migrations VALUES ($1, $2, $3)', [id, name, run_on]);

  await database.admin.query(
    `INSERT INTO waybill.migrations (name, run_on) VALUES ('9999_new-breaking', now())`,
  );
  const unknown = await diagnose();
  expect(unknown.failed).toEqual(['migrations']);
  expect(found(unknown, 'migrations')).toContain('9999_new-breaking');
  await database.admin.query(`DELETE FROM waybill.migrations WHERE name = '9999_new-breaking'`);
});

test('a role that may rewrite the audit is refused, and one without rights', async () => {
  const owner = await diagnose({ WAYBILL_DATABASE_URL: database.adminUrl });
  expect(owner.failed).toEqual(['rights']);
  expect(found(owner, 'rights')).toContain('audit (DELETE, TRUNCATE, UPDATE)');

  await database.admin.query('GRANT UPDATE (reason) ON waybill.audit TO waybill_app');
  const column = await diagnose();
  expect(column.failed).toEqual(['rights']);
  expect(found(column, 'rights')).toBe('the role may change what must only grow: audit (UPDATE)');
  await database.admin.query('REVOKE UPDATE (reason) ON waybill.audit FROM waybill_app');
});

test('a missing partition is named', async () => {
  const { rows } = await database.admin.query<{ name: string }>(
    `SELECT to_char(date_trunc('month', now() AT TIME ZONE 'UTC') + interval '1 month', '"audit_"YYYY_MM') AS name`,
  );
  const name = rows[0]?.name ?? '';
  await database.admin.query(`ALTER TABLE waybill.audit DETACH PARTITION waybill.${name}`);
  const diagnosis = await diagnose();
  expect(diagnosis.failed).toEqual(['partitions']);
  expect(found(diagnosis, 'partitions')).toBe(`missing: ${name}`);
  await database.admin.query(`DROP TABLE waybill.${name}`);
  await waybill(['setup'], env);
  expect((await diagnose()).failed).toEqual([]);
});

test('another key under the same id, an unknown key, no key and no keys at all', async () => {
  const other = Buffer.alloc(32, 9).toString('base64');
  const wrong = await diagnose({ WAYBILL_KEYS: `k1:${other}` });
  expect(wrong.failed).toEqual(['stored secrets']);
  const unknown = await diagnose({ WAYBILL_KEYS: `k2:${other}` });
  expect(unknown.failed).toEqual(['stored secrets']);
  expect(found(unknown, 'stored secrets')).toContain('no encryption key with the id "k1"');
  const none = await diagnose({ WAYBILL_KEYS: undefined });
  expect(none.failed).toEqual(['keys', 'stored secrets']);
  const bad = await diagnose({ WAYBILL_KEYS: 'k1:c2hvcnQ=' });
  expect(bad.failed).toEqual(['configuration', 'keys', 'stored secrets']);
  expect(JSON.stringify([...bad.checks.values()])).not.toContain('c2hvcnQ');
});

test('every unusable setting is named at once', async () => {
  const diagnosis = await diagnose({ WAYBILL_POOL_MAX: 'many', WAYBILL_LOG_LEVEL: 'loud' });
  expect(diagnosis.failed).toEqual(['configuration']);
  expect(found(diagnosis, 'configuration')).toMatch(/WAYBILL_POOL_MAX.*WAYBILL_LOG_LEVEL/);
});

test('an egress proxy is connected to, and only its origin is shown', async () => {
  const proxy = await startProxy();
  const origin = `http://127.0.0.1:${proxy.port}`;
  const set = { WAYBILL_EGRESS_PROXY: `http://ann:hush@127.0.0.1:${proxy.port}` };
  const up = await diagnose(set);
  await proxy.close();
  expect(up.failed).toEqual([]);
  expect(found(up, 'egress proxy')).toBe(`${origin} takes connections`);
  const down = await diagnose(set);
  expect(down.failed).toEqual(['egress proxy']);
  expect(found(down, 'egress proxy')).toBe(`${origin}: the egress proxy could not be reached (ECONNREFUSED)`);
  const unusable = await diagnose({ WAYBILL_EGRESS_PROXY: 'socks5://ann:hush@127.0.0.1:1' });
  expect(unusable.failed).toEqual(['configuration', 'egress proxy']);
  expect(found(unusable, 'configuration')).toBe('WAYBILL_EGRESS_PROXY: must begin with http:// or https://');
  for (const { checks } of [up, down, unusable]) expect(JSON.stringify([...checks])).not.toContain('hush');
});

test('a database that is down hides nothing of Temporal, and shows no password', async () => {
  const diagnosis = await diagnose({ WAYBILL_DATABASE_URL: 'postgres://waybill:hush@127.0.0.1:1/waybill' });
  expect(diagnosis.failed).toEqual(OF_DATABASE);
  expect(found(diagnosis, 'database')).toContain('ECONNREFUSED');
  expect(JSON.stringify([...diagnosis.checks.values()])).not.toContain('hush');
});

test('Temporal being down hides nothing of the database', async () => {
  const diagnosis = await diagnose({ TEMPORAL_ADDRESS: '127.0.0.1:1' });
  expect(diagnosis.failed).toEqual(OF_TEMPORAL);
});

test('a namespace that is not there, and one kept too short', async () => {
  const absent = await diagnose({ TEMPORAL_NAMESPACE: 'nobody-made-this' });
  expect(absent.failed).toContain('namespace');
  expect(absent.failed).not.toContain('temporal version');
  const short = await freshNamespace(3_600_000);
  expect((await waybill(['setup'], { ...env, TEMPORAL_NAMESPACE: short })).code).toBe(0);
  const diagnosis = await diagnose({ TEMPORAL_NAMESPACE: short });
  expect(diagnosis.failed).toEqual(['namespace']);
});

test('a search attribute that is missing, and one of another type', async () => {
  const connection = await Connection.connect({ address: inject('temporalAddress') });
  try {
    await connection.operatorService.removeSearchAttributes({
      namespace,
      searchAttributes: ['WaybillVersion'],
    });
    const missing = await diagnose();
    expect(missing.failed).toEqual(['search attributes']);
    expect(found(missing, 'search attributes')).toBe('missing: WaybillVersion');
    const KEYWORD = 2;
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: { WaybillVersion: KEYWORD },
    });
    const wrong = await diagnose();
    expect(wrong.failed).toEqual(['search attributes']);
    expect(found(wrong, 'search attributes')).toBe('of another type: WaybillVersion');
    const refused = await waybill(['setup'], env);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('WaybillVersion');
  } finally {
    await connection.close();
  }
});
