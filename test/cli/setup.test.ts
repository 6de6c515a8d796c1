import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { SEARCH_ATTRIBUTES } from '../../src/contract.js';
import { emptyDatabase } from '../support/database.js';
import { environment, errorOf, freshNamespace, row, waybill, type Env } from './run.js';

/** Each test runs several processes of about a second, beside other files' tests. */
vi.setConfig({ testTimeout: 90_000 });

let database: Awaited<ReturnType<typeof emptyDatabase>>;
let env: Env;

beforeAll(async () => {
  database = await emptyDatabase();
  env = environment(database, await freshNamespace());
});
afterAll(() => database.drop());

interface SetUp {
  readonly migrations: string[];
  readonly partitions: number;
  readonly searchAttributes: string[];
}

test('a first setup makes everything, two at once do it once, and a later one finds it', async () => {
  const both = await Promise.all([waybill(['setup', '--json'], env), waybill(['setup', '--json'], env)]);
  expect(both.map((ran) => ran.code)).toEqual([0, 0]);
  const [one, two] = both.map((ran) => row<SetUp>(ran)) as [SetUp, SetUp];
  const migrations = [...one.migrations, ...two.migrations];
  expect(migrations).toContain('0001_ledger');
  expect(new Set(migrations).size).toBe(migrations.length);
  expect(new Set([...one.searchAttributes, ...two.searchAttributes])).toEqual(
    new Set(Object.keys(SEARCH_ATTRIBUTES)),
  );

  const again = await waybill(['setup', '--json'], env);
  expect(row(again)).toEqual({
    migrations: [],
    partitions: 0,
    searchAttributes: [],
    schedule: false,
    namespace: env['TEMPORAL_NAMESPACE'],
  });
  const doctor = await waybill(['doctor', '--json'], env);
  expect(doctor).toMatchObject({ code: 0, stderr: '' });
});

test('without the owner of the schema it says which setting is missing', async () => {
  const ran = await waybill(['setup', '--json'], { ...env, WAYBILL_ADMIN_DATABASE_URL: undefined });
  expect(ran).toMatchObject({ code: 2, stdout: '' });
  expect(errorOf(ran)).toMatchObject({ code: 'config_invalid', field: 'WAYBILL_ADMIN_DATABASE_URL' });
});

test('a database that does not answer is exit 5, without its password', async () => {
  const ran = await waybill(['setup'], {
    ...env,
    WAYBILL_ADMIN_DATABASE_URL: 'postgres://u:hush@127.0.0.1:1/x',
  });
  expect(ran.code).toBe(5);
  expect(ran.stderr).toContain('database_unavailable');
  expect(ran.stderr).not.toContain('hush');
});
