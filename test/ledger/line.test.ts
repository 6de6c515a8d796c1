import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ObligationKey } from '../../src/contract.js';
import { claimMany, type ClaimAnswer } from '../../src/ledger/claim.js';
import { letGoDue } from '../../src/ledger/wakes.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { adjustGate, makeQueue } from '../support/destinations.js';
import { claim, claimGo, settle, settlement } from '../support/obligations.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.drop());

const T0 = Date.parse('2026-11-30T12:00:00Z');
const at = (ms: number): Date => new Date(T0 + ms);
const MINUTE_MS = 60_000;
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

/**
 * Plays the clock: each asks when it was told to, a batch at a time as workers do. What is granted is delivered a moment
 * after it began.
 */
async function play(asking: Map<ObligationKey, number>, lateness: (toldMs: number) => number = (ms) => ms) {
  const moments: number[] = [];
  let claims = 0;
  while (asking.size > 0) {
    const nowMs = Math.min(...asking.values());
    const due = [...asking].filter(([, ms]) => ms <= nowMs + 100).map(([key]) => key);
    const batch = due.slice(0, 50);
    const requests = batch.map((key) => ({ key, round: 0, tryNumber: 1 }));
    const answers = await claimMany(db.pool, requests, { worker: 't', leaseMarginMs: 1_000, now: at(nowMs) });
    claims += batch.length;
    for (const [i, key] of batch.entries()) {
      const answer = answers[i] as ClaimAnswer;
      if (answer.answer !== 'go') {
        asking.set(key, lateness(nowMs + waitOf(answer)));
        continue;
      }
      asking.delete(key);
      moments.push(nowMs + (answer.startInMs ?? 0));
      await settle(db.pool, settlement(key, 1, 'delivered', { to: 'delivered' }), at(nowMs + 5));
    }
  }
  return { moments, claims };
}

describe('a line', () => {
  it('of a thousand costs two claims each, and no second holds more than the rate and one', async () => {
    const { keys } = await makeQueue(db.pool, 1_000, { ratePerSecond: 50, maxConcurrency: 1_000 }, at(0));
    const { moments, claims } = await play(new Map(keys.map((key) => [key, 0])));
    expect(moments).toHaveLength(1_000);
    expect(mostInASecond(moments)).toBeLessThanOrEqual(51);
    expect(claims).toBeLessThanOrEqual(2 * 1_000);
  });

  it('that many come late to, after a long outage, still costs a few claims each', async () => {
    const { keys } = await makeQueue(db.pool, 300, { ratePerSecond: 0.2, maxConcurrency: 1_000 }, at(0));
    const endMs = 12 * MINUTE_MS;
    const outage = (ms: number) => (ms > 5_000 && ms < endMs ? endMs : ms);
    const { moments, claims } = await play(new Map(keys.map((key) => [key, 0])), outage);
    expect(moments).toHaveLength(300);
    expect(mostInASecond(moments)).toBe(1);
    expect(claims).toBeLessThan(6 * 300);
    expect(Math.max(...moments)).toBeLessThan(endMs + (300 / 0.2) * 1_000 * 1.2);
  });

  it('that is longer than it may be doesn’t send its end to ask at one moment', async () => {
    const { keys, id } = await makeQueue(db.pool, 400, { maxConcurrency: 1 }, at(0));
    await db.admin.query(
      `UPDATE waybill.gates SET avg_send_ms = 30000, breaker_until = $2 WHERE subscriber_id = $1`,
      [id, at(30_000)],
    );
    const told = [];
    for (const key of keys)
      told.push(30 * Math.ceil(waitOf(await claim(db.pool, key, { now: at(0) })) / 30_000));
    const most = Math.max(...told.map((s) => told.filter((other) => other === s).length));
    expect(most).toBeLessThan(80);
    expect(Math.max(...told)).toBeLessThanOrEqual(630);
  });
});

