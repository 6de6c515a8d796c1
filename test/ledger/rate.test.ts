import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ObligationKey } from '../../src/contract.js';
import { actOnSubscriber } from '../../src/ledger/acts.js';
import { claimMany, type ClaimAnswer } from '../../src/ledger/claim.js';
import { letGoDue } from '../../src/ledger/wakes.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { adjustGate, makeQueue } from '../support/destinations.js';
import { claim, claimGo, settle, settlement } from '../support/obligations.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await freshDatabase();
});
beforeEach(() => db.admin.query('DELETE FROM waybill.outbox'));
afterAll(() => db.drop());

const T0 = Date.parse('2026-11-30T12:00:00Z');
const at = (ms: number): Date => new Date(T0 + ms);
const started = (answer: ClaimAnswer, nowMs: number): number | undefined =>
  answer.answer === 'go' ? nowMs + (answer.startInMs ?? 0) : undefined;
const waitOf = (answer: ClaimAnswer): number =>
  'standing' in answer && answer.answer !== 'go' ? answer.standing.waitMs : 0;

/** The most that any second, wherever it begins, holds. */
function mostInASecond(momentsMs: readonly number[]): number {
  const sorted = [...momentsMs].sort((a, b) => a - b);
  let most = 0;
  for (let from = 0, to = 0; to < sorted.length; to += 1) {
    while ((sorted[to] as number) - (sorted[from] as number) >= 1_000) from += 1;
    most = Math.max(most, to - from + 1);
  }
  return most;
}

/** Plays the clock: everybody asks at first, then each when it was told to; answers moments and claims. */
async function drain(
  keys: readonly ObligationKey[],
  beginMs: number,
  lateness: (toldMs: number) => number = (ms) => ms,
): Promise<{ moments: number[]; claims: number }> {
  const asking = new Map(keys.map((key) => [key, beginMs]));
  const moments: number[] = [];
  let claims = 0;
  while (asking.size > 0) {
    const [key, nowMs] = [...asking].reduce((a, b) => (b[1] < a[1] ? b : a));
    const answer = await claim(db.pool, key, { now: at(nowMs) });
    claims += 1;
    const moment = started(answer, nowMs);
    if (moment === undefined) asking.set(key, lateness(nowMs + waitOf(answer)));
    else {
      moments.push(moment);
      asking.delete(key);
      await settle(db.pool, settlement(key, 1, 'delivered', { to: 'delivered' }), at(moment + 5));
    }
  }
  return { moments, claims };
}

