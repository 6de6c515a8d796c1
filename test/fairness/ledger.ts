import type pg from 'pg';

/** A retry as the ledger planned it. */
export interface Retry {
  readonly key: string;
  /** Of the retry: 2 or more. */
  readonly attempt: number;
  /** Epoch ms. */
  readonly dueAtMs: number;
}

/** Every attempt that failed for now, with the moment from which on the next one may begin. */
export async function retriesOf(ledger: pg.Pool, account: string): Promise<Retry[]> {
  const { rows } = await ledger.query<Retry>(
    `SELECT r.key, r.attempt + 1 AS attempt, extract(epoch FROM r.next_eligible_at)::float8 * 1000 AS "dueAtMs"
       FROM waybill.attempt_outcomes r JOIN waybill.obligations o ON o.key = r.key
         JOIN waybill.events e ON e.id = o.event_id
       WHERE e.account = $1 AND r.disposition = 'waiting'`,
    [account],
  );
  return rows;
}

/** Obligations that have their workflow and no attempt yet. */
export async function waitingFirstAttempts(ledger: pg.Pool, account: string): Promise<number> {
  const { rows } = await ledger.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM waybill.obligations o JOIN waybill.events e ON e.id = o.event_id
       WHERE e.account = $1 AND e.started_at IS NOT NULL AND o.attempts = 0`,
    [account],
  );
  return rows[0]?.count ?? 0;
}

/** What is owed to one destination. */
export interface Queue {
  /** Owed to it in all. */
  readonly owed: number;
  /** Of those, not over. */
  readonly open: number;
  /** Of those, begun, or with a place in the line: it has asked for its attempt. */
  readonly asked: number;
}

export async function queueOf(ledger: pg.Pool, account: string, subscriber: string): Promise<Queue> {
  const { rows } = await ledger.query<Queue>(
    `SELECT count(*)::int AS owed, count(*) FILTER (WHERE o.finished_at IS NULL)::int AS open,
         count(*) FILTER (WHERE o.attempts > 0 OR o.slot_at IS NOT NULL)::int AS asked
       FROM waybill.obligations o JOIN waybill.subscribers s ON s.id = o.subscriber_id
       WHERE s.account = $1 AND s.name = $2`,
    [account, subscriber],
  );
  return rows[0] ?? { owed: 0, open: 0, asked: 0 };
}

/** How far a fan-out is: whom it is owed to, and for how many of those it isn't over. */
export async function fanOutOf(ledger: pg.Pool, account: string): Promise<Omit<Queue, 'asked'>> {
  const { rows } = await ledger.query<Omit<Queue, 'asked'>>(
    `SELECT count(*)::int AS owed, count(*) FILTER (WHERE o.finished_at IS NULL)::int AS open
       FROM waybill.obligations o JOIN waybill.events e ON e.id = o.event_id WHERE e.account = $1`,
    [account],
  );
  return rows[0] ?? { owed: 0, open: 0 };
}

/** When the first attempt was claimed, in epoch ms, by shipment. */
export async function claimsOf(
  ledger: pg.Pool,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await ledger.query<{ key: string; atMs: number }>(
    `SELECT key, extract(epoch FROM started_at)::float8 * 1000 AS "atMs"
       FROM waybill.attempt_intents WHERE key = ANY ($1) AND attempt = 1`,
    [keys],
  );
  return new Map(rows.map(({ atMs, key }) => [key, atMs]));
}