describe('a limit', () => {
  it('that is taken away, or lowered, reaches who waits', async () => {
    const { keys, id } = await makeQueue(db.pool, 40, { ratePerSecond: 1, maxConcurrency: 100 }, at(0));
    for (const key of keys) await claim(db.pool, key, { now: at(0) });
    const last = keys[39] as ObligationKey;
    await adjustGate(db.pool, id, { ratePerSecond: null }, at(1_000));
    for (let ms = 1_000; ms <= 3_000; ms += 250) await letGoDue(db.pool, at(ms));
    const { rows } = await db.pool.query('SELECT DISTINCT key FROM waybill.outbox WHERE key = ANY ($1)', [
      keys,
    ]);
    expect(rows).toHaveLength(37);
    expect((await claimGo(db.pool, last, { now: at(3_000) })).startInMs).toBeNull();

    const slower = await makeQueue(db.pool, 40, { ratePerSecond: 20, maxConcurrency: 100 }, at(0));
    const moments: number[] = [];
    for (const key of slower.keys.slice(0, 20)) {
      const answer = await claim(db.pool, key, { now: at(0) });
      if (answer.answer === 'go') moments.push(answer.startInMs ?? 0);
    }
    await adjustGate(db.pool, slower.id, { ratePerSecond: 0.5 }, at(1_000));
    const asking = new Map(slower.keys.slice(20).map((key) => [key, 1_000]));
    const after = await play(asking);
    expect(mostInASecond([...moments, ...after.moments].filter((ms) => ms > 2_000))).toBe(1);
    expect(Math.max(...after.moments)).toBeLessThan(60_000);
  });

  it('of several destinations of one batch is each its own', async () => {
    const one = await makeQueue(db.pool, 3, { ratePerSecond: 1, maxConcurrency: 9 }, at(0));
    const two = await makeQueue(db.pool, 3, { ratePerSecond: 4, maxConcurrency: 9 }, at(0));
    const keys = one.keys.flatMap((key, i) => [key, two.keys[i] as ObligationKey]);
    const requests = keys.map((key) => ({ key, round: 0, tryNumber: 1 }));
    const answers = await claimMany(db.pool, requests, { worker: 't', leaseMarginMs: 1_000, now: at(0) });
    expect(answers.map((answer) => (answer.answer === 'go' ? answer.startInMs : null))).toEqual([
      0, 0, 1_000, 250, 2_000, 500,
    ]);
  });

  it('and a cap hold together over many callers at once', async () => {
    const { keys } = await makeQueue(db.pool, 60, { ratePerSecond: 100, maxConcurrency: 8 }, at(0));
    const answers = await Promise.all(keys.map((key) => claim(db.pool, key, { now: at(0) })));
    const moments = answers.flatMap((answer) => (answer.answer === 'go' ? [answer.startInMs ?? 0] : []));
    expect(moments.sort((a, b) => a - b)).toEqual([0, 10, 20, 30, 40, 50, 60, 70]);
  });

  it('gives whoever asks again under its token time for its request, however often it asks', async () => {
    const { keys } = await makeQueue(db.pool, 1, { ratePerSecond: 2, maxConcurrency: 9 }, at(0), {
      policy: { timeoutMs: 3_000 },
    });
    const key = keys[0] as ObligationKey;
    const options = { token: 'mine', leaseMarginMs: 10_000 };
    for (let n = 0; n < 20; n += 1) {
      const go = await claimGo(db.pool, key, { ...options, now: at(n) });
      expect(go.attempt).toBe(1);
      expect(go.leaseMs).toBeLessThanOrEqual((go.startInMs as number) + 13_000);
    }
  });
});

it('an older worker gets no lease where there is a rate, a ramp or an order, and uses nothing up', async () => {
  for (const gate of [{ ratePerSecond: 5 }, { order: 'serialize' }, { order: 'skip-stale' }] as const) {
    const { keys, id } = await makeQueue(db.pool, 1, gate, at(0));
    const { rows } = await db.pool.query<{ answer: ClaimAnswer }>(
      `SELECT answer FROM waybill.claim(ARRAY[$1::text], ARRAY[0], ARRAY[1], ARRAY[null::text], 'old', 1000, $2, ARRAY['t'], true)`,
      [keys[0], at(0)],
    );
    expect(rows[0]?.answer).toMatchObject({
      answer: 'not_yet',
      standing: { reason: 'worker-too-old', attempts: 0, tries: 0 },
    });
    await adjustGate(db.pool, id, { ratePerSecond: null, order: 'none' }, at(1));
    await claimGo(db.pool, keys[0] as ObligationKey, { now: at(2) });
  }
});
