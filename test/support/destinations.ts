import type pg from 'pg';
import type { ObligationKey, SubscriberId } from '../../src/contract.js';
import { acceptEvent } from '../../src/intake/publish.js';
import { matchEvent } from '../../src/ledger/events.js';
import { desk, makeObligations } from './obligations.js';
import { addSubscribers } from '../../src/operate/subscribers.js';
import type { SubscriberInput } from '../../src/intake/subscriber-input.js';
import { obligationKey } from '../../src/contract.js';

/** What a test sets of a destination's gate, by the names that doors use. */
export interface GateChange {
  readonly maxConcurrency?: number;
  readonly ratePerSecond?: number | null;
  readonly shadow?: boolean;
  readonly order?: 'none' | 'skip-stale' | 'serialize';
  readonly orderWaitMs?: number;
  readonly cohort?: string | null;
}

export async function adjustGate(
  pool: pg.Pool,
  id: SubscriberId,
  gate: GateChange,
  now: Date | null = null,
): Promise<void> {
  await pool.query('SELECT waybill.adjust_gate($1, $2::jsonb, false, coalesce($3, clock_timestamp()))', [
    id,
    JSON.stringify(gate),
    now,
  ]);
}

/** One destination and so many obligations to it, each of a shipment of its own. */
export interface Queue {
  readonly account: string;
  readonly id: SubscriberId;
  readonly keys: readonly ObligationKey[];
}

let serial = 0;

export async function makeQueue(
  pool: pg.Pool,
  count: number,
  gate: GateChange,
  now: Date,
  subscriber: Partial<SubscriberInput> = {},
): Promise<Queue> {
  const { account, subscribers, keys } = await makeObligations(pool, 1, subscriber, { now });
  const id = subscribers[0] as SubscriberId;
  await adjustGate(pool, id, gate, now);
  const { rows } = await pool.query<{ key: ObligationKey }>(
    `WITH e AS (
       INSERT INTO waybill.events (account, shipment_id, version, key_prefix, type, type_patterns, payload_digest,
           payload_bytes, published_at, matched_at, obligation_count, started_at)
         SELECT $1, $2 || n, 1, $2 || n, 'a', '{a,*}', ''::bytea, 0, $4, $4, 1, $4 FROM generate_series(1, $3) n
         RETURNING id, key_prefix
     )
     INSERT INTO waybill.obligations (key, event_id, subscriber_id, disposition, next_eligible_at, valid_until, created_at)
       SELECT key_prefix || ':' || $5 || ':1', id, $5, 'pending', $4, $4 + interval '30 days', $4 FROM e
       RETURNING key`,
    [account, `q${++serial}-`, count - 1, now, id],
  );
  return { account, id, keys: [...keys, ...rows.map((row) => row.key)] };
}

/** A shipment's versions for one subscriber of an account of its own. */
export interface Lane {
  readonly account: string;
  readonly id: SubscriberId;
  /** Publishes without matching. */
  publish(version: number, now: Date): Promise<number>;
  /** Publishes and matches; answers the key. */
  owe(version: number, now: Date): Promise<ObligationKey>;
  key(version: number): ObligationKey;
}

export async function makeLane(
  pool: pg.Pool,
  gate: GateChange,
  now: Date,
  subscriber: Partial<SubscriberInput> = {},
): Promise<Lane> {
  const account = `lane${process.pid}-${++serial}`;
  const shipment = `lane ${serial}`;
  const [added] = await addSubscribers(
    desk(pool, account, now),
    [{ name: 's', url: 'https://localhost:1/x', ...subscriber }],
    'test',
  );
  const id = added?.id as SubscriberId;
  await adjustGate(pool, id, gate, now);
  const publish = async (version: number, at: Date): Promise<number> => {
    const event = { account, shipment, version, type: 'shipment.delivered', payload: '{}' };
    return (await acceptEvent(pool, event, { now: at })).eventId;
  };
  const key = (version: number): ObligationKey => obligationKey(shipment, id, version);
  return {
    account,
    id,
    publish,
    key,
    async owe(version, at) {
      await matchEvent(pool, await publish(version, at), at);
      return key(version);
    },
  };
}
