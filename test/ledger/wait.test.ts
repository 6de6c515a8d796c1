import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { whyNotYet } from '../../src/cli/why-not-yet.js';
import { obligationKey, type ObligationKey, type SubscriberId } from '../../src/contract.js';
import { acceptEvent } from '../../src/intake/publish.js';
import type { SubscriberInput } from '../../src/intake/subscriber-input.js';
import { matchEvent } from '../../src/ledger/events.js';
import { act } from '../../src/operate/obligations.js';
import { actOnAccountBy, actOnCohortBy, addCohort } from '../../src/operate/cohorts.js';
import { actOnSubscriberBy, addSubscriber, needSubscriber } from '../../src/operate/subscribers.js';
import { traceObligation } from '../../src/operate/trace.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { claim, claimGo, desk } from '../support/obligations.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.drop());

let serial = 0;

/** One subscriber of an account of its own, and versions of one shipment that are owed to it. */
async function owed(versions: readonly number[], input: Partial<SubscriberInput> = {}) {
  const account = `wait-${++serial}`;
  const door = desk(db.pool, account);
  if (input.cohort) await addCohort(door, input.cohort, {}, 'ann');
  const { subscriber } = await addSubscriber(
    door,
    { name: 'acme', url: 'https://localhost:1/x', ...input },
    'ann',
  );
  const keys: ObligationKey[] = [];
  for (const version of versions) {
    const event = { account, shipment: 'told', version, type: 'shipment.late', payload: '{}' };
    const { eventId } = await acceptEvent(db.pool, event, {});
    await matchEvent(db.pool, eventId, null);
    keys.push(obligationKey('told', subscriber.id, version));
  }
  const trace = (key = keys.at(-1) as ObligationKey) => traceObligation(door, key);
  return {
    account,
    door,
    id: subscriber.id as SubscriberId,
    keys,
    trace,
    why: async () => whyNotYet(await trace(), new Date()),
  };
}

