import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { systemClock } from '../../src/clock.js';
import { WaybillClient, type Published } from '../../src/client.js';
import { loadConfig } from '../../src/config.js';
import { obligationKey, type ObligationKey } from '../../src/contract.js';
import { SMALL_FAN_OUT } from '../../src/intake/fan-out.js';
import { relayDue, startRelay, type RelayDeps } from '../../src/intake/relay.js';
import { takeDue } from '../../src/ledger/outbox.js';
import { silentLog } from '../../src/watch/log.js';
import type { Point } from '../../src/watch/points.js';
import { setUpTemporal } from '../../src/operate/set-up.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/waybill.js';
import { TEST_KEYS } from '../support/obligations.js';

const FEW = 3;

let db: TestDatabase;
let client: Client;
let waybill: WaybillClient;
let deps: RelayDeps;
/** Ids of those that an event with the label `few` goes to; with `many` besides it goes to one more than a small one. */
let few: readonly string[];

beforeAll(async () => {
  db = await freshDatabase();
  client = new Client({ connection: await Connection.connect({ address: inject('temporalAddress') }) });
  await setUpTemporal(client, 'default');
  waybill = new WaybillClient({
    config: loadConfig({
      WAYBILL_DATABASE_URL: db.url,
      WAYBILL_KEYS: TEST_KEYS,
      WAYBILL_ALLOW: 'localhost',
    }),
  });
  const added = await waybill.addSubscribers(
    Array.from({ length: SMALL_FAN_OUT + 1 }, (_, i) => ({
      name: `s${i}`,
      url: 'https://localhost:1/',
      labels: i < FEW ? { few: 'yes' } : { many: 'yes' },
    })),
  );
  few = added.slice(0, FEW).map(({ id }) => id);
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
const event = (labels: Readonly<Record<string, string>> = { few: 'yes' }) => ({
  shipment: `r-${process.pid}-${++serial}`,
  version: 1,
  type: 'shipment.late',
  payload: '{}',
  labels,
});
const largeEvent = () => event({ few: 'yes', many: 'yes' });
const keysOf = ({ shipment, version }: Published): ObligationKey[] =>
  few.map((id) => obligationKey(shipment, id, version));
const outbox = async (): Promise<number> =>
  (await db.admin.query<{ n: number }>('SELECT count(*) AS n FROM waybill.outbox')).rows[0]?.n ?? -1;
/** The outbox row of a relay that has died is due again after a while: now. */
const comeDueAgain = () => db.admin.query(`UPDATE waybill.outbox SET due_at = now() - interval '1 s'`);
const described = (workflowId: string) =>
  client.workflow
    .getHandle(workflowId)
    .describe()
    .catch(() => undefined);
const isRunning = async (workflowId: string) =>
  (await described(workflowId))?.status.name === 'RUNNING' ? true : undefined;
/** How many of the event's deliveries have their workflow. */
const running = async (published: Published): Promise<number> =>
  (await Promise.all(keysOf(published).map(isRunning))).filter(Boolean).length;
const allRun = async (published: Published) => ((await running(published)) === FEW ? true : undefined);
const stored = async ({ eventId }: Published) =>
  (
    await db.admin.query<{ matched: boolean; started: boolean }>(
      'SELECT matched_at IS NOT NULL AS matched, started_at IS NOT NULL AS started FROM waybill.events WHERE id = $1',
      [eventId],
    )
  ).rows[0];

describe('the relay', () => {
  it('fans out what is published, with no access to Temporal on the publisher’s side', async () => {
    const relay = startRelay(deps);
    const published = await waybill.publish(event());
    await eventually(() => allRun(published), 'the deliveries run');
    await eventually(async () => ((await outbox()) === 0 ? true : undefined), 'the outbox is empty');
    expect(await stored(published)).toEqual({ matched: true, started: true });
    await relay.stop();
  });

  it('takes up what is published in a caller’s transaction only once that commits', async () => {
    const relay = startRelay(deps);
    const caller = new pg.Client({ connectionString: db.url });
    await caller.connect();
    await caller.query('BEGIN');
    const published = await waybill.publishIn(caller, event());
    const other = await waybill.publish(event());
    await eventually(() => allRun(other), 'a later event runs');
    expect(await running(published)).toBe(0);
    await caller.query('COMMIT');
    await published.afterCommit();
    await eventually(() => allRun(published), 'the deliveries run');
    await caller.end();
    await relay.stop();
  });

  it('takes up again what another took and died with, and a second start is none', async () => {
    const published = await waybill.publish(event());
    const [key = ''] = keysOf(published);
    expect(await takeDue(db.pool, 10, 30_000, null)).toHaveLength(1);
    expect(await relayDue(deps)).toBe(0);
    await comeDueAgain();
    expect(await relayDue(deps)).toBe(1);
    const first = await described(key);
    await db.admin.query(
      `INSERT INTO waybill.outbox (kind, event_id, due_at) SELECT 'event', id, now() FROM waybill.events ORDER BY id DESC LIMIT 1`,
    );
    expect(await relayDue(deps)).toBe(1);
    expect(first?.runId).toBeDefined();
    expect((await described(key))?.runId).toBe(first?.runId);
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
    await eventually(() => allRun(before), 'the relay works');
    await db.admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    const after = await eventually(
      () => waybill.publish(event()).catch(() => undefined),
      'publishing works again',
    );
    await eventually(() => allRun(after), 'the relay works again');
    await relay.stop();
  });
});

describe('a small event', () => {
  it('has no workflow of its own, and one that nobody is owed has none at all', async () => {
    const published = await waybill.publish(event());
    const toNobody = await waybill.publish(event({}));
    expect(await relayDue(deps)).toBe(2);
    expect(await running(published)).toBe(FEW);
    for (const one of [published, toNobody]) {
      expect(await described(one.workflowId)).toBeUndefined();
      expect(await stored(one)).toEqual({ matched: true, started: true });
    }
  });

  it.each<[point: Point, run: number, started: boolean]>([
    ['relay.taken', 0, false],
    ['relay.matched', 0, false],
    ['relay.fanned-out', FEW, false],
    ['relay.started', FEW, true],
  ])('whose relay dies at %s is brought to its end by another', async (point, run, started) => {
    const published = await waybill.publish(event());
    const dying = {
      ...deps,
      reached: (at: Point) => {
        if (at === point) throw new Error('died');
      },
    };
    await relayDue(dying).catch(() => undefined);
    expect(await running(published)).toBe(run);
    expect(await stored(published)).toMatchObject({ started });
    expect(await outbox()).toBe(1);
    const [first] = await Promise.all(keysOf(published).map(described));

    await comeDueAgain();
    expect(await relayDue(deps)).toBe(1);
    expect(await running(published)).toBe(FEW);
    expect(await stored(published)).toEqual({ matched: true, started: true });
    expect(await outbox()).toBe(0);
    const [again] = await Promise.all(keysOf(published).map(described));
    expect(again?.runId).toBe(first?.runId ?? again?.runId);
  });

  it('of which one can’t be started keeps no other from it, and stays due', async () => {
    const published = await waybill.publish(event());
    const [bad] = keysOf(published);
    const workflows = Object.create(deps.starter.workflows) as typeof deps.starter.workflows;
    workflows.start = (type, options) =>
      options?.workflowId === bad
        ? Promise.reject(new Error('refused'))
        : deps.starter.workflows.start(type, options);
    await relayDue({ ...deps, starter: { ...deps.starter, workflows } });
    expect(await running(published)).toBe(FEW - 1);
    expect(await stored(published)).toMatchObject({ started: false });

    await comeDueAgain();
    await relayDue(deps);
    expect(await running(published)).toBe(FEW);
    expect(await stored(published)).toMatchObject({ started: true });
  });
});

describe('a large event', () => {
  it('is left to a workflow, which matches it, too', async () => {
    const published = await waybill.publish(largeEvent());
    expect(await relayDue(deps)).toBe(1);
    expect(await isRunning(published.workflowId)).toBe(true);
    expect(await stored(published)).toEqual({ matched: false, started: false });
    expect(await running(published)).toBe(0);
    expect(await outbox()).toBe(0);
  });
});

describe('turns', () => {
  it('are dealt out to accounts: an event and its deliveries are started with theirs', async () => {
    const small = await waybill.publish(event());
    const large = await waybill.publish(largeEvent());
    await relayDue(deps);
    for (const id of [...keysOf(small), large.workflowId])
      expect(await described(id)).toMatchObject({ priority: { fairnessKey: 'account:default' } });
  });
});