describe('a destination with a rate', () => {
  it('gives each of many callers at once a moment of its own, none more than two seconds ahead', async () => {
    const { keys } = await makeQueue(db.pool, 40, { ratePerSecond: 10, maxConcurrency: 100 }, at(0));
    const answers = await Promise.all(keys.map((key) => claim(db.pool, key, { now: at(0) })));
    const moments = answers.flatMap((answer) => started(answer, 0) ?? []).sort((a, b) => a - b);
    expect(moments).toEqual(Array.from({ length: 21 }, (_, i) => i * 100));
    const told = answers.filter(({ answer }) => answer === 'not_yet');
    expect(told).toHaveLength(19);
    expect(new Set(told.map(waitOf)).size).toBe(19);
  });

  it('gives moments to several of one batch, one after the other', async () => {
    const { keys } = await makeQueue(db.pool, 4, { ratePerSecond: 2, maxConcurrency: 100 }, at(0));
    const requests = keys.map((key) => ({ key, round: 0, tryNumber: 1 }));
    const context = { worker: 'test', leaseMarginMs: 10_000, now: at(0) };
    const answers = await claimMany(db.pool, requests, context);
    expect(answers.map((answer) => started(answer, 0))).toEqual([0, 500, 1_000, 1_500]);
  });

  it('drains a line of hundreds with about two claims each, and never more than its rate', async () => {
    const { keys } = await makeQueue(db.pool, 300, { ratePerSecond: 5, maxConcurrency: 100 }, at(0));
    const { moments, claims } = await drain(keys, 0);
    expect(moments).toHaveLength(300);
    expect(mostInASecond(moments)).toBeLessThanOrEqual(6);
    expect(Math.max(...moments)).toBeLessThan((300 / 5) * 1_000 * 1.15);
    expect(claims).toBeLessThanOrEqual(2 * 300);
  });

  it('and still so when timers come a second late', async () => {
    const { keys } = await makeQueue(db.pool, 200, { ratePerSecond: 5, maxConcurrency: 100 }, at(0));
    const { moments, claims } = await drain(keys, 0, (ms) => Math.ceil(ms / 1_000) * 1_000);
    expect(mostInASecond(moments)).toBeLessThanOrEqual(6);
    expect(claims).toBeLessThanOrEqual(2 * 200);
  });

  it('keeps to it after an outage in which all came due, and gets them all through', async () => {
    const { keys } = await makeQueue(db.pool, 200, { ratePerSecond: 5, maxConcurrency: 100 }, at(0));
    // Nobody asks from the fifth second to the thirtieth.
    const { moments, claims } = await drain(keys, 0, (ms) => (ms > 5_000 && ms < 30_000 ? 30_000 : ms));
    expect(moments).toHaveLength(200);
    expect(mostInASecond(moments)).toBeLessThanOrEqual(6);
    expect(claims).toBeLessThan(5 * 200);
    expect(Math.max(...moments)).toBeLessThan(150_000);
  });

  it('lets nobody who comes fresh overtake the line, and keeps the place of who comes early', async () => {
    const { keys } = await makeQueue(db.pool, 60, { ratePerSecond: 5, maxConcurrency: 100 }, at(0));
    const waits = new Map<ObligationKey, number>();
    for (const key of keys.slice(0, 59)) waits.set(key, waitOf(await claim(db.pool, key, { now: at(0) })));
    const [key, wait] = [...waits].filter(([, ms]) => ms > 5_000)[0] as [ObligationKey, number];
    expect(waitOf(await claim(db.pool, key, { now: at(1_500) }))).toBe(wait - 1_500);
    const fresh = await claim(db.pool, keys[59] as ObligationKey, { now: at(3_000) });
    expect(fresh).toMatchObject({ answer: 'not_yet', reason: 'rate' });
    expect(3_000 + waitOf(fresh)).toBeGreaterThanOrEqual(Math.max(...waits.values()));
    expect((await claim(db.pool, key, { now: at(wait) })).answer).toBe('go');
  });

  it('begins the lease at its moment, and reserves another for who asks again', async () => {
    const { keys } = await makeQueue(db.pool, 3, { ratePerSecond: 1, maxConcurrency: 9 }, at(0), {
      policy: { timeoutMs: 3_000 },
    });
    const [a, b, c] = keys as [ObligationKey, ObligationKey, ObligationKey];
    expect(await claimGo(db.pool, a, { now: at(0) })).toMatchObject({ startInMs: 0, leaseMs: 13_000 });
    const second = await claimGo(db.pool, b, { now: at(0), token: 'mine' });
    expect(second).toMatchObject({ startInMs: 1_000, leaseMs: 14_000 });
    const again = await claimGo(db.pool, b, { now: at(1_400), token: 'mine' });
    expect(again).toMatchObject({ attempt: second.attempt, startInMs: 600, leaseMs: 13_600 });
    expect(await claimGo(db.pool, c, { now: at(1_500) })).toMatchObject({ startInMs: 1_500 });
  });

  it('waits for a slot first: a refusal for concurrency takes no moment away', async () => {
    const { keys } = await makeQueue(db.pool, 3, { ratePerSecond: 2, maxConcurrency: 1 }, at(0));
    const [a, b, c] = keys as [ObligationKey, ObligationKey, ObligationKey];
    await claimGo(db.pool, a, { now: at(0) });
    expect(await claim(db.pool, b, { now: at(0) })).toMatchObject({ reason: 'concurrency' });
    await settle(db.pool, settlement(a, 1, 'delivered', { to: 'delivered' }), at(100));
    expect(await claimGo(db.pool, c, { now: at(100) })).toMatchObject({ startInMs: 400 });
  });

  it('tells whoever waits when its limit changes, at a pace that the new one can follow', async () => {
    const { keys, id } = await makeQueue(db.pool, 100, { ratePerSecond: 0.1, maxConcurrency: 9 }, at(0));
    for (const key of keys) await claim(db.pool, key, { now: at(0) });
    const nudged = async (): Promise<number> => {
      const { rows } = await db.pool.query<{ n: number }>(
        `SELECT count(*) AS n FROM waybill.outbox WHERE key = ANY ($1) AND message ->> 'signal' = 'recheck'`,
        [keys],
      );
      return rows[0]?.n ?? 0;
    };
    await adjustGate(db.pool, id, { ratePerSecond: 50 }, at(1_000));
    await letGoDue(db.pool, at(1_000));
    expect(await nudged()).toBe(20);
    for (let ms = 1_000; ms <= 6_000; ms += 100) {
      await db.admin.query(
        'UPDATE waybill.obligations SET slot_at = $1 WHERE key IN (SELECT key FROM waybill.outbox)',
        [at(ms)],
      ); // They ask, and the next page may follow.
      await letGoDue(db.pool, at(ms));
    }
    expect(await nudged()).toBe(99);
    expect((await claim(db.pool, keys[50] as ObligationKey, { now: at(6_000) })).answer).toBe('go');
  });
});

