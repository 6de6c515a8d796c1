import type pg from 'pg';

/** An attempt that a worker has been granted and has said nothing of yet. */
export interface InHand {
  readonly key: string;
  readonly attempt: number;
  readonly subscriber: string;
}

export async function inHandOf(ledger: pg.Pool, worker: string): Promise<InHand[]> {
  const { rows } = await ledger.query<InHand>(
    `SELECT o.key, i.attempt, s.name AS subscriber
       FROM waybill.obligations o
         JOIN waybill.attempt_intents i ON i.key = o.key AND i.attempt = o.lease_attempt
         JOIN waybill.subscribers s ON s.id = o.subscriber_id
       WHERE o.lease_until > clock_timestamp() AND i.worker = $1`,
    [worker],
  );
  return rows;
}

/** Of these attempts, those whose end the worker has told. */
export async function toldBy(ledger: pg.Pool, worker: string, attempts: readonly InHand[]): Promise<number> {
  const { rows } = await ledger.query<{ count: number }>(
    `SELECT count(DISTINCT (r.key, r.attempt))::int AS count FROM waybill.attempt_outcomes r
       JOIN unnest($2::text[], $3::int[]) AS x (key, attempt) ON x.key = r.key AND x.attempt = r.attempt
       WHERE r.worker = $1`,
    [worker, attempts.map(({ key }) => key), attempts.map(({ attempt }) => attempt)],
  );
  return rows[0]?.count ?? 0;
}

/** Keys of an account's deliveries and how they ended. */
export async function endsOf(
  ledger: pg.Pool,
  account: string,
): Promise<{ readonly key: string; readonly disposition: string }[]> {
  const { rows } = await ledger.query<{ key: string; disposition: string }>(
    `SELECT o.key, o.disposition FROM waybill.obligations o JOIN waybill.events e ON e.id = o.event_id
       WHERE e.account = $1 ORDER BY o.key`,
    [account],
  );
  return rows;
}
