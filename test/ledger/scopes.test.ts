import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ObligationKey, SubscriberId } from '../../src/contract.js';
import { claimMany } from '../../src/ledger/claim.js';
import { matchEvent } from '../../src/ledger/events.js';
import { eventsShortOfRows } from '../../src/ledger/reconcile.js';
import { letGoDue } from '../../src/ledger/wakes.js';
import { acceptEvent } from '../../src/intake/publish.js';
import { addSubscribers } from '../../src/operate/subscribers.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { adjustGate, makeQueue } from '../support/destinations.js';
import { claim, claimGo, desk, settle, settlement } from '../support/obligations.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.drop());

const T0 = Date.parse('2026-11-30T12:00:00Z');
const at = (ms: number): Date => new Date(T0 + ms);
let serial = 0;

type Answer = Readonly<Record<string, unknown>>;
async function actOn(
  account: string,
  cohort: string,
  verb: 'pause' | 'resume' | 'on' | 'off',
  ms: number,
  more: { requestId?: string; until?: number; ramp?: number } = {},
): Promise<Answer> {
  const { rows } = await db.pool.query<{ answer: Answer }>(
    'SELECT waybill.act_on_scope($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS answer',
    [
      ...[account, cohort, verb, 'ann', 'drill', more.requestId ?? `r${++serial}`, 'client', at(ms)],
      ...[more.until === undefined ? null : at(more.until), more.ramp ?? null],
    ],
  );
  return rows[0]?.answer as Answer;
}
const addCohort = (account: string, name: string, max: number | null = null) =>
  db.pool.query(
    'INSERT INTO waybill.cohorts (account, name, max_subscribers, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)',
    [account, name, max, at(0)],
  );

