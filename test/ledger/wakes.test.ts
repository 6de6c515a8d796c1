import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ObligationKey } from '../../src/contract.js';
import { actOnSubscriber } from '../../src/ledger/acts.js';
import { letGoDue } from '../../src/ledger/wakes.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { adjustGate, makeQueue, type Queue } from '../support/destinations.js';
import { claim } from '../support/obligations.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await freshDatabase();
});
beforeEach(async () => {
  await db.admin.query('DELETE FROM waybill.outbox');
  await db.admin.query('DELETE FROM waybill.wakes');
});
afterAll(() => db.drop());

const T0 = Date.parse('2026-11-30T12:00:00Z');
const at = (ms: number): Date => new Date(T0 + ms);
let serial = 0;

const act = (queue: Queue, verb: 'pause' | 'resume', ms: number) =>
  actOnSubscriber(
    db.pool,
    queue.account,
    queue.id,
    { verb, actor: 'ann', reason: 'drill', requestId: `r${++serial}` },
    'client',
    at(ms),
  );
const onCohort = (queue: Queue, verb: string, ms: number) =>
  db.pool.query(`SELECT waybill.act_on_scope($1, 'c', $2, 'ann', 'drill', $3, 'client', $4)`, [
    queue.account,
    verb,
    `r${++serial}`,
    at(ms),
  ]);
const told = async ({ keys }: Queue): Promise<ObligationKey[]> =>
  (
    await db.pool.query<{ key: ObligationKey }>(
      `SELECT key FROM waybill.outbox WHERE key = ANY ($1) AND message ->> 'signal' = 'recheck' ORDER BY id`,
      [keys],
    )
  ).rows.map(({ key }) => key);
const wakesOf = async ({ id }: Queue): Promise<number> =>
  (await db.pool.query('SELECT FROM waybill.wakes WHERE subscriber_id = $1', [id])).rowCount ?? 0;
const rampOf = async ({ id }: Queue) =>
  (
    await db.pool.query<{ ramp: number | null; until: Date | null }>(
      'SELECT ramp_per_s AS ramp, ramp_until AS until FROM waybill.gates WHERE subscriber_id = $1',
      [id],
    )
  ).rows[0];

/** Relays empty the outbox between rounds; who is told asks at once, and is told to wait, unless workers are `away`. */
async function wakeFor(queue: Queue, fromMs: number, toMs: number, away = false): Promise<ObligationKey[]> {
  const all: ObligationKey[] = [];
  for (let ms = fromMs; ms <= toMs; ms += 250) {
    await letGoDue(db.pool, at(ms));
    const page = await told(queue);
    if (!away) await ask(page, ms);
    all.push(...page);
    await db.admin.query('DELETE FROM waybill.outbox');
  }
  return all;
}
const ask = (keys: readonly ObligationKey[], ms: number) =>
  db.admin.query('UPDATE waybill.obligations SET slot_at = $2 WHERE key = ANY ($1)', [keys, at(ms)]);

describe('a destination that its cohort’s pause holds no more', () => {
  it('because it left the cohort is let go', async () => {
    const queue = await makeQueue(db.pool, 3, { maxConcurrency: 5 }, at(0));
    await db.pool.query(
      `INSERT INTO waybill.cohorts (account, name, created_at, updated_at) VALUES ($1, 'c', $2, $2)`,
      [queue.account, at(0)],
    );
    await adjustGate(db.pool, queue.id, { cohort: 'c' }, at(0));
    await onCohort(queue, 'pause', 1);
    for (const key of queue.keys)
      expect(await claim(db.pool, key, { now: at(2) })).toMatchObject({ reason: 'cohort_paused' });
    await adjustGate(db.pool, queue.id, { cohort: null }, at(10));
    await letGoDue(db.pool, at(10));
    expect(await told(queue)).toHaveLength(3);
  });

  it('and below a ramp where it is many', async () => {
    const queue = await makeQueue(db.pool, 60, { maxConcurrency: 5 }, at(0));
    await db.pool.query(
      `INSERT INTO waybill.cohorts (account, name, created_at, updated_at) VALUES ($1, 'c', $2, $2)`,
      [queue.account, at(0)],
    );
    await adjustGate(db.pool, queue.id, { cohort: 'c' }, at(0));
    await onCohort(queue, 'pause', 1);
    await adjustGate(db.pool, queue.id, { cohort: null }, at(10));
    expect(await rampOf(queue)).toEqual({ ramp: 2.5, until: null });
  });
});

