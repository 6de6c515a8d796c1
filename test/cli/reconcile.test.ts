import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { WaybillClient } from '../../src/client.js';
import { loadConfig } from '../../src/config.js';
import { setUpTemporal } from '../../src/operate/set-up.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { TEST_KEYS } from '../support/obligations.js';
import { waybill } from './run.js';

let db: TestDatabase;
let env: Record<string, string>;
let client: WaybillClient;

beforeAll(async () => {
  db = await freshDatabase();
  const address = inject('temporalAddress');
  env = { WAYBILL_DATABASE_URL: db.url, TEMPORAL_ADDRESS: address, WAYBILL_KEYS: TEST_KEYS };
  client = new WaybillClient({ config: loadConfig(env) });
  const temporal = new Client({ connection: await Connection.connect({ address }) });
  await setUpTemporal(temporal, 'default');
  await temporal.connection.close();
});
afterAll(async () => {
  await client.close();
  await db.drop();
});

const rowsOf = (stdout: string): Record<string, unknown>[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('a dry run names what is stuck and mends nothing; a run mends it, a second finds nothing', async () => {
  const { eventId } = await client.publish({
    shipment: 'stuck',
    version: 1,
    type: 'shipment.late',
    payload: '{}',
  });
  const args = ['reconcile', '--grace-ms', '0', '--json'];
  for (const [more, did] of [
    [['--dry-run'], null],
    [[], 'relayed'],
  ] as const) {
    const ran = await waybill([...args, ...more], env);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(rowsOf(ran.stdout)).toEqual([
      { row: 'finding', kind: 'outbox-not-relayed', key: null, eventId, did },
      { row: 'report', findings: 1, byKind: { 'outbox-not-relayed': 1 }, failed: 0 },
    ]);
  }
  // Nobody is owed it, so that nothing about it is stuck.
  const again = await waybill(args, env);
  expect(rowsOf(again.stdout)).toEqual([{ row: 'report', findings: 0, byKind: {}, failed: 0 }]);
});

test('with Temporal away it says so', async () => {
  const ran = await waybill(['reconcile', '--json'], { ...env, TEMPORAL_ADDRESS: '127.0.0.1:1' });
  expect(ran).toMatchObject({ code: 5, stdout: '' });
});
