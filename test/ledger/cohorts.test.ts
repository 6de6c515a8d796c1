import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acceptEvent } from '../../src/intake/publish.js';
import type { Gate } from '../../src/intake/subscriber-gate.js';
import { matchEvent } from '../../src/ledger/events.js';
import { leftOutOf } from '../../src/ledger/left-out.js';
import { eventsOf, findObligations } from '../../src/ledger/trace.js';
import {
  accountOf,
  actOnAccountBy,
  actOnCohortBy,
  addCohort,
  cohortsOf,
  needCohort,
  updateCohort,
} from '../../src/operate/cohorts.js';
import {
  actOnSubscriberBy,
  addSubscriber,
  addSubscribers,
  needSubscriber,
  updateSubscriber,
} from '../../src/operate/subscribers.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { claimGo, desk } from '../support/obligations.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.drop());

const T0 = new Date('2026-11-30T12:00:00Z');
const at = (ms: number): Date => new Date(T0.getTime() + ms);
const word = (requestId: string, reason = 'ticket 1017') => ({ actor: 'ann', reason, requestId });
const URL = 'https://localhost:1/x';

let serial = 0;
/** An account of the test's own. */
function tenant(now: Date | null = T0) {
  const account = `cohorts-${++serial}`;
  return { account, door: desk(db.pool, account, now) };
}

async function published(account: string, version: number, shipment = 'rolled'): Promise<void> {
  const event = { account, shipment, version, type: 'shipment.late', payload: '{}' };
  const { eventId } = await acceptEvent(db.pool, event, { now: T0 });
  await matchEvent(db.pool, eventId, T0);
}

const auditOf = async (account: string) =>
  (
    await db.pool.query<{ act: string; actor: string; refused: string | null; detail: object }>(
      `SELECT act, actor, refused, detail FROM waybill.audit
        WHERE account = $1 AND act ~ '^(cohort|account) ' ORDER BY id`,
      [account],
    )
  ).rows;

