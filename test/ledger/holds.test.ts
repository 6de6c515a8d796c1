import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type pg from 'pg';
import type { ObligationKey } from '../../src/contract.js';
import { claimMany } from '../../src/ledger/claim.js';
import { matchEvent } from '../../src/ledger/events.js';
import { letGoDue } from '../../src/ledger/wakes.js';
import { acceptEvent } from '../../src/intake/publish.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { adjustGate, makeQueue, type Queue } from '../support/destinations.js';
import { claim, claimGo, settle, settlement } from '../support/obligations.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.drop());

const T0 = Date.parse('2026-11-30T12:00:00Z');
const at = (ms: number): Date => new Date(T0 + ms);
let serial = 0;

type Verb = 'pause' | 'resume' | 'on' | 'off';
type Answer = Readonly<Record<string, unknown>>;
interface More {
  readonly requestId?: string;
  readonly until?: number;
}
type Db = Pick<pg.ClientBase, 'query'> | pg.Pool;

/** Account, target, verb and the rest, as all three acts take them. */
async function call(
  on: Db,
  sql: string,
  [account, target]: readonly [string, string],
  verb: Verb,
  ms: number,
  more: More,
): Promise<Answer> {
  const { rows } = await (on as pg.Pool).query<{ answer: Answer }>(
    `SELECT waybill.${sql}($1, $2, $3, 'ann', 'drill', $4, 'client', $5, $6) AS answer`,
    [
      account,
      target,
      verb,
      more.requestId ?? `r${++serial}`,
      at(ms),
      more.until === undefined ? null : at(more.until),
    ],
  );
  return rows[0]?.answer as Answer;
}
const onScope = (
  account: string,
  cohort: string,
  verb: Verb,
  ms: number,
  more: More = {},
  on: Db = db.pool,
) => call(on, 'act_on_scope', [account, cohort], verb, ms, more);
const onSubscriber = ({ account, id }: Queue, verb: Verb, ms: number, more: More = {}, on: Db = db.pool) =>
  call(on, 'act_on_subscriber', [account, id], verb, ms, more);
const onObligation = (
  { account }: Queue,
  key: ObligationKey,
  verb: Verb,
  ms: number,
  more: More = {},
  on: Db = db.pool,
) => call(on, 'act', [account, key], verb, ms, more);

const addCohort = (account: string, name: string) =>
  db.pool.query(
    'INSERT INTO waybill.cohorts (account, name, created_at, updated_at) VALUES ($1, $2, $3, $3)',
    [account, name, at(0)],
  );
