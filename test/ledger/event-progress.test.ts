import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventProgress, type EventProgress } from '../../src/ledger/event-progress.js';
import { markStarted } from '../../src/ledger/events.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { claimGo, makeObligations, settle, settlement } from '../support/obligations.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.drop());

type Made = Awaited<ReturnType<typeof makeObligations>>;
const progressOf = ({ account, shipment }: Made): Promise<EventProgress | undefined> =>
  eventProgress(db.pool, { account, shipment, version: 1 });

it('counts what is recorded, taken up, delivered, open and held', async () => {
  const made = await makeObligations(db.pool, 6);
  const [done = '' as never, sending = '' as never] = made.keys;
  await claimGo(db.pool, done);
  await settle(db.pool, settlement(done, 1, 'delivered', { to: 'delivered' }));
  await claimGo(db.pool, sending);
  await db.admin.query('UPDATE waybill.gates SET paused_at = now() WHERE subscriber_id = ANY($1)', [
    made.subscribers.slice(1, 3),
  ]);
  expect(await progressOf(made)).toEqual({
    obligations: 6,
    started: 2,
    delivered: 1,
    open: 4, // the one on the wire, too, although its subscriber is paused
    held: 1,
    byDisposition: { delivered: 1, attempting: 1, held: 1, pending: 3 },
    leftOut: {},
  });
  await markStarted(db.pool, [made.eventId], null);
  expect(await progressOf(made)).toMatchObject({ started: 6 });
});

it('counts a pause of the account or a cohort as held, and names who was left out', async () => {
  const paused = await makeObligations(db.pool, 3);
  await db.admin.query(
    `INSERT INTO waybill.pauses (account, cohort, paused_at, paused_by, paused_reason) VALUES ($1, '', now(), 'ann', 'why')`,
    [paused.account],
  );
  expect(await progressOf(paused)).toMatchObject({ open: 0, held: 3 });

  const partly = await makeObligations(db.pool, 3);
  const { account, subscribers, eventId } = partly;
  await db.admin.query(
    `INSERT INTO waybill.cohorts (account, name, created_at, updated_at) VALUES ($1, 'north', now(), now())`,
    [account],
  );
  await db.admin.query(`UPDATE waybill.gates SET account = $1, cohort = 'north' WHERE subscriber_id = $2`, [
    account,
    subscribers[0],
  ]);
  await db.admin.query(
    `INSERT INTO waybill.pauses (account, cohort, paused_at, paused_by, paused_reason) VALUES ($1, 'north', now(), 'ann', 'why')`,
    [account],
  );
  await db.admin.query(
    `INSERT INTO waybill.left_out (event_id, subscriber_id, reason) VALUES ($1, $2, 'cohort-off'), ($1, $3, 'cohort-cap')`,
    [eventId, subscribers[1], subscribers[2]],
  );
  expect(await progressOf(partly)).toMatchObject({
    open: 2,
    held: 1,
    leftOut: { 'cohort-off': 1, 'cohort-cap': 1 },
  });
});

it('tells an event that nobody is owed from one that is not there, or another account’s', async () => {
  const nobody = await makeObligations(db.pool, 0);
  expect(await progressOf(nobody)).toMatchObject({ obligations: 0, open: 0, byDisposition: {} });
  expect(
    await eventProgress(db.pool, { account: 'other', shipment: nobody.shipment, version: 1 }),
  ).toBeUndefined();
});