describe('paced waking', () => {
  it('tells each once, in the order of events, and ends the ramp after the last page', async () => {
    const queue = await makeQueue(db.pool, 100, { maxConcurrency: 20 }, at(0));
    await act(queue, 'pause', 0);
    expect(await act(queue, 'resume', 1_000)).toMatchObject({ obligations: 100 });
    expect(await rampOf(queue)).toEqual({ ramp: 10, until: null });
    const all = await wakeFor(queue, 1_000, 60_000);
    expect(all).toEqual(queue.keys);
    expect(await wakesOf(queue)).toBe(0);
    expect((await rampOf(queue))?.until).not.toBeNull();
  });

  it('starts below a tenth of the ramp and climbs', async () => {
    const queue = await makeQueue(db.pool, 300, { maxConcurrency: 20 }, at(0));
    await act(queue, 'pause', 0);
    await act(queue, 'resume', 0);
    expect((await wakeFor(queue, 0, 4_750)).length).toBeLessThanOrEqual(10);
    const later = (await wakeFor(queue, 30_000, 39_750)).length;
    expect(later).toBeGreaterThan(60);
    expect(later).toBeLessThanOrEqual(90);
  });

  it('goes no further than workers follow, so that it stands before nothing that comes later', async () => {
    const queue = await makeQueue(db.pool, 300, { maxConcurrency: 20 }, at(0));
    await act(queue, 'pause', 0);
    await act(queue, 'resume', 0);
    await wakeFor(queue, 0, 30_000);
    const page = await wakeFor(queue, 30_250, 39_000, true);
    expect(page).toHaveLength(4);
    expect(await wakeFor(queue, 39_250, 40_000, true)).toEqual([]);
    await ask(page.slice(0, 2), 40_000);
    expect(await wakeFor(queue, 40_250, 41_000)).not.toEqual([]);
  });

  it('and all the same every ten seconds, should none of them ever ask', async () => {
    const queue = await makeQueue(db.pool, 300, { maxConcurrency: 20 }, at(0));
    await act(queue, 'pause', 0);
    await act(queue, 'resume', 0);
    await wakeFor(queue, 0, 30_000);
    expect((await wakeFor(queue, 30_250, 60_000, true)).length).toBeGreaterThanOrEqual(8);
  });

  it('by many relays at once tells each once', async () => {
    const queues = [];
    for (let n = 0; n < 6; n += 1) {
      const queue = await makeQueue(db.pool, 5, { maxConcurrency: 9 }, at(0));
      await act(queue, 'pause', 0);
      await act(queue, 'resume', 1);
      queues.push(queue);
    }
    await Promise.all(Array.from({ length: 8 }, () => letGoDue(db.pool, at(2))));
    await letGoDue(db.pool, at(3));
    for (const queue of queues) expect(await told(queue)).toEqual(queue.keys);
  });

  it('a relay that dies in the middle leaves its page to the next', async () => {
    const queue = await makeQueue(db.pool, 5, { maxConcurrency: 9 }, at(0));
    await act(queue, 'pause', 0);
    await act(queue, 'resume', 1);
    const client = await db.pool.connect();
    await client.query('BEGIN');
    await letGoDue(client, at(2));
    client.release(true);
    await expect
      .poll(async () => {
        await letGoDue(db.pool, at(3));
        return (await told(queue)).length;
      })
      .toBe(5);
  });

  it('passes over a destination that somebody has in hand, since he may be waiting for its row', async () => {
    const queue = await makeQueue(db.pool, 5, { maxConcurrency: 9 }, at(0));
    await act(queue, 'pause', 0);
    await act(queue, 'resume', 1);
    const [holder, relay] = [await db.pool.connect(), await db.pool.connect()];
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM waybill.gates WHERE subscriber_id = $1 FOR UPDATE', [queue.id]);
      await relay.query(`SET lock_timeout = '2s'`);
      expect(await letGoDue(relay, at(2))).toBe(false);
    } finally {
      holder.release(true);
      relay.release(true);
    }
    await expect
      .poll(async () => {
        await letGoDue(db.pool, at(3));
        return (await told(queue)).length;
      })
      .toBe(5);
  });

  it('is ended by a second pause of any reach, and begun anew by its resume', async () => {
    const queue = await makeQueue(db.pool, 60, { maxConcurrency: 5 }, at(0));
    await act(queue, 'pause', 0);
    await act(queue, 'resume', 0);
    expect((await wakeFor(queue, 0, 5_000)).length).toBeGreaterThan(0);
    const scope = (verb: string, ms: number) =>
      db.pool.query(`SELECT waybill.act_on_scope($1, '', $2, 'ann', 'drill', $3, 'client', $4)`, [
        queue.account,
        verb,
        `r${++serial}`,
        at(ms),
      ]);
    await scope('pause', 6_000);
    expect(await wakeFor(queue, 6_000, 20_000)).toEqual([]);
    expect(await wakesOf(queue)).toBe(0);
    await scope('resume', 30_000);
    expect(await wakeFor(queue, 30_000, 90_000)).toEqual(queue.keys);
  });

  it('goes on, if slowly, while relays have their hands full', async () => {
    const queue = await makeQueue(db.pool, 5, { maxConcurrency: 9 }, at(0));
    await act(queue, 'pause', 0);
    await act(queue, 'resume', 1);
    await db.pool.query(
      `INSERT INTO waybill.outbox (kind, key, message, due_at)
        SELECT 'nudge', 'k' || n, '{"signal":"recheck"}', $1 FROM generate_series(1, 200) n`,
      [at(0)],
    );
    for (let ms = 1_000; ms <= 120_000; ms += 1_000) await letGoDue(db.pool, at(ms));
    expect(await told(queue)).toHaveLength(5);
  });
});
