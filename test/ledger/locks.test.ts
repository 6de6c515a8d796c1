import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ErrorClass, ObligationKey, Outcome, SubscriberId } from '../../src/contract.js';
import { acceptEvent } from '../../src/intake/publish.js';
import { claimMany } from '../../src/ledger/claim.js';
import { matchEvent } from '../../src/ledger/events.js';
import { settleMany } from '../../src/ledger/settle.js';
import { letGoDue } from '../../src/ledger/wakes.js';
import { addSubscribers } from '../../src/operate/subscribers.js';
import { healthOf } from '../../src/policy/health.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { adjustGate } from '../support/destinations.js';
import { desk, settlement } from '../support/obligations.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.drop());

const ACCOUNT = 'storm';
const ENDS: readonly (readonly [Outcome, ErrorClass])[] = [
  ['delivered', 'success'],
  ['failed', 'server_error'],
  ['failed', 'throttled'],
  ['cancelled', 'own_fault'],
];
const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)] as T;
const shuffled = <T>(from: readonly T[]): T[] => [...from].sort(() => Math.random() - 0.5);
let serial = 0;

function settled(key: ObligationKey, attempt: number) {
  const [outcome, cls] = pick(ENDS);
  const to = outcome === 'delivered' ? 'delivered' : 'waiting';
  const coolMs = cls === 'throttled' ? 20 : 0;
  const next = { to, waitMs: 5, coolMs, health: healthOf({ outcome, class: cls }) } as const;
  return settlement(key, attempt, outcome, next, { class: cls });
}

async function open(): Promise<{ key: ObligationKey; round: number; try: number }[]> {
  const { rows } = await db.pool.query<{ key: ObligationKey; round: number; try: number }>(
    `SELECT key, round, try FROM waybill.obligations WHERE disposition IN ('pending', 'waiting')
      ORDER BY random() LIMIT 12`,
  );
  return rows;
}

async function sendSome(): Promise<void> {
  const some = await open();
  const requests = some.map((o) => ({ key: o.key, round: o.round, tryNumber: o.try + 1, token: 't' }));
  const answers = await claimMany(db.pool, requests, { worker: 'w', leaseMarginMs: 100, now: null });
  const ends = [];
  for (const [i, answer] of answers.entries())
    if (answer.answer === 'go') ends.push(settled(some[i]?.key as ObligationKey, answer.attempt));
  if (ends.length > 0) await settleMany(db.pool, shuffled(ends), { worker: 'w', now: null });
}

const publish = async (): Promise<void> => {
  const shipment = pick(['a', 'b', 'c']);
  const event = { account: ACCOUNT, shipment, version: ++serial, type: 'a', payload: '{}' };
  const { eventId } = await acceptEvent(db.pool, event, { now: null });
  await matchEvent(db.pool, eventId, null);
};
const onScope = (cohort: string, verb: string) =>
  db.pool.query(`SELECT waybill.act_on_scope($1, $2, $3, 'ann', 'drill', $4, 'client', NULL, $5)`, [
    ACCOUNT,
    cohort,
    verb,
    `r${++serial}`,
    verb === 'pause' ? new Date(Date.now() + 20) : null,
  ]);
const onSubscriber = (id: SubscriberId, verb: string) =>
  db.pool.query(`SELECT waybill.act_on_subscriber($1, $2, $3, 'ann', 'drill', $4, 'client')`, [
    ACCOUNT,
    id,
    verb,
    `r${++serial}`,
  ]);
const onObligation = async (): Promise<unknown> => {
  const [one] = await open();
  return (
    one &&
    db.pool.query(`SELECT waybill.act($1, $2, $3, 'ann', 'drill', $4, 'client')`, [
      ACCOUNT,
      one.key,
      pick(['pause', 'resume', 'terminate']),
      `r${++serial}`,
    ])
  );
};

it('nothing that is done at once locks each other out for good', { timeout: 60_000 }, async () => {
  await db.pool.query(
    `INSERT INTO waybill.cohorts (account, name, created_at, updated_at) VALUES ($1, 'c', now(), now())`,
    [ACCOUNT],
  );
  const added = await addSubscribers(
    desk(db.pool, ACCOUNT),
    Array.from({ length: 9 }, (_, i) => ({
      name: `s${i}`,
      url: 'https://localhost:1/x',
      policy: { timeoutMs: 1_000 },
    })),
    'test',
  );
  const ids = added.map(({ id }) => id as SubscriberId);
  for (const [i, id] of ids.entries())
    await adjustGate(db.pool, id, {
      order: (['none', 'skip-stale', 'serialize'] as const)[i % 3] ?? 'none',
      cohort: i % 2 === 0 ? 'c' : null,
      ratePerSecond: i % 4 === 0 ? 50 : null,
      maxConcurrency: 4,
    });
  const change = () =>
    adjustGate(db.pool, pick(ids), pick([{ ratePerSecond: 20 }, { cohort: 'c' }, { cohort: null }, {}]));
  const times = async (count: number, work: () => Promise<unknown>): Promise<void> => {
    for (let n = 0; n < count; n += 1) await work();
  };
  await Promise.all([
    ...Array.from({ length: 4 }, () => times(25, sendSome)),
    times(40, publish),
    ...Array.from({ length: 2 }, () => times(100, () => letGoDue(db.pool, null))),
    times(25, () => onScope(pick(['', 'c']), pick(['pause', 'resume', 'resume']))),
    times(15, () => onScope('c', pick(['on', 'off']))),
    times(25, () => onSubscriber(pick(ids), pick(['pause', 'resume', 'resume']))),
    times(25, change),
    times(25, onObligation),
  ]);
  const { rows } = await db.pool.query(
    `SELECT key, attempt FROM waybill.attempt_intents GROUP BY key, attempt HAVING count(*) > 1`,
  );
  expect(rows).toEqual([]);
});
