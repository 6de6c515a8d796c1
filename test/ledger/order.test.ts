import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ObligationKey } from '../../src/contract.js';
import { actOnObligation } from '../../src/ledger/acts.js';
import { matchEvent } from '../../src/ledger/events.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { makeLane } from '../support/destinations.js';
import { claim, claimGo, settle, settlement } from '../support/obligations.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.drop());

const T0 = Date.parse('2026-11-30T12:00:00Z');
const at = (ms: number): Date => new Date(T0 + ms);
const act = (key: ObligationKey, verb: 'pause' | 'resume' | 'terminate' | 'redrive', ms: number) =>
  actOnObligation(
    db.pool,
    null,
    key,
    { verb, actor: 'ann', reason: 'drill', requestId: `${key} ${verb} ${ms}` },
    'client',
    at(ms),
  );
const delivered = (key: ObligationKey, ms: number, attempt = 1) =>
  settle(db.pool, settlement(key, attempt, 'delivered', { to: 'delivered' }), at(ms));
const failed = (key: ObligationKey, ms: number, attempt = 1, waitMs = 300_000) =>
  settle(db.pool, settlement(key, attempt, 'failed', { to: 'waiting', waitMs }), at(ms));
const dead = (key: ObligationKey, ms: number, attempt = 1) =>
  settle(db.pool, settlement(key, attempt, 'rejected', { to: 'dead', redriveWindowMs: 86_400_000 }), at(ms));
const dispositionOf = async (key: ObligationKey): Promise<string> => {
  const { rows } = await db.pool.query<{ disposition: string }>(
    'SELECT disposition FROM waybill.obligations WHERE key = $1',
    [key],
  );
  return rows[0]?.disposition ?? 'none';
};
const rechecks = async (key: ObligationKey): Promise<number> => {
  const { rows } = await db.pool.query<{ n: number }>(
    `SELECT count(*) AS n FROM waybill.outbox WHERE key = $1 AND message ->> 'signal' = 'recheck'`,
    [key],
  );
  return rows[0]?.n ?? 0;
};

describe('skip-stale', () => {
  it('ends an older version that waits when a newer one comes, and tells its workflow', async () => {
    const lane = await makeLane(db.pool, { order: 'skip-stale' }, at(0));
    const one = await lane.owe(1, at(0));
    await claimGo(db.pool, one, { now: at(0) });
    await failed(one, 10);
    const two = await lane.owe(2, at(1_000));
    expect(await dispositionOf(one)).toBe('superseded');
    expect(await rechecks(one)).toBe(1);
    expect((await claim(db.pool, one, { now: at(400_000), tryNumber: 2 })).answer).toBe('over');
    expect((await claim(db.pool, two, { now: at(1_000) })).answer).toBe('go');
  });

  it('ends one that is paused, and leaves gaps alone', async () => {
    const lane = await makeLane(db.pool, { order: 'skip-stale' }, at(0));
    const three = await lane.owe(3, at(0));
    await act(three, 'pause', 10);
    const nine = await lane.owe(9, at(20));
    expect(await dispositionOf(three)).toBe('superseded');
    expect((await claim(db.pool, nine, { now: at(20) })).answer).toBe('go');
  });

  it('lets a newer one wait while an older is on the wire; one that fails then is stale', async () => {
    const lane = await makeLane(db.pool, { order: 'skip-stale' }, at(0));
    const one = await lane.owe(1, at(0));
    await claimGo(db.pool, one, { now: at(0) });
    const two = await lane.owe(2, at(10));
    expect(await dispositionOf(one)).toBe('attempting');
    expect(await claim(db.pool, two, { now: at(20) })).toMatchObject({ answer: 'not_yet', reason: 'order' });
    await failed(one, 500);
    expect(await dispositionOf(one)).toBe('superseded');
    expect(await rechecks(two)).toBeGreaterThan(0);
    expect((await claim(db.pool, two, { now: at(501) })).answer).toBe('go');
  });

  it('never sends one that is published after a newer one', async () => {
    const lane = await makeLane(db.pool, { order: 'skip-stale' }, at(0));
    await claimGo(db.pool, await lane.owe(5, at(0)), { now: at(0) });
    const late = await lane.owe(4, at(10));
    expect(await claim(db.pool, late, { now: at(11) })).toMatchObject({
      answer: 'over',
      standing: { disposition: 'superseded' },
    });
  });

  it('takes no version for newer that a person ended before it was sent', async () => {
    const lane = await makeLane(db.pool, { order: 'skip-stale' }, at(0));
    const five = await lane.owe(5, at(0));
    await act(five, 'terminate', 10);
    expect((await claim(db.pool, await lane.owe(4, at(20)), { now: at(20) })).answer).toBe('go');
  });

  it('refuses to redrive a dead one that a newer one has replaced', async () => {
    const lane = await makeLane(db.pool, { order: 'skip-stale' }, at(0));
    const one = await lane.owe(1, at(0));
    await claimGo(db.pool, one, { now: at(0) });
    await dead(one, 10);
    await lane.owe(2, at(20));
    expect(await dispositionOf(one)).toBe('dead');
    const refused = await db.pool.query<{ code: string }>(
      `SELECT waybill.judge_redrive(o, $2) AS code FROM waybill.obligations o WHERE key = $1`,
      [one, at(30)],
    );
    expect(refused.rows).toEqual([{ code: 'superseded' }]);
  });
});

