import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type pg from 'pg';
import type { ObligationKey } from '../../src/contract.js';
import { actOnObligation, actOnSubscriber } from '../../src/ledger/acts.js';
import { claimMany } from '../../src/ledger/claim.js';
import { matchEvent } from '../../src/ledger/events.js';
import { acceptEvent } from '../../src/intake/publish.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { makeLane, type Lane } from '../support/destinations.js';
import { claim, claimGo, settle, settlement } from '../support/obligations.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await freshDatabase();
});
beforeEach(() => db.admin.query('DELETE FROM waybill.outbox'));
afterAll(() => db.drop());

const T0 = Date.parse('2026-11-30T12:00:00Z');
const at = (ms: number): Date => new Date(T0 + ms);
const HOUR_MS = 3_600_000;

const act = (key: ObligationKey, verb: 'pause' | 'resume' | 'terminate' | 'redrive', ms: number) =>
  actOnObligation(
    db.pool,
    null,
    key,
    { verb, actor: 'ann', reason: 'drill', requestId: `${verb} ${ms}` },
    'client',
    at(ms),
  );
const actOn = (lane: Lane, verb: 'pause' | 'resume', ms: number) =>
  actOnSubscriber(
    db.pool,
    lane.account,
    lane.id,
    { verb, actor: 'ann', reason: 'drill', requestId: `${verb} ${ms}` },
    'client',
    at(ms),
  );
const delivered = (key: ObligationKey, ms: number, attempt = 1) =>
  settle(db.pool, settlement(key, attempt, 'delivered', { to: 'delivered' }), at(ms));
const failed = (key: ObligationKey, ms: number, attempt = 1) =>
  settle(db.pool, settlement(key, attempt, 'failed', { to: 'waiting', waitMs: 300_000 }), at(ms));
const dead = (key: ObligationKey, ms: number) =>
  settle(db.pool, settlement(key, 1, 'rejected', { to: 'dead', redriveWindowMs: 86_400_000 }), at(ms));
const calledOff = (key: ObligationKey, ms: number) =>
  settle(db.pool, settlement(key, 1, 'cancelled', { to: 'waiting' }, { class: 'called_off' }), at(ms));
const rechecks = async (key: ObligationKey): Promise<number> => {
  const { rows } = await db.pool.query<{ n: number }>(
    `SELECT count(*) AS n FROM waybill.outbox WHERE key = $1 AND message ->> 'signal' = 'recheck'`,
    [key],
  );
  return rows[0]?.n ?? 0;
};
const dispositionOf = async (key: ObligationKey): Promise<string | undefined> =>
  (
    await db.pool.query<{ disposition: string }>(
      'SELECT disposition FROM waybill.obligations WHERE key = $1',
      [key],
    )
  ).rows[0]?.disposition;

