import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorClass, ObligationKey, Outcome } from '../../src/contract.js';
import { actOnSubscriber } from '../../src/ledger/acts.js';
import { healthOf } from '../../src/policy/health.js';
import { updateSubscriber } from '../../src/operate/subscribers.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { makeQueue, type Queue } from '../support/destinations.js';
import { claim, claimGo, desk, settle, settlement } from '../support/obligations.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.drop());

const T0 = Date.parse('2026-11-30T12:00:00Z');
const at = (ms: number): Date => new Date(T0 + ms);

/** The next obligation of the queue is sent and comes to this. */
function player(queue: Queue) {
  const left = [...queue.keys];
  return {
    left,
    async comesTo(outcome: Outcome, cls: ErrorClass, ms: number) {
      const key = left.shift() as ObligationKey;
      const go = await claimGo(db.pool, key, { now: at(ms) });
      return answers(key, go.attempt, outcome, cls, ms);
    },
  };
}

function answers(key: ObligationKey, attempt: number, outcome: Outcome, cls: ErrorClass, ms: number) {
  const to = outcome === 'delivered' ? 'delivered' : outcome === 'rejected' ? 'dead' : 'waiting';
  const health = healthOf({ outcome, class: cls });
  const item = settlement(key, attempt, outcome, { to, waitMs: 3_600_000, health }, { class: cls });
  return settle(db.pool, item, at(ms));
}

const breakerOf = async (queue: Queue) => {
  const { rows } = await db.pool.query<{
    until: Date | null;
    streak: number;
    since: Date | null;
    paused: string | null;
  }>(
    `SELECT breaker_until AS until, fault_streak AS streak, failing_since AS since, paused_reason AS paused
      FROM waybill.gates WHERE subscriber_id = $1`,
    [queue.id],
  );
  return rows[0] as NonNullable<(typeof rows)[0]>;
};

/** Ten faults over half a minute: the breaker opens at the 31st second for 30 s. */
async function opened(count = 20): Promise<{ queue: Queue; play: ReturnType<typeof player> }> {
  const queue = await makeQueue(db.pool, count, { maxConcurrency: 4 }, at(0));
  const play = player(queue);
  for (let n = 0; n < 9; n += 1) await play.comesTo('failed', 'server_error', n * 1_000);
  expect(await play.comesTo('failed', 'timeout', 31_000)).toMatchObject({ said: 'breaker-opened' });
  return { queue, play };
}

