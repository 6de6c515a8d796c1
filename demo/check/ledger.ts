import type pg from 'pg';

/** Rows of the ledger as the checker reads them: its own SQL, nothing of Waybill's. Times are epoch ms. */
export interface LedgerView {
  readonly obligations: readonly ObligationFact[];
  readonly attempts: readonly AttemptFact[];
  readonly acts: readonly ActFact[];
  /** Live subscribers that the main event is for. */
  readonly subscribers: number;
}

export interface ObligationFact {
  readonly key: string;
  readonly subscriberId: string;
  readonly shipment: string;
  /** `held` as well where its subscriber is paused. */
  readonly disposition: string;
  /** SHA-256 of the event's payload, hex. */
  readonly digest: string;
  /** Requests its subscriber may have open at once. */
  readonly cap: number;
}

export interface AttemptFact {
  readonly key: string;
  readonly attempt: number;
  readonly startedAtMs: number;
  readonly leaseUntilMs: number;
  /** None where nothing was put on record; two where a late answer came after `unknown`. */
  readonly outcomes: readonly OutcomeFact[];
}

export interface OutcomeFact {
  readonly outcome: string;
  readonly status: number | null;
  readonly settledAtMs: number;
}

/** An act that was granted: on a key, or on a subscriber and so on all its keys. */
export interface ActFact {
  readonly act: string;
  readonly key: string | null;
  readonly subscriberId: string | null;
  readonly atMs: number;
}

export async function readLedger(db: pg.Pool, account: string, lane: string): Promise<LedgerView> {
  const obligations = await db.query<ObligationFact>(
    `SELECT o.key, o.subscriber_id AS "subscriberId", e.shipment_id AS shipment,
        CASE WHEN g.paused_at IS NOT NULL AND o.disposition IN ('pending', 'waiting') THEN 'held'
          ELSE o.disposition END AS disposition,
        encode(e.payload_digest, 'hex') AS digest, g.max_concurrency AS cap
      FROM waybill.obligations o
      JOIN waybill.events e ON e.id = o.event_id
      JOIN waybill.gates g ON g.subscriber_id = o.subscriber_id
      WHERE e.account = $1`,
    [account],
  );
  const keys = obligations.rows.map((row) => row.key);
  const attempts = await db.query<AttemptFact>(
    `SELECT i.key, i.attempt, ${ms('i.started_at')} AS "startedAtMs", ${ms('i.lease_until')} AS "leaseUntilMs",
        coalesce((SELECT json_agg(json_build_object('outcome', r.outcome, 'status', r.status,
            'settledAtMs', ${ms('r.settled_at')}) ORDER BY r.settled_at)
          FROM waybill.attempt_outcomes r WHERE r.key = i.key AND r.attempt = i.attempt), '[]') AS outcomes
      FROM waybill.attempt_intents i WHERE i.key = ANY ($1) ORDER BY i.key, i.attempt`,
    [keys],
  );
  const acts = await db.query<ActFact>(
    `SELECT act, key, subscriber_id AS "subscriberId", ${ms('at')} AS "atMs"
      FROM waybill.audit WHERE account = $1 AND refused IS NULL ORDER BY id`,
    [account],
  );
  const subscribers = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM waybill.subscribers
      WHERE account = $1 AND state = 'live' AND labels ->> 'lane' = $2`,
    [account, lane],
  );
  return {
    obligations: obligations.rows,
    attempts: attempts.rows,
    acts: acts.rows,
    subscribers: subscribers.rows[0]?.count ?? 0,
  };
}

const ms = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::float8`;

/**
 * What an obligation costs on disk: every table of the ledger with its indexes, but for the payloads, over all
 * obligations there are (those of earlier runs too, since their rows lie in the same tables).
 */
export async function ledgerBytesPerObligation(db: pg.Pool): Promise<number> {
  const { rows } = await db.query<{ bytes: string; obligations: string }>(
    `SELECT (SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = 'waybill' AND c.relkind = 'r' AND c.relname <> 'event_payloads') AS bytes,
      (SELECT count(*) FROM waybill.obligations) AS obligations`,
  );
  return Math.round(Number(rows[0]?.bytes) / Math.max(1, Number(rows[0]?.obligations)));
}