/** On a connection of its own: what `work` did is seen by others only after the `commit` that it is answered. */
async function unfinished<T>(
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<{ done: T; commit: () => Promise<void> }> {
  const client = await db.pool.connect();
  await client.query('BEGIN');
  const done = await work(client);
  return {
    done,
    async commit() {
      await client.query('COMMIT');
      client.release();
    },
  };
}

/** Resolves once somebody waits for a lock of this database. */
async function somebodyWaits(): Promise<void> {
  await expect
    .poll(
      async () =>
        (
          await db.admin.query(
            `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          )
        ).rowCount,
      { timeout: 10_000 },
    )
    .toBeGreaterThan(0);
}

describe('whose turn comes next is told', () => {
  it('to a late older version, once the newer one is off the wire', async () => {
    const lane = await makeLane(db.pool, { order: 'serialize' }, at(0));
    const five = await lane.owe(5, at(0));
    await claimGo(db.pool, five, { now: at(0) });
    const four = await lane.owe(4, at(10));
    expect(await claim(db.pool, four, { now: at(20) })).toMatchObject({ reason: 'order' });
    await failed(five, 30);
    expect(await rechecks(four)).toBe(1);
  });

  it.each(['serialize', 'skip-stale'] as const)(
    'with %s after a version that a person ended while it was on the wire, not before it is off',
    async (order) => {
      const lane = await makeLane(db.pool, { order }, at(0));
      const one = await lane.owe(1, at(0));
      await claimGo(db.pool, one, { now: at(0) });
      const two = await lane.owe(2, at(10));
      expect(await claim(db.pool, two, { now: at(20) })).toMatchObject({ reason: 'order' });
      await act(one, 'terminate', 30);
      expect(await rechecks(two)).toBe(0);
      expect(await claim(db.pool, two, { now: at(40) })).toMatchObject({ reason: 'order' });
      await calledOff(one, 50);
      expect(await rechecks(two)).toBe(1);
      expect((await claim(db.pool, two, { now: at(60) })).answer).toBe('go');
    },
  );

  it('once, and not to a version that nobody held up', async () => {
    const lane = await makeLane(db.pool, { order: 'skip-stale' }, at(0));
    const one = await lane.owe(1, at(0));
    const two = await lane.owe(2, at(10));
    expect(await dispositionOf(one)).toBe('superseded');
    expect(await rechecks(two)).toBe(0);
    await claimGo(db.pool, two, { now: at(20) });
    const three = await lane.owe(3, at(30));
    await failed(two, 40);
    expect(await dispositionOf(two)).toBe('superseded');
    expect(await rechecks(three)).toBe(1);
  });
});

describe('the longest wait', () => {
  it('doesn’t run while the destination is paused', async () => {
    const lane = await makeLane(db.pool, { order: 'serialize', orderWaitMs: HOUR_MS }, at(0));
    const one = await lane.owe(1, at(0));
    const two = await lane.owe(2, at(0));
    await actOn(lane, 'pause', 10);
    await actOn(lane, 'resume', 5 * HOUR_MS);
    expect(await claim(db.pool, two, { now: at(5 * HOUR_MS + 1_000) })).toMatchObject({ reason: 'order' });
    await claimGo(db.pool, one, { now: at(5 * HOUR_MS + 2_000) });
    await delivered(one, 5 * HOUR_MS + 3_000);
    expect(await claimGo(db.pool, two, { now: at(5 * HOUR_MS + 4_000) })).toMatchObject({ orderMark: null });
  });

  it('nor while its account is', async () => {
    const lane = await makeLane(db.pool, { order: 'serialize', orderWaitMs: HOUR_MS }, at(0));
    await lane.owe(1, at(0));
    const two = await lane.owe(2, at(0));
    const scope = (verb: string, ms: number) =>
      db.pool.query(`SELECT waybill.act_on_scope($1, '', $2, 'ann', 'drill', $2, 'client', $3)`, [
        lane.account,
        verb,
        at(ms),
      ]);
    await scope('pause', 10);
    await scope('resume', 5 * HOUR_MS);
    expect(await claim(db.pool, two, { now: at(5 * HOUR_MS + 1_000) })).toMatchObject({ reason: 'order' });
    expect(await claimGo(db.pool, two, { now: at(6 * HOUR_MS + 1_000) })).toMatchObject({ orderMark: 'gap' });
  });
});

describe('serialize', () => {
  it('waits for a dead older version that is redriven before the newer one began', async () => {
    const lane = await makeLane(db.pool, { order: 'serialize' }, at(0));
    const one = await lane.owe(1, at(0));
    const two = await lane.owe(2, at(0));
    await claimGo(db.pool, one, { now: at(0) });
    await dead(one, 10);
    expect(await act(one, 'redrive', 20)).toMatchObject({ ok: true });
    expect(await claim(db.pool, two, { now: at(30) })).toMatchObject({ reason: 'order' });
    await claimGo(db.pool, one, { now: at(40), round: 1 });
    await delivered(one, 50, 2);
    expect(await claimGo(db.pool, two, { now: at(60) })).toMatchObject({ orderMark: null });
  });

  it('sends one that is redriven after the newer one began out of order', async () => {
    const lane = await makeLane(db.pool, { order: 'serialize' }, at(0));
    const one = await lane.owe(1, at(0));
    const two = await lane.owe(2, at(0));
    await claimGo(db.pool, one, { now: at(0) });
    await dead(one, 10);
    await claimGo(db.pool, two, { now: at(20) });
    await act(one, 'redrive', 30);
    expect(await claim(db.pool, one, { now: at(40), round: 1 })).toMatchObject({ reason: 'order' });
    await failed(two, 50);
    expect(await claimGo(db.pool, one, { now: at(60), round: 1 })).toMatchObject({
      orderMark: 'out-of-order',
    });
    // The newer one goes on with its own tries; the older one is on the wire now, and nothing is sent beside it.
    const again = { now: at(300_060), tryNumber: 2 };
    await delivered(one, 300_055, 2);
    expect(await claimGo(db.pool, two, again)).toMatchObject({ attempt: 2 });
  });

  it('goes on past one whose validity ends while it waits, marked', async () => {
    const lane = await makeLane(db.pool, { order: 'serialize' }, at(0), { policy: { validityMs: 60_000 } });
    const one = await lane.owe(1, at(0));
    const two = await lane.owe(2, at(30_000));
    await act(one, 'pause', 10);
    expect(await claim(db.pool, two, { now: at(31_000) })).toMatchObject({ reason: 'order' });
    expect(await claim(db.pool, one, { now: at(60_000) })).toMatchObject({
      standing: { disposition: 'expired' },
    });
    expect(await rechecks(two)).toBe(1);
    expect(await claimGo(db.pool, two, { now: at(60_001) })).toMatchObject({ orderMark: 'gap' });
  });

  it('gives one lease to a batch of several versions of a shipment', async () => {
    const lane = await makeLane(db.pool, { order: 'serialize' }, at(0));
    const keys = [await lane.owe(2, at(0)), await lane.owe(1, at(0)), await lane.owe(3, at(0))];
    const requests = keys.map((key) => ({ key, round: 0, tryNumber: 1 }));
    const answers = await claimMany(db.pool, requests, { worker: 't', leaseMarginMs: 1_000, now: at(5) });
    expect(answers.map(({ answer }) => answer)).toEqual(['not_yet', 'go', 'not_yet']);
  });

  it('asks ever more rarely after one that stays unmatched', async () => {
    const lane = await makeLane(db.pool, { order: 'serialize' }, at(0));
    await lane.publish(1, at(0));
    const two = await lane.owe(2, at(0));
    let claims = 0;
    for (let ms = 0; ; claims += 1) {
      const answer = await claim(db.pool, two, { now: at(ms) });
      if (answer.answer !== 'not_yet') break;
      ms += answer.standing.waitMs;
    }
    expect(claims).toBeLessThan(30);
  });
});

it('a newer version that a subscriber is not owed makes none of its older ones stale', async () => {
  const lane = await makeLane(db.pool, { order: 'skip-stale' }, at(0), {
    eventTypes: ['shipment.delivered'],
  });
  const one = await lane.owe(1, at(0));
  const shipment = decodeURIComponent(one.split(':')[0] as string);
  const event = { account: lane.account, shipment, version: 2, type: 'shipment.lost', payload: '{}' };
  const { eventId } = await acceptEvent(db.pool, event, { now: at(1) });
  expect(await matchEvent(db.pool, eventId, at(1))).toBe(0);
  expect(await dispositionOf(one)).toBe('pending');
  await lane.owe(3, at(2));
  expect(await dispositionOf(one)).toBe('superseded');
});

describe('two who do it at once', () => {
  it('a claim that is not finished when a newer version comes keeps its lease, and the newer one waits', async () => {
    const lane = await makeLane(db.pool, { order: 'skip-stale' }, at(0));
    const one = await lane.owe(1, at(0));
    const eventId = await lane.publish(2, at(1));
    const claiming = await unfinished((client) =>
      claimMany(client, [{ key: one, round: 0, tryNumber: 1 }], {
        worker: 't',
        leaseMarginMs: 1_000,
        now: at(2),
      }),
    );
    expect(claiming.done[0]).toMatchObject({ answer: 'go' });
    const matching = matchEvent(db.pool, eventId, at(3));
    await somebodyWaits();
    await claiming.commit();
    await matching;
    expect(await dispositionOf(one)).toBe('attempting');
    expect(await claim(db.pool, lane.key(2), { now: at(4) })).toMatchObject({ reason: 'order' });
  });

  it('a newer version that is not finished being matched keeps the older one’s claim waiting, and ends it', async () => {
    const lane = await makeLane(db.pool, { order: 'skip-stale' }, at(0));
    const one = await lane.owe(1, at(0));
    const eventId = await lane.publish(2, at(1));
    const matching = await unfinished((client) => matchEvent(client, eventId, at(2)));
    const claiming = claim(db.pool, one, { now: at(3) });
    await somebodyWaits();
    await matching.commit();
    expect(await claiming).toMatchObject({ answer: 'over', standing: { disposition: 'superseded' } });
  });

  it('of many versions that are asked for at once skip-stale sends the newest alone', async () => {
    const lane = await makeLane(db.pool, { order: 'skip-stale' }, at(0));
    const versions = [4, 1, 5, 3, 2];
    const eventIds = await Promise.all(versions.map((version) => lane.publish(version, at(0))));
    await Promise.all(eventIds.map((id) => matchEvent(db.pool, id, at(1))));
    const answers = await Promise.all(
      [...versions, ...versions].map((version) => claim(db.pool, lane.key(version), { now: at(2) })),
    );
    expect(answers.filter(({ answer }) => answer === 'go')).toMatchObject([{ event: { version: 5 } }]);
    for (const version of [1, 2, 3, 4]) expect(await dispositionOf(lane.key(version))).toBe('superseded');
  });
});