describe('a pause of a cohort or an account', () => {
  it('holds what is due, says by whom nothing, and each goes by its own resume', async () => {
    const queue = await makeQueue(db.pool, 3, {}, at(0));
    await addCohort(queue.account, 'canary');
    await adjustGate(db.pool, queue.id, { cohort: 'canary' }, at(0));
    const key = queue.keys[0] as ObligationKey;
    const reason = async (ms: number) => {
      const answer = await claim(db.pool, key, { now: at(ms) });
      return answer.answer === 'not_yet' ? answer.standing.reason : answer.answer;
    };
    expect(await actOn(queue.account, 'canary', 'pause', 1)).toMatchObject({
      ok: true,
      changed: true,
      confirmed: true,
    });
    expect(await reason(2)).toBe('cohort_paused');
    await actOn(queue.account, '', 'pause', 3);
    expect(await reason(4)).toBe('account_paused');
    expect(await actOn(queue.account, '', 'resume', 5)).toMatchObject({ changed: true });
    expect(await reason(6)).toBe('cohort_paused');
    expect(await actOn(queue.account, 'canary', 'resume', 7)).toMatchObject({
      changed: true,
      obligations: 3,
    });
    expect(await reason(8)).toBe('go');
  });

  it('touches no other account, and knows no cohort that is not there', async () => {
    const mine = await makeQueue(db.pool, 1, {}, at(0));
    const theirs = await makeQueue(db.pool, 1, {}, at(0));
    for (const queue of [mine, theirs]) {
      await addCohort(queue.account, 'same');
      await adjustGate(db.pool, queue.id, { cohort: 'same' }, at(0));
    }
    await actOn(mine.account, 'same', 'pause', 1);
    await actOn(mine.account, '', 'pause', 1);
    expect((await claim(db.pool, theirs.keys[0] as ObligationKey, { now: at(2) })).answer).toBe('go');
    expect(await actOn(mine.account, 'none', 'pause', 3)).toEqual({ ok: false, code: 'not_found' });
  });

  it('says whether requests are still under way, and repeats itself under a request id', async () => {
    const { account, keys } = await makeQueue(db.pool, 2, {}, at(0));
    await claimGo(db.pool, keys[0] as ObligationKey, { now: at(0) });
    const first = await actOn(account, '', 'pause', 1, { requestId: 'one' });
    expect(first).toMatchObject({ inFlight: 1, confirmed: false });
    await settle(db.pool, settlement(keys[0] as ObligationKey, 1, 'delivered', { to: 'delivered' }), at(2));
    const again = await actOn(account, '', 'pause', 3, { requestId: 'one' });
    expect(again).toMatchObject({ repeated: true, inFlight: 0, confirmed: true });
    const other = await actOn(account, '', 'pause', 4, { requestId: 'one', until: 99 });
    expect(other).toMatchObject({ ok: false, code: 'request_id_reused' });
  });

  it('is never overtaken by a claim, however many ask at once', async () => {
    const queue = await makeQueue(db.pool, 300, { maxConcurrency: 1_000 }, at(0));
    let paused = false;
    let overtaken = 0;
    const ask = async (keys: readonly ObligationKey[]): Promise<void> => {
      for (let i = 0; i < keys.length; i += 3) {
        const before = paused;
        const requests = keys.slice(i, i + 3).map((key) => ({ key, round: 0, tryNumber: 1 }));
        const answers = await claimMany(db.pool, requests, { worker: 't', leaseMarginMs: 1_000, now: null });
        if (before) overtaken += answers.filter(({ answer }) => answer === 'go').length;
      }
    };
    const asking = Array.from({ length: 10 }, (_, i) => ask(queue.keys.slice(i * 30, i * 30 + 30)));
    await actOn(queue.account, '', 'pause', 0);
    paused = true;
    await Promise.all(asking);
    expect(overtaken).toBe(0);
  });

  it('ends by itself at its end, unless it is another pause by then', async () => {
    const queue = await makeQueue(db.pool, 2, {}, at(0));
    const key = queue.keys[0] as ObligationKey;
    await actOn(queue.account, '', 'pause', 0, { until: 10_000 });
    await letGoDue(db.pool, at(9_999));
    expect((await claim(db.pool, key, { now: at(9_999) })).answer).toBe('not_yet');
    await letGoDue(db.pool, at(10_000));
    expect((await claim(db.pool, key, { now: at(10_000) })).answer).toBe('go');

    await actOn(queue.account, '', 'pause', 20_000, { until: 30_000 });
    await actOn(queue.account, '', 'resume', 21_000);
    await actOn(queue.account, '', 'pause', 22_000);
    await letGoDue(db.pool, at(31_000));
    expect((await claim(db.pool, queue.keys[1] as ObligationKey, { now: at(31_000) })).answer).toBe(
      'not_yet',
    );
  });

  it('of a subscriber and of one obligation may have an end, too', async () => {
    const queue = await makeQueue(db.pool, 2, {}, at(0));
    const [one, two] = queue.keys as [ObligationKey, ObligationKey];
    const act = (sql: string, target: string, ms: number, until: number) =>
      db.pool.query(sql, [
        queue.account,
        target,
        'pause',
        'ann',
        'drill',
        `r${++serial}`,
        'client',
        at(ms),
        at(until),
      ]);
    await act('SELECT waybill.act($1, $2, $3, $4, $5, $6, $7, $8, $9)', one, 0, 5_000);
    await act('SELECT waybill.act_on_subscriber($1, $2, $3, $4, $5, $6, $7, $8, $9)', queue.id, 0, 8_000);
    while (await letGoDue(db.pool, at(5_000)));
    expect(await claim(db.pool, one, { now: at(5_000) })).toMatchObject({ reason: 'subscriber_paused' });
    while (await letGoDue(db.pool, at(8_000)));
    for (const key of [one, two]) expect((await claim(db.pool, key, { now: at(8_000) })).answer).toBe('go');
  });
});

