import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorClass, ObligationKey, Outcome } from '../../src/contract.js';
import { claimMany } from '../../src/ledger/claim.js';
import { healthOf } from '../../src/policy/health.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { makeQueue, type GateChange, type Queue } from '../support/destinations.js';
import { claim, claimGo, settle, settlement } from '../support/obligations.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.drop());

const T0 = Date.parse('2026-11-30T12:00:00Z');
const at = (ms: number): Date => new Date(T0 + ms);
const DAY_MS = 86_400_000;

function comesTo(key: ObligationKey, attempt: number, outcome: Outcome, cls: ErrorClass, ms: number) {
  const to = outcome === 'delivered' ? 'delivered' : outcome === 'rejected' ? 'dead' : 'waiting';
  const health = healthOf({ outcome, class: cls });
  const item = settlement(key, attempt, outcome, { to, waitMs: DAY_MS, health }, { class: cls });
  return settle(db.pool, item, at(ms));
}

async function sendNext(keys: ObligationKey[], outcome: Outcome, cls: ErrorClass, ms: number) {
  const key = keys.shift() as ObligationKey;
  const { attempt } = await claimGo(db.pool, key, { now: at(ms) });
  return comesTo(key, attempt, outcome, cls, ms);
}

/** Its breaker opens at the 31st second for 30 s. */
async function opened(gate: GateChange = { maxConcurrency: 4 }, straggler = false) {
  const queue = await makeQueue(db.pool, 30, gate, at(0), { policy: { timeoutMs: 120_000 } });
  const keys = [...queue.keys];
  const slow = straggler ? (keys.shift() as ObligationKey) : undefined;
  if (slow) await claimGo(db.pool, slow, { now: at(0) });
  for (let n = 0; n < 9; n += 1) await sendNext(keys, 'failed', 'server_error', n * 1_000);
  expect(await sendNext(keys, 'failed', 'timeout', 31_000)).toMatchObject({ said: 'breaker-opened' });
  return { queue, keys, slow };
}

async function stateOf({ id }: Queue) {
  const { rows } = await db.pool.query<{ until: Date | null; streak: number; paused: string | null }>(
    `SELECT breaker_until AS until, fault_streak AS streak, paused_reason AS paused
      FROM waybill.gates WHERE subscriber_id = $1`,
    [id],
  );
  return rows[0] as NonNullable<(typeof rows)[0]>;
}

describe('while a breaker is half open', () => {
  it('an end that says nothing frees the probe’s place where it was the probe’s own, and no other', async () => {
    const { keys, slow } = await opened({ maxConcurrency: 4 }, true);
    await claimGo(db.pool, keys.shift() as ObligationKey, { now: at(62_000) });
    await comesTo(slow as ObligationKey, 1, 'cancelled', 'own_fault', 63_000);
    expect(await claim(db.pool, keys[0] as ObligationKey, { now: at(64_000) })).toMatchObject({
      reason: 'breaker',
    });
  });

  it('one of a batch goes', async () => {
    const { keys } = await opened();
    const requests = keys.slice(0, 3).map((key) => ({ key, round: 0, tryNumber: 1 }));
    const answers = await claimMany(db.pool, requests, {
      worker: 't',
      leaseMarginMs: 1_000,
      now: at(61_000),
    });
    expect(answers.map(({ answer }) => answer)).toEqual(['go', 'not_yet', 'not_yet']);
  });

  it('one of many callers goes', async () => {
    const { keys } = await opened();
    const answers = await Promise.all(
      keys.slice(0, 12).map((key) => claim(db.pool, key, { now: at(61_000) })),
    );
    expect(answers.filter(({ answer }) => answer === 'go')).toHaveLength(1);
  });

  it('a probe whose worker died leaves its place with its lease', async () => {
    const { keys } = await opened();
    const probe = await claimGo(db.pool, keys.shift() as ObligationKey, { now: at(61_000) });
    const next = keys[0] as ObligationKey;
    expect(await claim(db.pool, next, { now: at(61_000 + probe.leaseMs - 1) })).toMatchObject({
      reason: 'breaker',
    });
    expect((await claim(db.pool, next, { now: at(61_000 + probe.leaseMs) })).answer).toBe('go');
  });

  it('a probe that is given another moment keeps its place as long as its lease', async () => {
    const { keys } = await opened({ maxConcurrency: 4, ratePerSecond: 1 });
    const probe = keys.shift() as ObligationKey;
    const first = await claimGo(db.pool, probe, { now: at(61_000), token: 'mine' });
    const again = await claimGo(db.pool, probe, { now: at(61_500), token: 'mine' });
    const endsMs = 61_500 + again.leaseMs;
    expect(endsMs).toBeGreaterThan(61_000 + first.leaseMs);
    expect(await claim(db.pool, keys[0] as ObligationKey, { now: at(endsMs - 1) })).toMatchObject({
      reason: 'breaker',
    });
  });

  it('each probe that fails doubles its time, up to a quarter of an hour', async () => {
    const { queue, keys } = await opened();
    let nowMs = 61_000;
    const openMs: number[] = [];
    for (let n = 0; n < 7; n += 1) {
      await sendNext(keys, 'failed', 'timeout', nowMs);
      const untilMs = ((await stateOf(queue)).until as Date).getTime() - T0;
      openMs.push(untilMs - nowMs);
      nowMs = untilMs;
    }
    expect(openMs).toEqual([60, 120, 240, 480, 900, 900, 900].map((s) => s * 1_000));
  });

  it('a 429 tells that it lives', async () => {
    const { queue, keys } = await opened();
    expect(await sendNext(keys, 'failed', 'throttled', 61_000)).toMatchObject({ said: 'breaker-closed' });
    expect(await stateOf(queue)).toMatchObject({ until: null, streak: 0 });
  });
});

it('a breaker stays closed for ten faults of one moment, however long ago the last delivery was', async () => {
  const queue = await makeQueue(db.pool, 30, { maxConcurrency: 40 }, at(0));
  const keys = [...queue.keys];
  await sendNext(keys, 'failed', 'reset', 0);
  await sendNext(keys, 'rejected', 'client_error', 3_600_000);
  for (let n = 1; n <= 12; n += 1) await sendNext(keys, 'failed', 'reset', 3_600_000 + n * 10);
  expect(await stateOf(queue)).toMatchObject({ until: null, streak: 12 });
  await sendNext(keys, 'failed', 'reset', 3_630_010);
  expect((await stateOf(queue)).until).not.toBeNull();
});

it('a subscriber whose policy says 0 is never paused for failing', async () => {
  const queue = await makeQueue(db.pool, 3, { maxConcurrency: 4 }, at(0));
  await db.admin.query(
    `UPDATE waybill.subscribers SET policy = policy || '{"pauseAfterMs": 0}' WHERE id = $1`,
    [queue.id],
  );
  const keys = [...queue.keys];
  await sendNext(keys, 'failed', 'timeout', 0);
  await sendNext(keys, 'failed', 'timeout', 25 * DAY_MS);
  expect((await stateOf(queue)).paused).toBeNull();
});
