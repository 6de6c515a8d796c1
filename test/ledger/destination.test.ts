import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ObligationKey, SubscriberId } from '../../src/contract.js';
import { obligationKey } from '../../src/contract.js';
import { acceptEvent } from '../../src/intake/publish.js';
import { actOnSubscriber } from '../../src/ledger/acts.js';
import { claimMany } from '../../src/ledger/claim.js';
import { matchEvent } from '../../src/ledger/events.js';
import { letGoDue } from '../../src/ledger/wakes.js';
import { settleMany } from '../../src/ledger/settle.js';
import { findSubscriber } from '../../src/ledger/subscribers.js';
import { findObligations } from '../../src/ledger/trace.js';
import { updateSubscriber } from '../../src/operate/subscribers.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { claim, claimGo, desk, makeObligations, settle, settlement } from '../support/obligations.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.drop());

const T0 = new Date('2026-11-30T12:00:00Z');
const at = (ms: number): Date => new Date(T0.getTime() + ms);
const word = (requestId: string) => ({ actor: 'ann', reason: 'drill', requestId });
const GONE = { class: 'gone', status: 410 } as const;

/** Several obligations of one subscriber. */
async function queueOf(
  count: number,
  subscriber: Parameters<typeof makeObligations>[2] = {},
): Promise<{ account: string; id: SubscriberId; keys: ObligationKey[] }> {
  const { account, subscribers } = await makeObligations(db.pool, 1, subscriber, { now: T0 });
  const id = subscribers[0] as SubscriberId;
  const keys: ObligationKey[] = [];
  for (let i = 0; i < count; i += 1) {
    const shipment = `queue ${i}`;
    const { eventId } = await acceptEvent(
      db.pool,
      { account, shipment, version: 1, type: 'shipment.late', payload: '{}' },
      { now: T0 },
    );
    await matchEvent(db.pool, eventId, T0);
    keys.push(obligationKey(shipment, id, 1));
  }
  return { account, id, keys };
}

const throttled = (key: ObligationKey, coolMs: number, status = 429) =>
  settlement(
    key,
    1,
    'failed',
    { to: 'waiting', waitMs: 300_000, coolMs },
    { class: status === 429 ? 'throttled' : 'server_error', status, tookMs: 1_000 },
  );

async function subscriberOf(account: string, id: SubscriberId) {
  const found = await findSubscriber(db.pool, account, id);
  if (!found) throw new Error('no such subscriber');
  return found;
}