const reasonOf = async (key: ObligationKey, ms: number): Promise<string | null> => {
  const answer = await claim(db.pool, key, { now: at(ms) });
  return answer.answer === 'not_yet' ? answer.standing.reason : answer.answer;
};
const letGoAll = async (ms: number): Promise<void> => {
  while (await letGoDue(db.pool, at(ms)));
};
const first = (queue: Queue): ObligationKey => queue.keys[0] as ObligationKey;

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
/** What `work` does is seen by others after `meanwhile`, which is given what to await for it. */
async function inTransaction(
  work: (client: pg.PoolClient) => Promise<unknown>,
  meanwhile: (commit: () => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const client = await db.pool.connect();
  try {
    await client.query('BEGIN');
    await work(client);
    await meanwhile(() => client.query('COMMIT'));
  } finally {
    client.release(true);
  }
}

describe('pauses within pauses', () => {
  it('of account, cohort, subscriber and obligation each go by their own resume alone', async () => {
    const queue = await makeQueue(db.pool, 2, {}, at(0));
    const key = first(queue);
    await addCohort(queue.account, 'c');
    await adjustGate(db.pool, queue.id, { cohort: 'c' }, at(0));
    await onObligation(queue, key, 'pause', 1);
    await onSubscriber(queue, 'pause', 2);
    await onScope(queue.account, 'c', 'pause', 3);
    await onScope(queue.account, '', 'pause', 4);
    expect(await reasonOf(key, 5)).toBe('paused');
    await onScope(queue.account, '', 'resume', 6);
    await letGoAll(6);
    await onObligation(queue, key, 'resume', 7);
    expect(await reasonOf(key, 8)).toBe('subscriber_paused');
    await onSubscriber(queue, 'resume', 9);
    await letGoAll(9);
    expect(await reasonOf(key, 10)).toBe('cohort_paused');
    expect(await reasonOf(queue.keys[1] as ObligationKey, 10)).toBe('cohort_paused');
    await onScope(queue.account, 'c', 'resume', 11);
    expect(await reasonOf(key, 12)).toBe('go');
  });

  it('new work is held, not dropped, and what fails meanwhile waits on', async () => {
    const queue = await makeQueue(db.pool, 1, {}, at(0));
    const { attempt } = await claimGo(db.pool, first(queue), { now: at(0) });
    await onScope(queue.account, '', 'pause', 1);
    const { eventId } = await acceptEvent(
      db.pool,
      { account: queue.account, shipment: 'new', version: 1, type: 'shipment.delivered', payload: '{}' },
      { now: at(2) },
    );
    expect(await matchEvent(db.pool, eventId, at(3))).toBe(1);
    const item = settlement(first(queue), attempt, 'failed', { to: 'waiting', waitMs: 1_000 });
    expect(await settle(db.pool, item, at(4))).toMatchObject({ standing: { is: 'waiting' } });
    expect(await reasonOf(first(queue), 2_000)).not.toBe('go');
    expect(await claim(db.pool, first(queue), { now: at(2_000), tryNumber: 2 })).toMatchObject({
      standing: { is: 'held', reason: 'account_paused' },
    });
    await onScope(queue.account, '', 'resume', 3_000);
    expect((await claim(db.pool, first(queue), { now: at(3_001), tryNumber: 2 })).answer).toBe('go');
  });

  it('a lease that was granted before is not given out again after', async () => {
    const queue = await makeQueue(db.pool, 1, { ratePerSecond: 1 }, at(0));
    await claimGo(db.pool, first(queue), { now: at(0), token: 'mine' });
    await onScope(queue.account, '', 'pause', 1);
    expect((await claim(db.pool, first(queue), { now: at(2), token: 'mine' })).answer).toBe('in_flight');
  });
});

describe('a pause’s answer', () => {
  it.each(['cohort', 'account', 'subscriber'] as const)(
    'of a %s is never overtaken, whatever batches are asked for by many at once',
    async (what) => {
      const one = await makeQueue(db.pool, 120, { maxConcurrency: 1_000 }, at(0));
      await addCohort(one.account, 'c');
      await adjustGate(db.pool, one.id, { cohort: 'c', maxConcurrency: 1_000 }, at(0));
      let answered = false;
      let overtaken = 0;
      let gone = 0;
      const ask = async (keys: readonly ObligationKey[]): Promise<void> => {
        for (let i = 0; i < keys.length; i += 4) {
          const before = answered;
          const requests = keys.slice(i, i + 4).map((key) => ({ key, round: 0, tryNumber: 1 }));
          const answers = await claimMany(db.pool, requests, {
            worker: 't',
            leaseMarginMs: 1_000,
            now: null,
          });
          const goes = answers.filter(({ answer }) => answer === 'go').length;
          gone += goes;
          if (before) overtaken += goes;
        }
      };
      const asking = Array.from({ length: 10 }, (_, i) => ask(one.keys.slice(i * 12, i * 12 + 12)));
      const answer =
        what === 'subscriber'
          ? await onSubscriber(one, 'pause', 0)
          : await onScope(one.account, what === 'cohort' ? 'c' : '', 'pause', 0);
      answered = true;
      await Promise.all(asking);
      expect(overtaken).toBe(0);
      expect(answer['inFlight']).toBe(gone);
    },
  );

  it('doesn’t wait for a large fan-out that is being written', async () => {
    const queue = await makeQueue(db.pool, 1, {}, at(0));
    const { eventId } = await acceptEvent(
      db.pool,
      { account: queue.account, shipment: 'x', version: 1, type: 'shipment.delivered', payload: '{}' },
      { now: at(0) },
    );
    await inTransaction(
      (client) => matchEvent(client, eventId, at(1)),
      async () => {
        expect(await onScope(queue.account, '', 'pause', 2)).toMatchObject({ changed: true });
      },
    );
  });
});

describe('request ids', () => {
  it('of one account’s cohort are no other’s, however they are named', async () => {
    const names = [
      ['t one', 'two'],
      ['t', 'one two'],
    ] as const;
    for (const [account, cohort] of names) {
      await addCohort(account, cohort);
      expect(await onScope(account, cohort, 'pause', 1, { requestId: 'same' })).toMatchObject({
        ok: true,
        changed: true,
        repeated: false,
      });
    }
  });

  it('with another end, verb or reach are used already; repeated they change nothing', async () => {
    const queue = await makeQueue(db.pool, 1, {}, at(0));
    const key = first(queue);
    const acts = {
      scope: (verb: Verb, more: More) => onScope(queue.account, '', verb, 1, more),
      subscriber: (verb: Verb, more: More) => onSubscriber(queue, verb, 1, more),
      obligation: (verb: Verb, more: More) => onObligation(queue, key, verb, 1, more),
    };
    for (const act of Object.values(acts)) {
      const word = { requestId: 'one', until: 60_000 };
      expect(await act('pause', word)).toMatchObject({ ok: true, changed: true, repeated: false });
      expect(await act('pause', word)).toMatchObject({ ok: true, repeated: true });
      for (const other of [{ requestId: 'one' }, { requestId: 'one', until: 60_001 }])
        expect(await act('pause', other)).toMatchObject({ ok: false, code: 'request_id_reused' });
      expect(await act('resume', word)).toMatchObject({ ok: false, code: 'request_id_reused' });
    }
    const { rows } = await db.pool.query(
      'SELECT kind FROM waybill.pause_ends WHERE account = $1 ORDER BY kind',
      [queue.account],
    );
    expect(rows).toEqual([{ kind: 'obligation' }, { kind: 'scope' }, { kind: 'subscriber' }]);
  });
});

describe('an end of a pause', () => {
  it('that has come while somebody paused anew ends nothing, whatever was paused', async () => {
    const queue = await makeQueue(db.pool, 1, {}, at(0));
    const acts = {
      scope: (verb: Verb, ms: number, more: More, on: Db) => onScope(queue.account, '', verb, ms, more, on),
      subscriber: (verb: Verb, ms: number, more: More, on: Db) => onSubscriber(queue, verb, ms, more, on),
      obligation: (verb: Verb, ms: number, more: More, on: Db) =>
        onObligation(queue, first(queue), verb, ms, more, on),
    };
    for (const act of Object.values(acts)) {
      await act('pause', 0, { until: 10_000 }, db.pool);
      await inTransaction(
        async (client) => {
          await act('resume', 9_000, {}, client);
          await act('pause', 9_500, {}, client);
        },
        async (commit) => {
          const ending = letGoDue(db.pool, at(10_000));
          await somebodyWaits();
          await commit();
          await ending;
        },
      );
      expect(await reasonOf(first(queue), 10_001)).not.toBe('go');
      await act('resume', 11_000, {}, db.pool);
    }
    expect(await reasonOf(first(queue), 12_000)).toBe('go');
  });

  it('is on record as the system’s', async () => {
    const queue = await makeQueue(db.pool, 1, {}, at(0));
    await onSubscriber(queue, 'pause', 0, { until: 1_000 });
    await letGoAll(1_000);
    const { rows } = await db.pool.query(
      `SELECT act, actor FROM waybill.audit WHERE subscriber_id = $1 AND act LIKE 'subscriber %' ORDER BY id`,
      [queue.id],
    );
    expect(rows.slice(-2)).toEqual([
      { act: 'subscriber pause', actor: 'ann' },
      { act: 'subscriber resume', actor: 'system' },
    ]);
  });

  it('is told as it is, where a pause stands already', async () => {
    const queue = await makeQueue(db.pool, 1, {}, at(0));
    await onSubscriber(queue, 'pause', 0, { until: 10_000 });
    const again = await onSubscriber(queue, 'pause', 1, { until: 99_000 });
    expect(again).toMatchObject({ changed: false });
    // The end that holds, and not the one that was asked for.
    expect(new Date(String(again['until']))).toEqual(at(10_000));
    await letGoAll(10_000);
    expect(await reasonOf(first(queue), 10_001)).toBe('go');
  });
});
