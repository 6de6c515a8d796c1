import type { Disposition, ErrorClass, ObligationKey, Outcome } from '../contract.js';
import type { Queryable } from './pool.js';

/** What the ledger holds of one obligation that a receiver can have seen. Times are epoch ms. */
export interface ObligationRecord {
  readonly key: ObligationKey;
  readonly disposition: Disposition;
  /** Of the payload, hex. */
  readonly digest: string;
  readonly attempts: readonly {
    readonly attempt: number;
    readonly startedAtMs: number;
    /** In the order in which they were recorded. */
    readonly outcomes: readonly {
      readonly outcome: Outcome;
      readonly class: ErrorClass;
      readonly status: number | null;
      readonly sent: 'no' | 'maybe';
      readonly settledAtMs: number;
    }[];
  }[];
  /** Redrives and resumes that were granted. */
  readonly acts: readonly { readonly act: string; readonly atMs: number }[];
}

const ms = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::float8`;

/** One page in key order after the key `after`, each obligation with all its attempts. Filters are literal. */
export async function recordsAfter(
  db: Queryable,
  filter: { account: string; shipment: string | undefined; subscriber: string | undefined },
  after: string,
  limit: number,
): Promise<ObligationRecord[]> {
  const { rows } = await db.query<ObligationRecord>(
    `SELECT o.key, o.disposition, encode(e.payload_digest, 'hex') AS digest,
        coalesce((SELECT json_agg(json_build_object('attempt', i.attempt, 'startedAtMs', ${ms('i.started_at')},
            'outcomes', coalesce((SELECT json_agg(json_build_object('outcome', r.outcome, 'class', r.class,
                'status', r.status, 'sent', r.sent, 'settledAtMs', ${ms('r.settled_at')}) ORDER BY r.late)
              FROM waybill.attempt_outcomes r WHERE r.key = i.key AND r.attempt = i.attempt), '[]'))
            ORDER BY i.attempt)
          FROM waybill.attempt_intents i WHERE i.key = o.key), '[]') AS attempts,
        coalesce((SELECT json_agg(json_build_object('act', a.act, 'atMs', ${ms('a.at')}) ORDER BY a.id)
          FROM waybill.audit a
          WHERE a.key = o.key AND a.act IN ('redrive', 'resume') AND a.refused IS NULL), '[]') AS acts
      FROM waybill.obligations o JOIN waybill.events e ON e.id = o.event_id
      WHERE e.account = $1 AND ($2::text IS NULL OR e.shipment_id = $2)
        AND ($3::text IS NULL OR o.subscriber_id = $3) AND o.key > $4
      ORDER BY o.key LIMIT $5`,
    [filter.account, filter.shipment ?? null, filter.subscriber ?? null, after, limit],
  );
  return rows;
}

/** The ledger's clock, epoch ms. */
export async function ledgerNowMs(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ now: number }>(`SELECT ${ms('clock_timestamp()')} AS now`);
  return rows[0]?.now ?? 0;
}