describe('a cohort', () => {
  it('is added once, listed, shown with its counts, and its cap changed, all on record', async () => {
    const { account, door } = tenant();
    expect(await addCohort(door, 'canary', { maxSubscribers: 1 }, 'ann')).toMatchObject({
      ...{ name: 'canary', on: true, maxSubscribers: 1, subscribers: 0, takingPart: 0, openObligations: 0 },
      ...{ paused: null, createdAt: T0 },
    });
    await expect(addCohort(door, 'canary', {}, 'ann')).rejects.toMatchObject({
      code: 'name_taken',
      field: 'name',
    });
    await addCohort(door, 'late', {}, 'ann');
    await addSubscribers(
      door,
      ['s1', 's2', 's3'].map((name) => ({ name, url: URL, cohort: 'canary' })),
      'ann',
    );
    await published(account, 1);
    expect(await needCohort(door, 'canary')).toMatchObject({
      ...{ subscribers: 3, takingPart: 1, openObligations: 1 },
    });
    expect(await updateCohort(door, 'canary', { maxSubscribers: null }, 'bob')).toMatchObject({
      ...{ maxSubscribers: null, takingPart: 3 },
    });
    expect((await cohortsOf(door, '', 10)).map((c) => [c.name, c.subscribers])).toEqual([
      ['canary', 3],
      ['late', 0],
    ]);
    expect((await cohortsOf(door, 'canary', 10)).map((c) => c.name)).toEqual(['late']);
    expect(await auditOf(account)).toEqual([
      { act: 'cohort add', actor: 'ann', refused: null, detail: { cohort: 'canary', maxSubscribers: 1 } },
      { act: 'cohort add', actor: 'ann', refused: null, detail: { cohort: 'late', maxSubscribers: null } },
      {
        act: 'cohort update',
        actor: 'bob',
        refused: null,
        detail: { cohort: 'canary', maxSubscribers: null },
      },
    ]);
  });

  it("that is unknown, or another account's, is not found by its field, and changes nothing", async () => {
    const { door } = tenant();
    const other = tenant();
    await addCohort(other.door, 'theirs', {}, 'ann');
    const gone = { code: 'not_found', field: 'cohort' };
    await expect(needCohort(door, 'theirs')).rejects.toMatchObject(gone);
    await expect(updateCohort(door, 'theirs', { maxSubscribers: 1 }, 'ann')).rejects.toMatchObject(gone);
    await expect(actOnCohortBy(door, 'pause', 'theirs', word('r'))).rejects.toMatchObject(gone);
    await expect(addSubscriber(door, { name: 'a', url: URL, cohort: 'theirs' }, 'ann')).rejects.toMatchObject(
      gone,
    );
    await expect(needSubscriber(door, 'a')).rejects.toMatchObject({ code: 'not_found', field: 'subscriber' });
    await addSubscriber(door, { name: 'a', url: URL }, 'ann');
    await expect(
      updateSubscriber(door, 'a', { name: 'b', ratePerSecond: 5, cohort: 'theirs' }, 'ann'),
    ).rejects.toMatchObject(gone);
    expect(await needSubscriber(door, 'a')).toMatchObject({ cohort: null, ratePerSecond: null });
  });

  it.each([
    ['name', () => addCohort(tenant().door, '', {}, 'ann')],
    ['name', () => addCohort(tenant().door, 'none', {}, 'ann')],
    ['maxSubscribers', () => addCohort(tenant().door, 'a', { maxSubscribers: -1 }, 'ann')],
    ['maxSubscribers', () => addCohort(tenant().door, 'a', { maxSubscribers: 1.5 }, 'ann')],
    ['max', () => addCohort(tenant().door, 'a', { max: 1 } as never, 'ann')],
    ['cohort', () => actOnCohortBy(tenant().door, 'pause', '', word('r'))],
    ['reason', () => actOnAccountBy(tenant().door, 'pause', word('r', ''))],
    ['until', () => actOnAccountBy(tenant().door, 'pause', word('r'), { until: T0 })],
  ])('refuses bad input by the field %s', async (field, attempt) => {
    await expect(attempt()).rejects.toMatchObject({ code: 'invalid_field', field });
  });

  it('that is off or full leaves subscribers out, and the event says who and why', async () => {
    const { account, door } = tenant();
    await addCohort(door, 'off', {}, 'ann');
    await addCohort(door, 'full', { maxSubscribers: 1 }, 'ann');
    await addSubscriber({ ...door, now: at(-2_000) }, { name: 'first', url: URL, cohort: 'full' }, 'ann');
    await addSubscriber({ ...door, now: at(-1_000) }, { name: 'second', url: URL, cohort: 'full' }, 'ann');
    await addSubscriber(door, { name: 'dark', url: URL, cohort: 'off' }, 'ann');
    await addSubscriber(door, { name: 'plain', url: URL }, 'ann');
    const off = await actOnCohortBy(door, 'off', 'off', word('r1'));
    expect(off).toMatchObject({ ok: true, changed: true, repeated: false, confirmed: true });
    expect(await actOnCohortBy(door, 'off', 'off', word('r1'))).toMatchObject({ ok: true, repeated: true });
    expect(await actOnCohortBy(door, 'off', 'off', word('r2'))).toMatchObject({ changed: false });
    expect(await needCohort(door, 'off')).toMatchObject({ on: false, subscribers: 1, takingPart: 0 });
    await published(account, 1);

    const owed = await findObligations(db.pool, { account, limit: 10 });
    expect(owed.map((o) => o.subscriberName).sort()).toEqual(['first', 'plain']);
    const out = await leftOutOf(db.pool, account, 'rolled', 1, '', 10);
    expect(out.map((o) => [o.subscriberName, o.cohort, o.reason]).sort()).toEqual([
      ['dark', 'off', 'cohort-off'],
      ['second', 'full', 'cohort-cap'],
    ]);
    expect(await leftOutOf(db.pool, account, 'rolled', 1, out[0]?.subscriberId ?? '', 10)).toEqual(
      out.slice(1),
    );
    expect(await leftOutOf(db.pool, 'another', 'rolled', 1, '', 10)).toEqual([]);
    expect(await eventsOf(db.pool, account, 'rolled', 1, 1)).toMatchObject([{ obligations: 2, leftOut: 2 }]);
  });
});

