import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { systemClock } from '../../src/clock.js';
import { WaybillClient } from '../../src/client.js';
import { loadConfig } from '../../src/config.js';
import { relayDue, startRelay, type RelayDeps } from '../../src/intake/relay.js';
import { takeDue } from '../../src/ledger/outbox.js';
import { silentLog } from '../../src/watch/log.js';
import { setUpTemporal } from '../../src/operate/set-up.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/waybill.js';
import { TEST_KEYS } from '../support/obligations.js';

let db: TestDatabase;
let client: Client;
let waybill: WaybillClient;
let deps: RelayDeps;

beforeAll(async () => {
  db = await freshDatabase();
  client = new Client({ connection: await Connection.connect({ address: inject('temporalAddress') }) });
  await setUpTemporal(client, 'default');
  waybill = new WaybillClient({
    config: loadConfig({ WAYBILL_DATABASE_URL: db.url, WAYBILL_KEYS: TEST_KEYS }),
  });
  const starter = { workflows: client.workflow, taskQueue: `relay-${process.pid}` };
  deps = { pool: db.pool, databaseUrl: db.url, starter, clock: systemClock, log: silentLog };
});
beforeEach(() => db.admin.query('DELETE FROM waybill.outbox'));
afterAll(async () => {
  await waybill.close();
  await client.connection.close();
  await db.drop();
});

let serial = 0;
const event = () => ({
  shipment: `r-${process.pid}-${++serial}`,
  version: 1,
  type: 'shipment.late',
  payload: '{}',
});
const outbox = async (): Promise<number> =>
  (await db.admin.query<{ n: number }>('SELECT count(*) AS n FROM waybill.outbox')).rows[0]?.n ?? -1;
const isRunning = (workflowId: string) =>
  client.workflow
    .getHandle(workflowId)
    .describe()
    .then(
      ({ status }) => (status.name === 'RUNNING' ? true : undefined),
      () => undefined,
    );

describe('the relay', () => {
  it('starts the fan-out of what is published, with no access to Temporal on the publisher’s side', async () => {
    const relay = startRelay(deps);
    const { workflowId } = await waybill.publish(event());
    await eventually(() => isRunning(workflowId), 'the fan-out runs');
    await eventually(async () => ((await outbox()) === 0 ? true : undefined), 'the outbox is empty');
    await relay.stop();
  });

  it('takes up what is published in a caller’s transaction only once that commits', async () => {
    const relay = startRelay(deps);
    const caller = new pg.Client({ connectionString: db.url });
    await caller.connect();
    await caller.query('BEGIN');
    const { workflowId, afterCommit } = await waybill.publishIn(caller, event());
    const { workflowId: other } = await waybill.publish(event());
    await eventually(() => isRunning(other), 'a later event runs');
    expect(await isRunning(workflowId)).toBeUndefined();
    await caller.query('COMMIT');
    await afterCommit();
    await eventually(() => isRunning(workflowId), 'the fan-out runs');
    await caller.end();
    await relay.stop();
  });

  it('takes up again what another took and died with, and a second start is none', async () => {
    const { workflowId } = await waybill.publish(event());
    expect(await takeDue(db.pool, 10, 30_000, null)).toHaveLength(1);
    expect(await relayDue(deps)).toBe(0);
    await db.admin.query(`UPDATE waybill.outbox SET due_at = now() - interval '1 s'`);
    expect(await relayDue(deps)).toBe(1);
    const { runId } = await client.workflow.getHandle(workflowId).describe();
    await db.admin.query(
      `INSERT INTO waybill.outbox (kind, event_id, due_at) SELECT 'event', id, now() FROM waybill.events ORDER BY id DESC LIMIT 1`,
    );
    expect(await relayDue(deps)).toBe(1);
    expect((await client.workflow.getHandle(workflowId).describe()).runId).toBe(runId);
    expect(await outbox()).toBe(0);
  });

  it('shares rows with others: nobody takes one that is taken', async () => {
    for (let i = 0; i < 30; i++) await waybill.publish(event());
    const taken = await Promise.all(Array.from({ length: 6 }, () => takeDue(db.pool, 10, 30_000, null)));
    const ids = taken.flat().map((row) => row.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(30);
  });

  it('outlives its connections, and goes on by itself', async () => {
    const relay = startRelay(deps);
    const before = await waybill.publish(event());
    await eventually(() => isRunning(before.workflowId), 'the relay works');
    await db.admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    const after = await eventually(
      () => waybill.publish(event()).catch(() => undefined),
      'publishing works again',
    );
    await eventually(() => isRunning(after.workflowId), 'the relay works again');
    await relay.stop();
  });
});