describe('after a resume', () => {
  const word = (requestId: string) => ({ actor: 'ann', reason: 'drill', requestId });

  it('of many the rate climbs from a tenth of the ramp to the whole, and ends with what was held', async () => {
    const { keys, id, account } = await makeQueue(db.pool, 200, { maxConcurrency: 20 }, at(0));
    const act = (verb: 'pause' | 'resume', requestId: string, ms: number) =>
      actOnSubscriber(db.pool, account, id, { verb, ...word(requestId) }, 'client', at(ms));
    await act('pause', '1', 0);
    expect(await claim(db.pool, keys[0] as ObligationKey, { now: at(10) })).toMatchObject({
      standing: { is: 'held', reason: 'subscriber_paused' },
    });
    const resumed = await act('resume', '2', 1_000);
    expect(resumed).toMatchObject({ changed: true, obligations: 200 });
    // 20 side by side, a second each: 20 a second, and so a ramp of 10.
    const moments: number[] = [];
    const told: { key: ObligationKey; ms: number }[] = [];
    for (let ms = 1_000; ms < 60_000; ms += 100) {
      await letGoDue(db.pool, at(ms));
      const { rows } = await db.pool.query<{ key: ObligationKey }>(
        'DELETE FROM waybill.outbox WHERE key = ANY ($1) RETURNING key',
        [keys],
      );
      told.push(...rows.map(({ key }) => ({ key, ms })));
      for (const due of told.filter((one) => one.ms <= ms)) {
        told.splice(told.indexOf(due), 1);
        const answer = await claim(db.pool, due.key, { now: at(ms) });
        const moment = started(answer, ms);
        if (moment === undefined) told.push({ key: due.key, ms: ms + waitOf(answer) });
        else {
          moments.push(moment);
          await settle(db.pool, settlement(due.key, 1, 'delivered', { to: 'delivered' }), at(moment + 5));
        }
      }
    }
    expect(moments).toHaveLength(200);
    const within = (fromMs: number, toMs: number) => moments.filter((m) => m >= fromMs && m < toMs).length;
    expect(within(1_000, 4_000)).toBeLessThanOrEqual(6);
    expect(within(10_000, 20_000)).toBeLessThanOrEqual(10 * 10 * 0.65);
    expect(mostInASecond(moments)).toBeLessThanOrEqual(11);
    const { rows } = await db.pool.query<{ ramp_until: Date | null }>(
      'SELECT ramp_until FROM waybill.gates WHERE subscriber_id = $1',
      [id],
    );
    expect(rows[0]?.ramp_until).toBeInstanceOf(Date);
  });

  it('of few there is no ramp, and a second pause ends the waking of many', async () => {
    const few = await makeQueue(db.pool, 3, { maxConcurrency: 5 }, at(0));
    const many = await makeQueue(db.pool, 50, { maxConcurrency: 5 }, at(0));
    const act = (queue: typeof few, verb: 'pause' | 'resume', requestId: string) =>
      actOnSubscriber(db.pool, queue.account, queue.id, { verb, ...word(requestId) }, 'client', at(0));
    for (const queue of [few, many]) {
      await act(queue, 'pause', '1');
      await act(queue, 'resume', '2');
      expect(await act(queue, 'resume', '2')).toMatchObject({ repeated: true });
    }
    for (const key of few.keys) expect((await claimGo(db.pool, key, { now: at(0) })).startInMs).toBeNull();
    await letGoDue(db.pool, at(0));
    await act(many, 'pause', '3');
    await letGoDue(db.pool, at(60_000));
    const { rows } = await db.pool.query('SELECT FROM waybill.wakes WHERE subscriber_id = $1', [many.id]);
    expect(rows).toHaveLength(0);
    for (const key of many.keys)
      expect((await claim(db.pool, key, { now: at(60_000) })).answer).toBe('not_yet');
  });
});
