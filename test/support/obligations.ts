import type pg from 'pg';
import type { ObligationKey, SubscriberId } from '../../src/contract.js';
import { obligationKey } from '../../src/contract.js';
import { acceptEvent } from '../../src/intake/publish.js';
import { matchEvent } from '../../src/ledger/events.js';
import type { SubscriberInput } from '../../src/intake/subscriber-input.js';
import { addSubscribers, type SubscriberDesk } from '../../src/operate/subscribers.js';
import { claimMany, type ClaimAnswer, type Go } from '../../src/ledger/claim.js';
import { settleMany, type SettleAnswer, type Settlement } from '../../src/ledger/settle.js';
import { makeSealer, parseKeys } from '../../src/wire/seal.js';
import { parseAllowList } from '../../src/wire/allow-list.js';

export const TEST_KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
export const testSealer = makeSealer(parseKeys(TEST_KEYS));

export const desk = (pool: pg.Pool, account = 'default', now: Date | null = null): SubscriberDesk => ({
  db: pool,
  account,
  source: 'client',
  sealer: testSealer,
  allow: parseAllowList('localhost,127.0.0.0/8'),
  times: { leaseMarginMs: 10_000, drainMs: 3_600_000 },
  now,
});

let serial = 0;

/** Subscribers of an account of their own and one event to all of them; answers the keys in order. */
export async function makeObligations(
  pool: pg.Pool,
  count: number,
  subscriber: Partial<SubscriberInput> = {},
  event: { validUntil?: Date; notBefore?: Date; now?: Date } = {},
): Promise<{
  account: string;
  keys: ObligationKey[];
  subscribers: SubscriberId[];
  eventId: number;
  shipment: string;
}> {
  const account = `a${process.pid}-${++serial}`;
  const now = event.now ?? null;
  const added = await addSubscribers(
    desk(pool, account, now),
    Array.from({ length: count }, (_, i) => ({ name: `s${i}`, url: 'https://localhost:1/x', ...subscriber })),
    'test',
  );
  const shipment = `ship ${serial}`;
  const { eventId } = await acceptEvent(
    pool,
    {
      account,
      shipment,
      version: 1,
      type: 'shipment.delivered',
      payload: '{"n":1}',
      ...(event.validUntil ? { validUntil: event.validUntil } : {}),
      ...(event.notBefore ? { notBefore: event.notBefore } : {}),
    },
    { now },
  );
  await matchEvent(pool, eventId, now);
  const subscribers = added.map((s) => s.id as SubscriberId);
  return {
    account,
    eventId,
    shipment,
    subscribers,
    keys: subscribers.map((id) => obligationKey(shipment, id, 1)),
  };
}

export interface ClaimOptions {
  readonly round?: number;
  readonly tryNumber?: number;
  readonly now?: Date | null;
  readonly leaseMarginMs?: number;
  readonly token?: string;
}

export async function claim(
  pool: pg.Pool,
  key: ObligationKey,
  options: ClaimOptions = {},
): Promise<ClaimAnswer> {
  const { round = 0, tryNumber = 1, now = null, leaseMarginMs = 10_000, token } = options;
  const request = { key, round, tryNumber, ...(token === undefined ? {} : { token }) };
  const [answer] = await claimMany(pool, [request], { worker: 'test', leaseMarginMs, now });
  return answer as ClaimAnswer;
}

export async function claimGo(pool: pg.Pool, key: ObligationKey, options: ClaimOptions = {}): Promise<Go> {
  const answer = await claim(pool, key, options);
  if (answer.answer !== 'go') throw new Error(`expected go, got ${JSON.stringify(answer)}`);
  return answer;
}

/** A settlement with the fields a test doesn't care about filled in. */
export const settlement = (
  key: ObligationKey,
  attempt: number,
  outcome: Settlement['outcome'],
  next: Partial<Settlement['next']> & Pick<Settlement['next'], 'to'>,
  more: Partial<Settlement> = {},
): Settlement => ({
  key,
  attempt,
  outcome,
  class: outcome === 'delivered' ? 'success' : outcome === 'rejected' ? 'client_error' : 'server_error',
  sent: 'maybe',
  counted: outcome !== 'cancelled',
  tookMs: 10,
  ...more,
  next: { waitMs: 0, redriveWindowMs: 60_000, ...next },
});

export async function settle(
  pool: pg.Pool,
  item: Settlement,
  now: Date | null = null,
): Promise<SettleAnswer> {
  const [answer] = await settleMany(pool, [item], { worker: 'test', now });
  return answer as SettleAnswer;
}
