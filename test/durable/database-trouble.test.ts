import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { WaybillClient } from '../../src/client.js';
import { loadConfig } from '../../src/config.js';
import { openLink } from '../kill/link.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { TEST_KEYS } from '../support/obligations.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import {
  connectTemporal,
  eventually,
  makeTrust,
  startWaybill,
  type TestWaybill,
  type Trust,
} from '../support/waybill.js';

let trust: Trust;
let temporal: Awaited<ReturnType<typeof connectTemporal>>;
let db: TestDatabase;
let receiver: Receiver;
let waybill: TestWaybill;
let lines = 0;
const count = (): void => void lines++;
const log = { debug: count, info: () => undefined, warn: count, error: count };
let hold: Promise<void> = Promise.resolve();

beforeAll(async () => {
  temporal = await connectTemporal(inject('temporalAddress'));
  trust = await makeTrust();
});
beforeEach(async () => {
  db = await freshDatabase();
  hold = Promise.resolve();
  receiver = await startReceiver({
    tls: trust.tls,
    answer: (_, { response }) => void hold.then(() => response.writeHead(200).end()),
  });
  lines = 0;
  waybill = await startWaybill(db, temporal, trust, { log, env: { WAYBILL_LEASE_MARGIN_MS: '2000' } });
});
afterEach(async () => {
  await waybill.stop();
  await receiver.close();
  await db.drop();
});
afterAll(async () => {
  await temporal.close();
  trust.dispose();
});

const POLICY = { firstRetryMs: 500, ceilingMs: 1_000, maxTries: 20, timeoutMs: 4_000 };

async function owe(subscribers: number): Promise<void> {
  const url = `https://localhost:${receiver.port}/`;
  await waybill.client.addSubscribers(
    Array.from({ length: subscribers }, (_, i) => ({ name: `s${i}`, url, policy: POLICY })),
  );
}
const publish = (shipment: string) =>
  eventually(
    () =>
      waybill.client
        .publish({ shipment, version: 1, type: 'shipment.late', payload: shipment })
        .catch(() => undefined),
    `${shipment} is published`,
  );
const allDelivered = (shipment: string, subscribers: number) =>
  eventually(
    async () => {
      const rows = await waybill.client.find({ shipment, limit: 1_000 }).catch(() => []);
      return rows.length === subscribers && rows.every((o) => o.disposition === 'delivered')
        ? rows
        : undefined;
    },
    `all of ${shipment} are delivered`,
    60_000,
  );

/** Requests beyond the first of a key that no earlier recorded `failed` or `unknown` explains. */
async function unexplained(): Promise<number> {
  const seen = new Map<string, number>();
  for (const { headers } of receiver.requests) {
    const key = String(headers['webhook-id']);
    seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  let extra = 0;
  for (const [key, requests] of seen) {
    const { attempts } = await waybill.client.trace(key);
    const explained = attempts.filter((a) => a.outcome === 'failed' || a.outcome === 'unknown').length;
    extra += Math.max(0, requests - 1 - explained);
  }
  return extra;
}

/** On a connection of its own, outside the database that is in trouble. */
async function asSuperuser(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('adminUrl') });
  await client.connect();
  await client.query(sql);
  await client.end();
}
const database = (): string => new URL(db.url).pathname.slice(1);
const cutAll = () =>
  asSuperuser(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database()}'`);