const word = (reason: string) => ({ actor: 'ann', reason, requestId: `r-${++serial}` });
const TIME = String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z`;

describe('what a delivery waits for', () => {
  it('is nothing where it may go, or is over', async () => {
    const { door, keys, trace } = await owed([1]);
    expect((await trace()).wait).toBeNull();
    await act(door, 'terminate', keys[0] as string, word('done'));
    expect((await trace()).wait).toBeNull();
  });

  it('is its turn, where a rate limits its subscriber', async () => {
    const { keys, trace, why } = await owed([1, 2, 3, 4], { ratePerSecond: 0.01 });
    await claimGo(db.pool, keys[0] as ObligationKey);
    expect((await trace()).wait).toMatchObject({ for: 'rate', until: null, ahead: null, perSecond: 0.01 });
    expect(await why()).toContain('(rate); it has no place in line yet');
    for (const key of keys.slice(1)) expect(await claim(db.pool, key)).toMatchObject({ reason: 'rate' });
    const { wait } = await trace();
    expect(wait).toMatchObject({ for: 'rate', ahead: 2, perSecond: 0.01, ramped: false });
    expect(await why()).toMatch(
      new RegExp(
        `but its subscriber takes 0.01 a second \\(rate\\); 2 before it in line, its turn is at ${TIME}, in \\d+ min; valid until`,
      ),
    );
  });

  it('is a free slot, where its subscriber has as many requests open as it may have', async () => {
    const { keys, trace, why } = await owed([1, 2], { maxConcurrency: 1 });
    await claimGo(db.pool, keys[0] as ObligationKey);
    expect(await claim(db.pool, keys[1] as ObligationKey)).toMatchObject({ reason: 'concurrency' });
    expect((await trace()).wait).toMatchObject({ for: 'concurrency', maxConcurrency: 1, ahead: 0 });
    expect(await why()).toMatch(
      /has 1 of 1 requests open \(concurrency\); 0 before it in line, its turn is at/,
    );
  });

  it('is an older version, as long as the order says, or as it is on the wire', async () => {
    const { keys, trace, why } = await owed([3, 7], { order: 'serialize', orderWaitMs: 600_000 });
    expect(await claim(db.pool, keys[1] as ObligationKey)).toMatchObject({ reason: 'order' });
    const { wait, obligation } = await trace();
    expect(wait).toMatchObject({ for: 'order', version: 3, ahead: null });
    expect(wait?.until?.getTime()).toBe((obligation.nextEligibleAt?.getTime() ?? 0) + 600_000);
    expect(await why()).toMatch(
      new RegExp(
        `but version 3 comes first \\(order\\): it waits for that until ${TIME}, in 10 min, at the latest`,
      ),
    );

    await claimGo(db.pool, keys[0] as ObligationKey);
    const { rows } = await db.pool.query<{ until: Date }>(
      'SELECT lease_until AS until FROM waybill.obligations WHERE key = $1',
      [keys[0]],
    );
    expect((await trace()).wait).toMatchObject({ for: 'order', version: 3, until: rows[0]?.until });
  });

  it('is an older version that is published and not matched yet', async () => {
    const { account, keys, trace, why } = await owed([7], { order: 'serialize' });
    await acceptEvent(
      db.pool,
      { account, shipment: 'told', version: 3, type: 'shipment.late', payload: '{}' },
      {},
    );
    expect(await claim(db.pool, keys[0] as ObligationKey)).toMatchObject({ reason: 'order' });
    expect((await trace()).wait).toMatchObject({ for: 'order', version: null });
    expect(await why()).toContain('an older version was published just now (order)');
  });

  it('is the breaker, also before it is due', async () => {
    const { id, keys, trace, why } = await owed([1]);
    const open = (seconds: number) =>
      db.admin.query(
        `UPDATE waybill.gates SET failing_since = clock_timestamp(),
            breaker_until = clock_timestamp() + make_interval(secs => $2) WHERE subscriber_id = $1`,
        [id, seconds],
      );
    await open(600);
    expect(await claim(db.pool, keys[0] as ObligationKey)).toMatchObject({ reason: 'breaker' });
    expect((await trace()).wait).toMatchObject({ for: 'breaker', ahead: null });
    expect(await why()).toMatch(
      new RegExp(`\\(breaker\\): open until ${TIME}, in \\d+ (s|min), then one attempt at a time`),
    );
    await db.admin.query(
      `UPDATE waybill.obligations SET next_eligible_at = clock_timestamp() + interval '5 minutes' WHERE key = $1`,
      [keys[0]],
    );
    expect(await why()).toMatch(/due at .*\(breaker\)/);
    await open(60);
    expect((await trace()).wait).toBeNull();
  });

  it('is the probe of a half-open breaker, as long as its lease runs', async () => {
    const { door, id, keys, trace } = await owed([1, 2]);
    await db.admin.query(
      `UPDATE waybill.gates SET faults_since = $2, breaker_until = clock_timestamp() WHERE subscriber_id = $1`,
      [id, new Date(0)],
    );
    expect((await trace()).wait).toBeNull();
    await claimGo(db.pool, keys[0] as ObligationKey);
    const { rows } = await db.pool.query<{ until: Date }>(
      'SELECT lease_until AS until FROM waybill.obligations WHERE key = $1',
      [keys[0]],
    );
    expect((await trace()).wait).toMatchObject({ for: 'breaker', until: rows[0]?.until });
    expect((await needSubscriber(door, 'acme')).breaker).toEqual({
      since: new Date(0),
      until: rows[0]?.until,
    });
  });

  it('says that it will expire where its turn is after its validity', async () => {
    const { keys, why } = await owed([1, 2], { ratePerSecond: 0.01, policy: { validityMs: 60_000 } });
    await claimGo(db.pool, keys[0] as ObligationKey);
    await claim(db.pool, keys[1] as ObligationKey);
    expect(await why()).toContain('which is before that: it will expire');
  });
});

describe('who holds a delivery', () => {
  it('is told with since when, why, and until when', async () => {
    const { door, keys, trace, why } = await owed([1], { cohort: 'canary' });
    const until = new Date(Date.now() + 7_200_000);
    await actOnCohortBy(door, 'pause', 'canary', word('ticket 1'), { until });
    expect(await why()).toMatch(
      new RegExp(
        `^why not yet: held \\(cohort_paused\\) by ann since ${TIME}: ticket 1; until ${until.toISOString()}, in \\d+ min, or somebody resumes its cohort, canary; valid until`,
      ),
    );
    expect((await trace()).wait).toBeNull();
    await actOnAccountBy(door, 'pause', word('ticket 2'));
    expect(await why()).toContain(`: ticket 2; until somebody resumes its account, ${door.account}; valid`);
    await actOnSubscriberBy(door, 'pause', 'acme', word('ticket 3'));
    expect(await why()).toContain('held (subscriber_paused) by ann');
    expect(await why()).toContain(': ticket 3; until somebody resumes its subscriber, acme; valid');
    const answer = await act(door, 'pause', keys[0] as string, word('ticket 4'), { until });
    expect(new Date(answer.until ?? 0)).toEqual(until);
    expect(await why()).toMatch(
      /held \(paused\) by ann since .*: ticket 4; until .*, in \d+ min, or somebody resumes it; valid/,
    );
    await expect(
      act(door, 'pause', keys[0] as string, word('x'), { until: new Date(0) }),
    ).rejects.toMatchObject({
      ...{ code: 'invalid_field', field: 'until' },
    });
  });
});