describe('a receiver that answered 410', () => {
  it('ends that obligation, holds the others, keeps what is in flight, and audits it', async () => {
    const { account, id, keys } = await queueOf(14);
    const inFlight = keys.slice(0, 11);
    for (const key of inFlight) await claimGo(db.pool, key, { now: T0 });
    const [first, ...others] = inFlight as [ObligationKey, ...ObligationKey[]];
    // One statement settles the 410 and a delivery beside it: neither spoils the other.
    const [gone, beside] = await settleMany(
      db.pool,
      [
        settlement(first, 1, 'rejected', { to: 'dead' }, GONE),
        settlement(others[0] as ObligationKey, 1, 'delivered', { to: 'delivered' }),
      ],
      { worker: 'test', now: at(1_000) },
    );
    expect(gone).toMatchObject({ answer: 'settled', standing: { disposition: 'dead', class: 'gone' } });
    expect(beside).toMatchObject({ standing: { disposition: 'delivered' } });
    for (const key of others.slice(1)) {
      const settled = settlement(key, 1, 'delivered', { to: 'delivered' });
      expect(await settle(db.pool, settled, at(2_000))).toMatchObject({
        standing: { disposition: 'delivered' },
      });
    }
    for (const key of keys.slice(11)) {
      expect(await claim(db.pool, key, { now: at(1_000) })).toMatchObject({
        answer: 'not_yet',
        standing: { is: 'held', reason: 'subscriber_gone' },
      });
    }
    const reason = 'gone: the receiver answered 410 at 2026-11-30T12:00:01Z';
    expect(await subscriberOf(account, id)).toMatchObject({
      goneAt: at(1_000),
      paused: { by: 'system', reason },
    });
    const [held] = await findObligations(db.pool, { account, key: keys[12] as string, limit: 1 });
    expect(held).toMatchObject({ disposition: 'held', heldReason: 'subscriber_gone', heldBy: 'system' });
    const { rows } = await db.admin.query(
      `SELECT act, actor, reason, key FROM waybill.audit WHERE subscriber_id = $1 AND act LIKE 'subscriber%' ORDER BY id`,
      [id],
    );
    expect(rows.slice(1)).toEqual([{ act: 'subscriber gone', actor: 'system', reason, key: first }]);
  });

  it('receives again after a resume, and an answer from before it does not undo that', async () => {
    const { account, id, keys } = await queueOf(3);
    const [a, b, c] = keys as [ObligationKey, ObligationKey, ObligationKey];
    for (const key of [a, b]) await claimGo(db.pool, key, { now: T0 });
    await settle(db.pool, settlement(a, 1, 'rejected', { to: 'dead' }, GONE), at(1_000));
    const resumed = await actOnSubscriber(
      ...([db.pool, account, id, { verb: 'resume', ...word('r1') }, 'client', at(2_000)] as const),
    );
    expect(resumed).toMatchObject({ ok: true, changed: true });
    await settle(db.pool, settlement(b, 1, 'rejected', { to: 'dead' }, GONE), at(3_000));
    expect(await subscriberOf(account, id)).toMatchObject({ goneAt: null, paused: null });
    await claimGo(db.pool, c, { now: at(4_000) });
    await settle(db.pool, settlement(c, 1, 'rejected', { to: 'dead' }, GONE), at(5_000));
    expect((await subscriberOf(account, id)).goneAt).toEqual(at(5_000));
  });

  it('of an older URL does not disable the new one', async () => {
    const { account, id, keys } = await queueOf(1);
    const key = keys[0] as ObligationKey;
    await claimGo(db.pool, key, { now: T0 });
    await updateSubscriber(desk(db.pool, account, at(500)), id, { url: 'https://localhost:2/y' }, 'ann');
    await settle(db.pool, settlement(key, 1, 'rejected', { to: 'dead' }, GONE), at(1_000));
    expect(await subscriberOf(account, id)).toMatchObject({ goneAt: null, paused: null });
  });

  it('tells who had paused it before', async () => {
    const { account, id, keys } = await queueOf(1);
    const key = keys[0] as ObligationKey;
    await claimGo(db.pool, key, { now: T0 });
    await actOnSubscriber(
      ...([db.pool, account, id, { verb: 'pause', ...word('p1') }, 'client', at(500)] as const),
    );
    await settle(db.pool, settlement(key, 1, 'rejected', { to: 'dead' }, GONE), at(1_000));
    expect((await subscriberOf(account, id)).paused?.reason).toMatch(
      /410 at .*; paused before by ann: drill$/,
    );
  });

  it('is another matter than a 404', async () => {
    const { account, id, keys } = await queueOf(1);
    const key = keys[0] as ObligationKey;
    await claimGo(db.pool, key, { now: T0 });
    await settle(db.pool, settlement(key, 1, 'rejected', { to: 'dead' }, { status: 404 }), at(1_000));
    expect(await subscriberOf(account, id)).toMatchObject({ goneAt: null, paused: null });
  });
});