describe('a database in trouble', () => {
  it('that cuts every connection, again and again, costs nothing but time', async () => {
    await owe(20);
    for (const shipment of ['a', 'b', 'c']) {
      await publish(shipment);
      for (let i = 0; i < 4; i++) {
        await cutAll();
        await eventually(
          () =>
            waybill.client.find().then(
              () => true,
              () => undefined,
            ),
          'it answers again',
        );
      }
    }
    for (const shipment of ['a', 'b', 'c']) await allDelivered(shipment, 20);
    expect(await unexplained()).toBe(0);
  }, 120_000);

  it('that is read-only for a while keeps what was answered, and goes on by itself', async () => {
    await owe(20);
    let release = (): void => undefined;
    hold = new Promise((resolve) => (release = resolve));
    await publish('during');
    await eventually(
      async () => (receiver.requests.length >= 10 ? true : undefined),
      'requests are under way',
    );
    await asSuperuser(`ALTER DATABASE ${database()} SET default_transaction_read_only = on`);
    await cutAll();
    release();
    await eventually(
      () =>
        waybill.client.publish({ shipment: 'refused', version: 1, type: 'shipment.late', payload: '' }).then(
          () => undefined,
          (error: unknown) =>
            (error as { code?: string }).code === 'database_unavailable' ? true : undefined,
        ),
      'publishing is refused with its code',
    );
    const before = lines;
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    expect(lines - before).toBeLessThan(20 * 12);
    await asSuperuser(`ALTER DATABASE ${database()} RESET default_transaction_read_only`);
    await cutAll();
    await allDelivered('during', 20);
    expect(await unexplained()).toBe(0);
  }, 120_000);

  it('keeps no connection while requests are on the wire', async () => {
    await owe(20);
    let release = (): void => undefined;
    hold = new Promise((resolve) => (release = resolve));
    await publish('hanging');
    await eventually(async () => (receiver.requests.length === 20 ? true : undefined), 'all requests hang');
    const { rows } = await db.admin.query<{ n: number }>(
      `SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
    );
    expect(rows[0]?.n).toBe(0);
    release();
    await allDelivered('hanging', 20);
  }, 60_000);

  it('whose pool is used up and whose statements stall answers publishers soon, with a code, and recovers', async () => {
    const client = publisherAt(db.url, '2');
    const locker = await db.admin.connect();
    await locker.query('BEGIN');
    await locker.query('LOCK TABLE waybill.events IN ACCESS EXCLUSIVE MODE');
    const shipments = ['stuck-1', 'stuck-2', 'refused'];
    const answers = await Promise.all(shipments.map((shipment) => answerTo(client, shipment)));
    expect(answers.map(({ said }) => said)).toEqual(shipments.map(() => 'database_unavailable'));
    for (const { tookMs } of answers) expect(tookMs).toBeLessThan(SOON_MS);
    await locker.query('ROLLBACK');
    locker.release();
    for (const shipment of shipments)
      expect(await answerTo(client, shipment)).toMatchObject({ said: 'published' });
    await client.close();
  }, 180_000);

  it('that says nothing any more, with its connections open, is answered for soon, with a code', async () => {
    const link = await openLink(Number(new URL(db.url).port));
    const url = new URL(db.url);
    url.port = String(link.port);
    const client = publisherAt(url.href, '10');
    await owe(1);
    const key = `before%20silence:${(await waybill.client.subscribers())[0]?.id ?? ''}:1`;
    expect(await answerTo(client, 'before silence')).toMatchObject({ said: 'published' });
    await allDelivered('before silence', 1);

    const release = link.hold();
    const word = { actor: 'a test', reason: 'silence', requestId: 'once' };
    const answers = await Promise.all([
      answerTo(client, 'in silence'),
      answerTo(client, 'in silence too'),
      timed(() => client.pause(key, word)),
    ]);
    expect(answers.map(({ said }) => said)).toEqual(answers.map(() => 'database_unavailable'));
    for (const { tookMs } of answers) expect(tookMs).toBeLessThan(SOON_MS);
    release();

    for (const shipment of ['in silence', 'in silence too']) {
      await eventually(
        async () => ((await answerTo(client, shipment)).said === 'published' ? true : undefined),
        'publishing works again',
      );
      expect(await client.events(shipment)).toHaveLength(1);
      await allDelivered(shipment, 1);
    }
    await client.close();
    await link.close();
  }, 180_000);
});

/** For a connection, and for an answer on it, 5 and 6 s; the rest is for a machine that is busy. */
const SOON_MS = 12_000;

const publisherAt = (url: string, poolMax: string): WaybillClient =>
  new WaybillClient({
    config: loadConfig({
      WAYBILL_DATABASE_URL: url,
      WAYBILL_KEYS: TEST_KEYS,
      WAYBILL_POOL_MAX: poolMax,
    }),
  });

const answerTo = (client: WaybillClient, shipment: string) =>
  timed(() => client.publish({ shipment, version: 1, type: 'shipment.late', payload: '' }));

async function timed(work: () => Promise<unknown>): Promise<{ said: string; tookMs: number }> {
  const startedMs = performance.now();
  const said = await work().then(
    () => 'published',
    (error: unknown) => (error as { code?: string }).code ?? String(error),
  );
  return { said, tookMs: performance.now() - startedMs };
}