describe('a pause', () => {
  it('of cohort and account is shown by its scope, the nearest first, also of who is added under it', async () => {
    const { account, door } = tenant();
    await addCohort(door, 'canary', {}, 'ann');
    await addSubscriber(door, { name: 'a', url: URL, cohort: 'canary' }, 'ann');
    await addSubscriber(door, { name: 'b', url: URL }, 'ann');
    await published(account, 1);
    const [first] = await findObligations(db.pool, { account, subscriber: 'a', limit: 1 });
    if (!first) throw new Error('nothing is owed');
    await claimGo(db.pool, first.key, { now: T0 });

    const until = at(3_600_000);
    expect(await actOnCohortBy(door, 'pause', 'canary', word('r1'), { until })).toMatchObject({
      ...{ ok: true, changed: true, inFlight: 1, confirmed: false },
    });
    const cohortPause = { scope: 'cohort', at: T0, by: 'ann', reason: 'ticket 1017', until };
    expect((await needSubscriber(door, 'a')).paused).toEqual(cohortPause);
    expect((await needSubscriber(door, 'b')).paused).toBeNull();
    expect((await needCohort(door, 'canary')).paused).toEqual(cohortPause);
    const added = await addSubscriber(door, { name: 'c', url: URL, cohort: 'canary' }, 'ann');
    expect(added.subscriber.paused).toEqual(cohortPause);
    expect(added.subscriber).toEqual(await needSubscriber(door, 'c'));

    expect(await actOnAccountBy(door, 'pause', word('r1', 'all of it'))).toMatchObject({ changed: true });
    await actOnSubscriberBy(door, 'pause', 'b', word('r1', 'its own'));
    expect((await needSubscriber(door, 'a')).paused).toMatchObject({ scope: 'account', reason: 'all of it' });
    expect((await needSubscriber(door, 'b')).paused).toMatchObject({
      scope: 'subscriber',
      reason: 'its own',
    });
    expect(await accountOf(door)).toMatchObject({
      ...{ account, subscribers: 3, openObligations: 2 },
      paused: { scope: 'account', by: 'ann', reason: 'all of it', until: null },
    });
    const held = async (subscriber: string) =>
      (await findObligations(db.pool, { account, subscriber, limit: 1 }))[0];
    expect(await held('a')).toMatchObject({ disposition: 'attempting', heldReason: 'account_paused' });
    expect(await held('b')).toMatchObject({
      ...{
        disposition: 'held',
        heldReason: 'subscriber_paused',
        heldBy: 'ann',
        heldSince: T0,
        heldUntil: null,
      },
      ...{ heldWord: 'its own' },
    });

    expect(await actOnAccountBy(door, 'resume', word('r2'), { rampPerSecond: 5 })).toMatchObject({
      changed: true,
    });
    expect(await actOnCohortBy(door, 'resume', 'canary', word('r2'))).toMatchObject({ changed: true });
    expect(await actOnCohortBy(door, 'resume', 'canary', word('r3'))).toMatchObject({ changed: false });
    expect((await accountOf(door)).paused).toBeNull();
    expect((await needSubscriber(door, 'a')).paused).toBeNull();
  });

  it('under a request id of before is answered as before, or refused where it means another act', async () => {
    const { account, door } = tenant();
    await addCohort(door, 'canary', {}, 'ann');
    const until = at(60_000);
    await actOnCohortBy(door, 'pause', 'canary', word('r'), { until });
    await actOnCohortBy(door, 'resume', 'canary', word('other'));
    expect(await actOnCohortBy(door, 'pause', 'canary', word('r'), { until })).toMatchObject({
      ...{ ok: true, repeated: true, changed: true },
    });
    expect((await needCohort(door, 'canary')).paused).toBeNull();
    const reused = { code: 'request_id_reused' };
    await expect(actOnCohortBy(door, 'off', 'canary', word('r'))).rejects.toMatchObject(reused);
    await expect(actOnCohortBy(door, 'pause', 'canary', word('r', 'else'), { until })).rejects.toMatchObject(
      reused,
    );
    await expect(actOnCohortBy(door, 'pause', 'canary', word('r'))).rejects.toMatchObject(reused);
    // The same id for the account, or for another cohort, is another request.
    expect(await actOnAccountBy(door, 'pause', word('r'))).toMatchObject({ repeated: false, changed: true });
    expect((await auditOf(account)).map((row) => [row.act, row.refused])).toEqual([
      ['cohort add', null],
      ['cohort pause', null],
      ['cohort resume', null],
      ['cohort off', 'request_id_reused'],
      ['cohort pause', 'request_id_reused'],
      ['cohort pause', 'request_id_reused'],
      ['account pause', null],
    ]);
  });
});

it('a subscriber has its gate as it was given, and changes field by field, with the fields on record', async () => {
  const { account, door } = tenant();
  await addCohort(door, 'canary', {}, 'ann');
  const gate: Gate = {
    ...{ maxConcurrency: 3, ratePerSecond: 0.5, order: 'serialize', orderWaitMs: 60_000 },
    ...{ mode: 'shadow', cohort: 'canary' },
  };
  const { subscriber } = await addSubscriber(door, { name: 'a', url: URL, ...gate }, 'ann');
  expect(subscriber).toMatchObject(gate);
  expect(await needSubscriber(door, 'a')).toEqual(subscriber);
  const changed = await updateSubscriber(door, 'a', { mode: 'live', ratePerSecond: null }, 'ann');
  expect(changed).toMatchObject({ ...gate, mode: 'live', ratePerSecond: null });
  expect(await updateSubscriber(door, 'a', { cohort: null, order: 'none' }, 'ann')).toMatchObject({
    ...{ cohort: null, order: 'none', orderWaitMs: 60_000 },
  });
  const { rows } = await db.pool.query(
    `SELECT detail FROM waybill.audit WHERE account = $1 AND act = 'subscriber update' ORDER BY id`,
    [account],
  );
  expect(rows).toEqual([
    { detail: { fields: ['ratePerSecond', 'mode'] } },
    { detail: { fields: ['order', 'cohort'] } },
  ]);
  await expect(updateSubscriber(door, 'a', { order: 'newest' as never }, 'ann')).rejects.toMatchObject({
    ...{ code: 'invalid_field', field: 'order' },
  });
});

it('a policy that was stored before a field came shows its default', async () => {
  const { account, door } = tenant();
  const { subscriber } = await addSubscriber(door, { name: 'old', url: URL }, 'ann');
  await db.admin.query(`UPDATE waybill.subscribers SET policy = policy - 'pauseAfterMs' WHERE account = $1`, [
    account,
  ]);
  expect((await needSubscriber(door, 'old')).policy).toEqual(subscriber.policy);
});