describe('a receiver that asked to be left in peace', () => {
  it('gets nothing until then, uses no try, and the others wait in line behind it', async () => {
    const { keys } = await queueOf(4, { maxConcurrency: 1 });
    const [first, ...others] = keys as [ObligationKey, ...ObligationKey[]];
    await claimGo(db.pool, first, { now: T0 });
    await settle(db.pool, throttled(first, 30_000), T0);
    const answers = await claimMany(
      db.pool,
      others.map((key) => ({ key, round: 0, tryNumber: 1 })),
      { worker: 'test', leaseMarginMs: 1_000, now: at(1_000) },
    );
    const waits = answers.map((answer) => {
      expect(answer).toMatchObject({
        answer: 'not_yet',
        standing: { is: 'waiting', reason: 'cooling-down', tries: 0, attempts: 0 },
      });
      return (answer as { standing: { waitMs: number } }).standing.waitMs;
    });
    // avg_send_ms is 1000 at first, and one is sent at a time: a place a second.
    expect(waits).toEqual([30_000, 31_000, 32_000]);
    expect(await claim(db.pool, others[0] as ObligationKey, { now: at(29_999) })).toMatchObject({
      answer: 'not_yet',
    });
    expect((await claim(db.pool, others[0] as ObligationKey, { now: at(30_000) })).answer).toBe('go');
  });

  it('spreads a long line ever wider while it goes on asking, so that draining it costs few claims', async () => {
    const { keys } = await queueOf(9, { maxConcurrency: 16 });
    const [key, ...others] = keys as [ObligationKey, ...ObligationKey[]];
    const waits: number[] = [];
    let now = 0;
    for (let n = 1; n <= 4; n += 1) {
      await claimGo(db.pool, key, { now: at(now), tryNumber: n });
      await settle(
        db.pool,
        {
          ...throttled(key, 30_000),
          attempt: n,
          next: { to: 'waiting', waitMs: 0, coolMs: 30_000, redriveWindowMs: 0 },
        },
        at(now),
      );
      const place = async () =>
        (
          (await claim(db.pool, others.pop() as ObligationKey, { now: at(now) })) as {
            standing: { waitMs: number };
          }
        ).standing.waitMs;
      const before = await place();
      waits.push((await place()) - before);
      now += 40_000;
    }
    // A step is what one send takes, doubled with each cool-down in a row.
    for (const [i, wait] of waits.entries()) expect(wait / (waits[0] as number)).toBeCloseTo(2 ** i, 0);
  });

  it('never waits longer than the validity has left, and says when the wait is longer', async () => {
    const { account, keys } = await queueOf(2, { policy: { validityMs: 60_000 } });
    const [first, other] = keys as [ObligationKey, ObligationKey];
    await claimGo(db.pool, first, { now: T0 });
    await settle(db.pool, throttled(first, 3_600_000), T0);
    expect(await claim(db.pool, other, { now: at(10_000) })).toMatchObject({
      standing: { reason: 'cooling-down', waitMs: 50_000 },
    });
    expect(await claim(db.pool, other, { now: at(60_000) })).toMatchObject({
      answer: 'over',
      standing: { disposition: 'expired', attempts: 0 },
    });
    expect(account).not.toBe('');
  });

  it('is bounded by 30 days, keeps the longer of two waits, and a new URL is free of it', async () => {
    const { account, id, keys } = await queueOf(3);
    const [a, b, c] = keys as [ObligationKey, ObligationKey, ObligationKey];
    for (const key of [a, b]) await claimGo(db.pool, key, { now: T0 });
    await settle(db.pool, throttled(a, 999 * 86_400_000, 503), T0);
    await settle(db.pool, throttled(b, 1_000), T0);
    const { rows } = await db.admin.query(
      'SELECT cool_until, cool_status FROM waybill.gates WHERE subscriber_id = $1',
      [id],
    );
    expect(rows).toEqual([{ cool_until: at(30 * 86_400_000), cool_status: 503 }]);
    expect((await claim(db.pool, c, { now: at(5_000) })).answer).toBe('not_yet');
    await updateSubscriber(desk(db.pool, account, at(6_000)), id, { url: 'https://localhost:2/y' }, 'ann');
    expect((await claim(db.pool, c, { now: at(7_000) })).answer).toBe('go');
  });

  it('outlives a pause, and a resume of what is not paused ends it', async () => {
    const { account, id, keys } = await queueOf(2);
    const [a, b] = keys as [ObligationKey, ObligationKey];
    await claimGo(db.pool, a, { now: T0 });
    await settle(db.pool, throttled(a, 600_000), T0);
    const act = (verb: 'pause' | 'resume', requestId: string) =>
      actOnSubscriber(db.pool, account, id, { verb, ...word(requestId) }, 'client', at(1_000));
    await act('pause', '1');
    await act('resume', '2');
    expect((await claim(db.pool, b, { now: at(2_000) })).answer).toBe('not_yet');
    expect(await act('resume', '3')).toMatchObject({ changed: true, obligations: 2 });
    expect((await claim(db.pool, b, { now: at(2_000) })).answer).toBe('go');
  });

  it('and moves to another URL has what waits for it woken, as a resume does', async () => {
    const { account, id, keys } = await queueOf(3);
    const [first, ...others] = keys as [ObligationKey, ...ObligationKey[]];
    await claimGo(db.pool, first, { now: T0 });
    await settle(db.pool, throttled(first, 14 * 86_400_000), T0);
    for (const key of others) expect((await claim(db.pool, key, { now: at(1_000) })).answer).toBe('not_yet');
    const change = (ms: number, url: string) =>
      updateSubscriber(desk(db.pool, account, at(ms)), id, { url }, 'ann');
    const woken = async () =>
      (
        await db.admin.query<{ key: string }>(
          `SELECT key FROM waybill.outbox WHERE key = ANY ($1) AND message ->> 'signal' = 'recheck' ORDER BY key`,
          [keys],
        )
      ).rows.map((row) => row.key);
    await updateSubscriber(desk(db.pool, account, at(2_000)), id, { maxConcurrency: 3 }, 'ann');
    expect(await woken()).toEqual([]);
    expect((await subscriberOf(account, id)).maxConcurrency).toBe(3);
    await change(2_000, 'https://localhost:2/y');
    await letGoDue(db.pool, at(2_000));
    // The one that heard the answer keeps its own time.
    expect(await woken()).toEqual([...others].sort());
    await change(3_000, 'https://localhost:3/z');
    await letGoDue(db.pool, at(3_000));
    expect(await woken()).toHaveLength(others.length);
    expect((await subscriberOf(account, id)).maxConcurrency).toBe(3);
  });

  it('and has been resumed already says that nothing changed', async () => {
    const { account, id } = await queueOf(1);
    const resumed = await actOnSubscriber(
      ...([db.pool, account, id, { verb: 'resume', ...word('n1') }, 'client', T0] as const),
    );
    expect(resumed).toMatchObject({ ok: true, changed: false, obligations: 0 });
    const { rows } = await db.admin.query(
      `SELECT detail FROM waybill.audit WHERE subscriber_id = $1 AND act = 'subscriber resume'`,
      [id],
    );
    expect(rows).toEqual([{ detail: { changed: false, obligations: 0 } }]);
  });

  it('is nobody else’s matter', async () => {
    const { keys } = await makeObligations(db.pool, 2);
    const [a, b] = keys as [ObligationKey, ObligationKey];
    await claimGo(db.pool, a);
    await settle(db.pool, throttled(a, 600_000));
    expect((await claim(db.pool, b)).answer).toBe('go');
  });
});

it('two changes at once never leave two authorizations behind', async () => {
  const two = { code: 'invalid_field', field: 'headers.authorization' };
  for (let round = 0; round < 5; round += 1) {
    const { account, id } = await queueOf(1);
    const change = (what: Parameters<typeof updateSubscriber>[2]) =>
      updateSubscriber(desk(db.pool, account), id, what, 'ann');
    const ended = await Promise.allSettled([
      change({ headers: { authorization: 'ApiKey 1' } }),
      change({ auth: { type: 'bearer', token: 't' } }),
    ]);
    const refused = ended.filter((one) => one.status === 'rejected');
    expect(refused).toMatchObject([{ reason: two }]);
    const { headers, auth } = await subscriberOf(account, id);
    expect([Object.keys(headers).length, auth === null ? 0 : 1].sort()).toEqual([0, 1]);
    // In one change one may take the other's place.
    await change({ headers: {}, auth: { type: 'bearer', token: 't' } });
    await change({ headers: { authorization: 'ApiKey 1' }, auth: null });
    await expect(change({ auth: { type: 'bearer', token: 't' } })).rejects.toMatchObject(two);
  }
});