describe('a breaker', () => {
  it('opens by ten faults in a row over half a minute, and then lets nobody through', async () => {
    const { queue, play } = await opened();
    expect(await claim(db.pool, play.left[0] as ObligationKey, { now: at(32_000) })).toMatchObject({
      answer: 'not_yet',
      standing: { is: 'waiting', reason: 'breaker', tries: 0, attempts: 0 },
    });
    expect((await breakerOf(queue)).until).toEqual(at(61_000));
  });

  it('stays closed for faults that come within a moment, or with an answer between them', async () => {
    const queue = await makeQueue(db.pool, 40, { maxConcurrency: 40 }, at(0));
    const play = player(queue);
    for (let n = 0; n < 15; n += 1) await play.comesTo('failed', 'reset', n);
    expect((await breakerOf(queue)).until).toBeNull();
    await play.comesTo('rejected', 'client_error', 40_000);
    for (let n = 0; n < 9; n += 1) await play.comesTo('failed', 'reset', 41_000 + n);
    expect((await breakerOf(queue)).until).toBeNull();
    await play.comesTo('failed', 'reset', 42_000);
    expect((await breakerOf(queue)).until).toBeNull();
    await play.comesTo('failed', 'reset', 71_000);
    expect((await breakerOf(queue)).until).not.toBeNull();
  });

  it('is never opened by a 429 or by what is ours', async () => {
    const queue = await makeQueue(db.pool, 40, { maxConcurrency: 40 }, at(0));
    const play = player(queue);
    for (let n = 0; n < 30; n += 1) {
      const [outcome, cls] = (
        [
          ['failed', 'throttled'],
          ['cancelled', 'own_fault'],
          ['unknown', 'shutdown'],
        ] as const
      )[n % 3] as [Outcome, ErrorClass];
      await play.comesTo(outcome, cls, n * 5_000);
    }
    expect(await breakerOf(queue)).toMatchObject({ until: null, streak: 0 });
  });

  it('half open lets one through; a fault doubles its time, an answer closes it and wakes who waits', async () => {
    const { queue, play } = await opened();
    const probe = play.left.shift() as ObligationKey;
    const { attempt } = await claimGo(db.pool, probe, { now: at(61_000) });
    const other = play.left[0] as ObligationKey;
    expect(await claim(db.pool, other, { now: at(61_000) })).toMatchObject({ reason: 'breaker' });
    await answers(probe, attempt, 'failed', 'timeout', 65_000);
    expect((await breakerOf(queue)).until).toEqual(at(125_000));
    expect(await claim(db.pool, other, { now: at(124_000) })).toMatchObject({ reason: 'breaker' });
    expect(await play.comesTo('delivered', 'success', 126_000)).toMatchObject({ said: 'breaker-closed' });
    expect(await breakerOf(queue)).toMatchObject({ until: null, streak: 0, since: null });
    const { rows } = await db.pool.query('SELECT FROM waybill.wakes WHERE subscriber_id = $1', [queue.id]);
    expect(rows).toHaveLength(1);
    expect((await claim(db.pool, play.left[0] as ObligationKey, { now: at(126_000) })).answer).toBe('go');
  });

  it('leaves the place of a probe that told nothing to the next', async () => {
    const { play } = await opened();
    await play.comesTo('cancelled', 'own_fault', 61_000);
    expect((await claim(db.pool, play.left[0] as ObligationKey, { now: at(61_500) })).answer).toBe('go');
  });

  it('heeds no answer from a URL that holds no more, and is closed by a new one and by a resume', async () => {
    const { queue, play } = await opened();
    await updateSubscriber(
      desk(db.pool, queue.account, at(40_000)),
      queue.id,
      { url: 'https://localhost:2/y' },
      'ann',
    );
    expect(await breakerOf(queue)).toMatchObject({ until: null, streak: 0, since: null });
    const old = play.left.shift() as ObligationKey;
    const { attempt } = await claimGo(db.pool, old, { now: at(41_000) });
    await updateSubscriber(
      desk(db.pool, queue.account, at(42_000)),
      queue.id,
      { url: 'https://localhost:3/y' },
      'ann',
    );
    await answers(old, attempt, 'failed', 'timeout', 43_000);
    expect(await breakerOf(queue)).toMatchObject({ streak: 0, since: null });

    const again = await opened();
    const word = { verb: 'resume', actor: 'ann', reason: 'mended', requestId: 'r' } as const;
    const resumed = await actOnSubscriber(
      db.pool,
      again.queue.account,
      again.queue.id,
      word,
      'client',
      at(40_000),
    );
    expect(resumed).toMatchObject({ ok: true, changed: true });
    expect((await claim(db.pool, again.play.left[0] as ObligationKey, { now: at(40_000) })).answer).toBe(
      'go',
    );
  });
});

describe('days of failing', () => {
  const DAY_MS = 86_400_000;

  it('pause the subscriber by the system, on record, and not again right after a resume', async () => {
    const queue = await makeQueue(db.pool, 9, { maxConcurrency: 4 }, at(0));
    const play = player(queue);
    await play.comesTo('failed', 'timeout', 0);
    expect(await play.comesTo('failed', 'timeout', 14 * DAY_MS - 1)).not.toMatchObject({
      said: 'failing-paused',
    });
    expect(await play.comesTo('failed', 'timeout', 14 * DAY_MS)).toMatchObject({ said: 'failing-paused' });
    expect((await breakerOf(queue)).paused).toBe('failing: nothing delivered since 2026-11-30T12:00:00Z');
    const { rows } = await db.pool.query(
      `SELECT act, actor FROM waybill.audit WHERE subscriber_id = $1 AND act = 'subscriber pause'`,
      [queue.id],
    );
    expect(rows).toEqual([{ act: 'subscriber pause', actor: 'system' }]);
    const word = { verb: 'resume', actor: 'ann', reason: 'mended', requestId: 'r' } as const;
    await actOnSubscriber(db.pool, queue.account, queue.id, word, 'client', at(15 * DAY_MS));
    await play.comesTo('failed', 'timeout', 15 * DAY_MS + 1);
    expect((await breakerOf(queue)).paused).toBeNull();
  });

  it('count from the first fault after a delivery', async () => {
    const queue = await makeQueue(db.pool, 9, { maxConcurrency: 4 }, at(0));
    const play = player(queue);
    await play.comesTo('failed', 'timeout', 0);
    await play.comesTo('delivered', 'success', 10 * DAY_MS);
    await play.comesTo('failed', 'timeout', 11 * DAY_MS);
    await play.comesTo('failed', 'timeout', 16 * DAY_MS);
    expect(await breakerOf(queue)).toMatchObject({ paused: null, since: at(11 * DAY_MS) });
  });
});
