import type pg from 'pg';

/** One obligation of the proof, as the ledger has it. */
export interface OnRecord {
  readonly key: string;
  readonly subscriber: string;
  readonly shipment: string;
  readonly version: number;
  readonly disposition: string;
  /** When its first send was granted, in epoch ms; null where none ever was. */
  readonly grantedAtMs: number | null;
  /** Attempt -> its mark. */
  readonly marks: Readonly<Record<string, string>>;
}

export async function recordsOf(ledger: pg.Pool, account: string): Promise<OnRecord[]> {
  const { rows } = await ledger.query<OnRecord>(
    `SELECT o.key, s.name AS subscriber, e.shipment_id AS shipment, e.version::int, o.disposition,
         i.granted AS "grantedAtMs", coalesce(i.marks, '{}') AS marks
       FROM waybill.obligations o
         JOIN waybill.events e ON e.id = o.event_id
         JOIN waybill.subscribers s ON s.id = o.subscriber_id
         LEFT JOIN LATERAL (
           SELECT (extract(epoch FROM min(started_at)) * 1000)::float8 AS granted,
               jsonb_object_agg(attempt, order_mark) FILTER (WHERE order_mark IS NOT NULL) AS marks
             FROM waybill.attempt_intents WHERE key = o.key
         ) i ON true
       WHERE e.account = $1 ORDER BY o.key`,
    [account],
  );
  return rows;
}
