import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { environment, errorOf, row, waybill, type Env, type Ran } from './run.js';

let database: TestDatabase;
let folder: string;
let env: Env;

beforeAll(async () => {
  database = await freshDatabase();
  folder = mkdtempSync(join(tmpdir(), 'waybill-cli-'));
  env = environment(database);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await database.drop();
});

/** Bytes that any decoding would change: a NUL, CRLF, bytes that are no UTF-8, and no line break at the end. */
const BYTES = Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x00, 0x0d, 0x0a, 0xff, 0xfe, 0x80, 0x7d]);

const publish = (args: readonly string[], stdin: string | Buffer = ''): Promise<Ran> =>
  waybill(['publish', ...args, '--type', 'shipment.delivered', '--json'], env, stdin);

async function stored(shipment: string): Promise<{ bytes: Buffer; content_type: string | null }> {
  const { rows } = await database.pool.query<{ bytes: Buffer; content_type: string | null }>(
    `SELECT bytes, content_type FROM waybill.events e JOIN waybill.event_payloads p ON p.event_id = e.id
      WHERE shipment_id = $1`,
    [shipment],
  );
  return rows[0] as { bytes: Buffer; content_type: string | null };
}

test('the bytes of a file and of stdin are published as they are', async () => {
  const file = join(folder, 'p.bin');
  writeFileSync(file, BYTES);
  const fromFile = await publish(['from file', '1', '--file', file]);
  expect(fromFile).toMatchObject({ code: 0, stderr: '' });
  const digest = createHash('sha256').update(BYTES).digest('hex');
  expect(row(fromFile)).toMatchObject({ shipment: 'from file', version: 1, created: true, digest });
  expect(await stored('from file')).toEqual({ bytes: BYTES, content_type: null });

  expect(row(await publish(['from stdin', '1', '-'], BYTES))).toMatchObject({ digest });
  expect(await stored('from stdin')).toEqual({ bytes: BYTES, content_type: null });
  expect((await publish(['empty', '1', '-'])).code).toBe(0);
  expect((await stored('empty')).bytes).toHaveLength(0);
});

test('a .json file is application/json unless something else is said', async () => {
  const file = join(folder, 'p.JSON');
  writeFileSync(file, '{}');
  await publish(['json', '1', '--file', file]);
  expect((await stored('json')).content_type).toBe('application/json');
  await publish(['other', '1', '--file', file, '--content-type', 'application/vnd.acme+json']);
  expect((await stored('other')).content_type).toBe('application/vnd.acme+json');
});

test('the same again is the same, anything else of that version is a conflict', async () => {
  const args = ['twice', '7', '-', '--label', 'merchant=m7', '--occurred-at', '2026-11-01T05:30:00+01:00'];
  expect(row(await publish(args, '{}'))).toMatchObject({ created: true });
  const again = await publish(args, '{}');
  expect(again.code).toBe(0);
  expect(row(again)).toMatchObject({ created: false });
  const other = await publish(args, '{} ');
  expect(other).toMatchObject({ code: 3, stdout: '' });
  expect(errorOf(other).code).toBe('event_conflict');
});

test.each([
  [['s', '-1', '-'], 'invalid_field', 'version'],
  [['s', '1.5', '-'], 'invalid_field', 'version'],
  [['s', '9007199254740993', '-'], 'invalid_field', 'version'],
  [['s', '1', '-', '--occurred-at', 'yesterday'], 'invalid_field', 'occurredAt'],
  [['s', '1', '-', '--valid-until', '2026-11-01T00:00:00'], 'invalid_field', 'validUntil'],
  [['é'.repeat(60), '1', '-'], 'id_too_long', 'shipment'],
  [['s', '1', '--file', '/nowhere/p.json'], 'usage', undefined],
])('%j is refused with exit 2, naming the field', async (args, code, field) => {
  const ran = await publish(args, '{}');
  expect(ran).toMatchObject({ code: 2, stdout: '' });
  expect(errorOf(ran)).toMatchObject({ code, ...(field === undefined ? {} : { field }) });
});

test('a payload over the limit is refused without being read to its end', async () => {
  const ran = await publish(['large', '1', '-'], Buffer.alloc(3_000_000));
  expect(ran.code).toBe(2);
  expect(errorOf(ran)).toMatchObject({ code: 'payload_too_large', field: 'payload' });
});

test('trace says plainly that an event has no obligations so far', async () => {
  await publish(['lonely', '1', '-'], '{}');
  const text = await waybill(['trace', '--shipment', 'lonely'], env);
  expect(text.stdout).toContain('not matched yet');
  await database.pool.query(
    `SELECT waybill.match_event(id) FROM waybill.events WHERE shipment_id = 'lonely'`,
  );
  const matched = await waybill(['trace', '--shipment', 'lonely'], env);
  expect(matched.stdout).toContain('0: no subscriber matches');
  const json = await waybill(['trace', '--shipment', 'lonely', '--json'], env);
  expect(row(json)).toMatchObject({ events: [{ version: 1, obligations: 0 }], obligations: [] });
});