describe('a cohort', () => {
  async function published(account: string, ms: number): Promise<{ eventId: number; count: number | null }> {
    const shipment = `cohort ${++serial}`;
    const event = { account, shipment, version: 1, type: 'shipment.delivered', payload: '{}' };
    const { eventId } = await acceptEvent(db.pool, event, { now: at(ms) });
    return { eventId, count: await matchEvent(db.pool, eventId, at(ms)) };
  }
  const leftOut = async (eventId: number) =>
    (
      await db.pool.query<{ id: string; reason: string }>(
        'SELECT subscriber_id AS id, reason FROM waybill.left_out WHERE event_id = $1 ORDER BY 1',
        [eventId],
      )
    ).rows;
  async function account(
    members: number,
    max: number | null,
  ): Promise<{ account: string; ids: SubscriberId[] }> {
    const name = `cohorts${process.pid}-${++serial}`;
    await addCohort(name, 'canary', max);
    const ids: SubscriberId[] = [];
    for (let i = 0; i < members + 2; i += 1) {
      const input = [{ name: `s${i}`, url: 'https://localhost:1/x' }];
      const [added] = await addSubscribers(desk(db.pool, name, at(i)), input, 'test');
      ids.push(added?.id as SubscriberId);
      if (i < members) await adjustGate(db.pool, added?.id as SubscriberId, { cohort: 'canary' }, at(i));
    }
    return { account: name, ids };
  }

  it('that is off starts nothing new; what runs goes on, and who was left out is on record', async () => {
    const { account: name, ids } = await account(3, null);
    const before = await published(name, 100);
    expect(before.count).toBe(5);
    expect(await actOn(name, 'canary', 'off', 200)).toMatchObject({ changed: true });
    const during = await published(name, 300);
    expect(during.count).toBe(2);
    expect(await leftOut(during.eventId)).toEqual(
      ids
        .slice(0, 3)
        .sort()
        .map((id) => ({ id, reason: 'cohort-off' })),
    );
    const { rows } = await db.pool.query<{ key: ObligationKey }>(
      'SELECT key FROM waybill.obligations WHERE event_id = $1 AND subscriber_id = $2',
      [before.eventId, ids[0]],
    );
    expect((await claim(db.pool, rows[0]?.key as ObligationKey, { now: at(400) })).answer).toBe('go');
    expect(await actOn(name, 'canary', 'on', 500)).toMatchObject({ changed: true });
    expect((await published(name, 600)).count).toBe(5);
    // What was left out isn't missed.
    const short = await eventsShortOfRows(db.pool, 0, null, at(1_000), Number.MAX_SAFE_INTEGER, 100);
    expect(short.events.filter(({ id }) => id === during.eventId)).toEqual([]);
  });

  it('with a cap takes its longest-standing in, the same ones each time', async () => {
    const { account: name, ids } = await account(5, 2);
    for (const ms of [100, 200, 300]) {
      const { eventId, count } = await published(name, ms);
      expect(count).toBe(4);
      expect(await leftOut(eventId)).toEqual(
        ids
          .slice(2, 5)
          .sort()
          .map((id) => ({ id, reason: 'cohort-cap' })),
      );
    }
  });
});

describe('shadow mode', () => {
  it('is told to the sender, ends as shadowed, and no older worker gets a lease', async () => {
    const queue = await makeQueue(db.pool, 2, { shadow: true }, at(0));
    const [one, two] = queue.keys as [ObligationKey, ObligationKey];
    expect(await claimGo(db.pool, one, { now: at(0) })).toMatchObject({ shadow: true });
    const item = settlement(one, 1, 'shadow', { to: 'shadowed' }, { class: 'shadow', sent: 'no' });
    expect(await settle(db.pool, item, at(1))).toMatchObject({
      standing: { is: 'over', disposition: 'shadowed' },
    });
    const { rows } = await db.pool.query<{ answer: { reason: string } }>(
      `SELECT answer FROM waybill.claim(ARRAY[$1::text], ARRAY[0], ARRAY[1], ARRAY[null::text], 'old', 1000, $2, ARRAY['t'], true)`,
      [two, at(2)],
    );
    expect(rows[0]?.answer).toMatchObject({ answer: 'not_yet', reason: 'worker-too-old' });
  });
});