describe('serialize', () => {
  it('sends a version once the one before it has ended, whatever gaps there are', async () => {
    const lane = await makeLane(db.pool, { order: 'serialize' }, at(0));
    const two = await lane.owe(2, at(0));
    const seven = await lane.owe(7, at(0));
    expect(await claim(db.pool, seven, { now: at(0) })).toMatchObject({ answer: 'not_yet', reason: 'order' });
    expect(await claimGo(db.pool, two, { now: at(0) })).toMatchObject({ orderMark: null });
    await failed(two, 10);
    expect(await claim(db.pool, seven, { now: at(20) })).toMatchObject({ reason: 'order' });
    await claimGo(db.pool, two, { now: at(300_010), tryNumber: 2 });
    expect(await rechecks(seven)).toBe(0);
    await delivered(two, 300_020, 2);
    expect(await rechecks(seven)).toBe(1);
    expect(await claimGo(db.pool, seven, { now: at(300_030) })).toMatchObject({ orderMark: null });
  });

  it('waits for one that is published and not matched yet, and not for one that is not owed', async () => {
    const lane = await makeLane(db.pool, { order: 'serialize' }, at(0));
    const eventId = await lane.publish(1, at(0));
    const two = await lane.owe(2, at(10));
    expect(await claim(db.pool, two, { now: at(10) })).toMatchObject({
      reason: 'order',
      standing: { waitMs: 1_000 },
    });
    await matchEvent(db.pool, eventId, at(20));
    expect(await claim(db.pool, two, { now: at(30) })).toMatchObject({ reason: 'order' });
    await act(lane.key(1), 'terminate', 40);
    expect(await claimGo(db.pool, two, { now: at(50) })).toMatchObject({ orderMark: 'gap' });
  });

  it('moves on after the longest wait, marks the gap, and is not held up by what it left behind', async () => {
    const lane = await makeLane(db.pool, { order: 'serialize', orderWaitMs: 60_000 }, at(0));
    const one = await lane.owe(1, at(0));
    const two = await lane.owe(2, at(0));
    const three = await lane.owe(3, at(0));
    await act(one, 'pause', 10);
    expect(await claim(db.pool, two, { now: at(20_000) })).toMatchObject({
      reason: 'order',
      standing: { waitMs: 40_000 },
    });
    expect(await claimGo(db.pool, two, { now: at(60_000) })).toMatchObject({ orderMark: 'gap' });
    expect(await claim(db.pool, three, { now: at(60_001) })).toMatchObject({ reason: 'order' });
    await delivered(two, 60_010);
    expect(await claimGo(db.pool, three, { now: at(60_020) })).toMatchObject({ orderMark: null });
    await act(one, 'resume', 60_030);
    expect(await claim(db.pool, one, { now: at(60_040) })).toMatchObject({
      answer: 'not_yet',
      reason: 'order',
    });
    await delivered(three, 60_050);
    expect(await claimGo(db.pool, one, { now: at(60_060) })).toMatchObject({ orderMark: 'out-of-order' });
  });

  it('goes on past a dead version with the gap marked; redriven it goes out of order', async () => {
    const lane = await makeLane(db.pool, { order: 'serialize' }, at(0));
    const one = await lane.owe(1, at(0));
    const two = await lane.owe(2, at(0));
    await claimGo(db.pool, one, { now: at(0) });
    await dead(one, 10);
    expect(await rechecks(two)).toBe(1);
    expect(await claimGo(db.pool, two, { now: at(20) })).toMatchObject({ orderMark: 'gap' });
    await delivered(two, 30);
    const redriven = await claim(db.pool, one, { now: at(40), round: 1 });
    expect(redriven.answer).toBe('over');
  });

  it('marks a late older version, and never sends two of a lane side by side', async () => {
    const lane = await makeLane(db.pool, { order: 'serialize' }, at(0));
    const five = await lane.owe(5, at(0));
    await claimGo(db.pool, five, { now: at(0) });
    const four = await lane.owe(4, at(10));
    expect(await claim(db.pool, four, { now: at(20) })).toMatchObject({ reason: 'order' });
    await failed(five, 30);
    expect(await claimGo(db.pool, four, { now: at(40) })).toMatchObject({ orderMark: 'out-of-order' });
    expect(await claim(db.pool, five, { now: at(300_040), tryNumber: 2 })).toMatchObject({ answer: 'go' });
  });

  it('lets one of many at once through', async () => {
    const lane = await makeLane(db.pool, { order: 'serialize' }, at(0));
    const keys: ObligationKey[] = [];
    for (const version of [3, 1, 4, 2, 5]) keys.push(await lane.owe(version, at(0)));
    const answers = await Promise.all([...keys, ...keys].map((key) => claim(db.pool, key, { now: at(5) })));
    const gone = answers.filter(({ answer }) => answer === 'go');
    expect(gone).toMatchObject([{ event: { version: 1 } }]);
  });
});

it('without an order versions don’t wait for each other', async () => {
  const lane = await makeLane(db.pool, {}, at(0));
  const keys = [await lane.owe(2, at(0)), await lane.owe(1, at(0))];
  for (const key of keys)
    expect(await claimGo(db.pool, key, { now: at(0) })).toMatchObject({ orderMark: null });
});
