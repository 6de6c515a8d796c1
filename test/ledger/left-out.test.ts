import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SubscriberId } from '../../src/contract.js';
import { acceptEvent } from '../../src/intake/publish.js';
import { matchEvent } from '../../src/ledger/events.js';
import { addSubscribers } from '../../src/operate/subscribers.js';
import { actOnSubscriber } from '../../src/ledger/acts.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { adjustGate } from '../support/destinations.js';
import { desk } from '../support/obligations.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.drop());

const T0 = Date.parse('2026-11-30T12:00:00Z');
const at = (ms: number): Date => new Date(T0 + ms);
let serial = 0;

const addCohort = (account: string, name: string, max: number | null) =>
  db.pool.query(
    'INSERT INTO waybill.cohorts (account, name, max_subscribers, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)',
    [account, name, max, at(0)],
  );
/** One after the other, so that the first is the longest-standing. */
async function members(account: string, cohort: string | null, names: readonly string[]) {
  const ids: SubscriberId[] = [];
  for (const name of names) {
    const input = [{ name, url: 'https://localhost:1/x' }];
    const [added] = await addSubscribers(desk(db.pool, account, at(++serial)), input, 'test');
    ids.push(added?.id as SubscriberId);
    await adjustGate(db.pool, added?.id as SubscriberId, { cohort }, at(serial));
  }
  return ids;
}
async function publish(account: string): Promise<number> {
  const event = { account, shipment: `s${++serial}`, version: 1, type: 'a', payload: '{}' };
  return (await acceptEvent(db.pool, event, { now: at(1_000) })).eventId;
}
async function leftOut(eventId: number): Promise<Record<string, string>> {
  const { rows } = await db.pool.query<{ name: string; reason: string }>(
    `SELECT s.name, l.reason FROM waybill.left_out l JOIN waybill.subscribers s ON s.id = l.subscriber_id
      WHERE l.event_id = $1`,
    [eventId],
  );
  return Object.fromEntries(rows.map(({ name, reason }) => [name, reason]));
}
async function owedTo(eventId: number): Promise<string[]> {
  const { rows } = await db.pool.query<{ name: string }>(
    `SELECT s.name FROM waybill.obligations o JOIN waybill.subscribers s ON s.id = o.subscriber_id
      WHERE o.event_id = $1 ORDER BY 1`,
    [eventId],
  );
  return rows.map(({ name }) => name);
}
const turn = (account: string, cohort: string, verb: 'on' | 'off') =>
  db.pool.query(`SELECT waybill.act_on_scope($1, $2, $3, 'ann', 'drill', $4, 'client', $5)`, [
    account,
    cohort,
    verb,
    `r${++serial}`,
    at(2_000),
  ]);

it('cohorts, caps and none stand side by side, each judged by itself', async () => {
  const account = 'side-by-side';
  await addCohort(account, 'two', 2);
  await addCohort(account, 'none', 0);
  await addCohort(account, 'off', null);
  await addCohort(account, 'off-and-full', 0);
  await members(account, 'two', ['t1', 't2', 't3']);
  await members(account, 'none', ['n1']);
  await members(account, 'off', ['o1', 'o2']);
  await members(account, 'off-and-full', ['f1']);
  await members(account, null, ['free']);
  await turn(account, 'off', 'off');
  await turn(account, 'off-and-full', 'off');
  const eventId = await publish(account);
  expect(await matchEvent(db.pool, eventId, at(3_000))).toBe(3);
  expect(await owedTo(eventId)).toEqual(['free', 't1', 't2']);
  expect(await leftOut(eventId)).toEqual({
    t3: 'cohort-cap',
    n1: 'cohort-cap',
    o1: 'cohort-off',
    o2: 'cohort-off',
    f1: 'cohort-off',
  });
});

it('a removed one makes room for the next, and one that joins late takes nobody’s place', async () => {
  const account = 'room';
  await addCohort(account, 'two', 2);
  const [first] = await members(account, 'two', ['t1', 't2', 't3']);
  const word = { verb: 'remove', actor: 'ann', reason: 'drill', requestId: 'r' } as const;
  await actOnSubscriber(db.pool, account, first as SubscriberId, word, 'client', at(500));
  await members(account, 'two', ['t4']);
  const eventId = await publish(account);
  await matchEvent(db.pool, eventId, at(3_000));
  expect(await owedTo(eventId)).toEqual(['t2', 't3']);
  expect(await leftOut(eventId)).toEqual({ t4: 'cohort-cap' });
});

it('who would not be owed the event is not left out of it', async () => {
  const account = 'not-owed';
  await addCohort(account, 'none', 0);
  const input = [{ name: 'other', url: 'https://localhost:1/x', eventTypes: ['b'] }];
  const [added] = await addSubscribers(desk(db.pool, account, at(1)), input, 'test');
  await adjustGate(db.pool, added?.id as SubscriberId, { cohort: 'none' }, at(1));
  const eventId = await publish(account);
  await matchEvent(db.pool, eventId, at(3_000));
  expect(await leftOut(eventId)).toEqual({});
});

it('an account’s cohort says nothing of another account’s of the same name', async () => {
  for (const account of ['mine', 'theirs']) {
    await addCohort(account, 'same', null);
    await members(account, 'same', ['s1']);
  }
  await turn('mine', 'same', 'off');
  const eventId = await publish('theirs');
  expect(await matchEvent(db.pool, eventId, at(3_000))).toBe(1);
});

it('a switch is answered once no fan-out is being written that doesn’t know of it', async () => {
  const account = 'switched';
  await addCohort(account, 'c', null);
  await members(account, 'c', ['s1']);
  const eventId = await publish(account);
  const client = await db.pool.connect();
  try {
    await client.query('BEGIN');
    expect(await matchEvent(client, eventId, at(1_500))).toBe(1);
    let answered = false;
    const switching = turn(account, 'c', 'off').then(() => {
      answered = true;
    });
    await expect
      .poll(
        async () =>
          (
            await db.admin.query(
              `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`,
            )
          ).rowCount,
        { timeout: 10_000 },
      )
      .toBe(1);
    expect(answered).toBe(false);
    await client.query('COMMIT');
    await switching;
  } finally {
    client.release(true);
  }
  expect(await owedTo(eventId)).toEqual(['s1']);
  const next = await publish(account);
  expect(await matchEvent(db.pool, next, at(3_000))).toBe(0);
  // Matched again it says the same.
  expect(await matchEvent(db.pool, next, at(4_000))).toBe(0);
  expect(await leftOut(next)).toEqual({ s1: 'cohort-off' });
});
