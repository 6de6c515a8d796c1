import type { Disposition, ErrorClass, ObligationKey, Outcome, SubscriberId } from '../contract.js';
import { NEAREST_PAUSE } from './pauses.js';
import type { Queryable } from './pool.js';

/** One obligation as people see it: `held` also where its subscriber, cohort or account is paused. */
export interface ObligationRow {
  readonly key: ObligationKey;
  readonly account: string;
  readonly shipment: string;
  readonly version: number;
  readonly eventType: string;
  readonly subscriberId: SubscriberId;
  readonly subscriberName: string;
  /** Of the subscriber, as of now. */
  readonly cohort: string | null;
  readonly disposition: Disposition;
  readonly round: number;
  readonly tries: number;
  readonly attempts: number;
  readonly nextEligibleAt: Date | null;
  readonly validUntil: Date;
  readonly redriveUntil: Date | null;
  readonly heldReason: string | null;
  readonly heldBy: string | null;
  readonly heldSince: Date | null;
  /** The hold ends by itself then; null: when somebody resumes it. */
  readonly heldUntil: Date | null;
  /** What was said when its subscriber, cohort or account was paused; of its own pause the audit tells. */
  readonly heldWord: string | null;
  /** Its subscriber cools down until then after a 429 or 503; null where it doesn't, or nothing is to be sent. */
  readonly coolingUntil: Date | null;
  readonly lastOutcome: Outcome | null;
  readonly lastClass: ErrorClass | null;
  readonly lastStatus: number | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

/** Intent and outcome of one attempt. `outcome` is null while it runs, or where its worker died unnoticed so far. */
export interface AttemptRow {
  readonly attempt: number;
  readonly round: number;
  readonly tryNumber: number;
  readonly initiator: string;
  readonly worker: string;
  readonly runId: string | null;
  readonly urlOrigin: string;
  readonly urlVersion: number;
  readonly startedAt: Date;
  /** What its request said of its place among the versions. */
  readonly orderMark: 'gap' | 'out-of-order' | null;
  readonly outcome: Outcome | null;
  readonly class: ErrorClass | null;
  readonly status: number | null;
  readonly sent: 'no' | 'maybe' | null;
  readonly counted: boolean | null;
  readonly late: boolean | null;
  readonly error: string | null;
  readonly retryAfter: string | null;
  readonly retryClamped: boolean | null;
  readonly location: string | null;
  readonly address: string | null;
  readonly responseBytes: number | null;
  readonly responseDigest: string | null;
  readonly tookMs: number | null;
  readonly settledAt: Date | null;
  readonly disposition: Disposition | null;
  readonly nextEligibleAt: Date | null;
}

export interface AuditRow {
  readonly id: number;
  readonly at: Date;
  readonly act: string;
  readonly actor: string;
  readonly reason: string | null;
  readonly requestId: string | null;
  readonly source: string;
  readonly refused: string | null;
  readonly detail: unknown;
}

const OPEN = `('pending', 'attempting', 'waiting')`;

/** SQL: of what holds it, its own before another's. */
const held = (own: string, other: string): string =>
  `CASE WHEN o.held_at IS NOT NULL THEN ${own} WHEN o.disposition IN ${OPEN} THEN ${other} END`;

const OBLIGATION = `o.key, e.account, e.shipment_id AS shipment, e.version, e.type AS "eventType",
  o.subscriber_id AS "subscriberId", s.name AS "subscriberName", g.cohort,
  CASE WHEN z.at IS NOT NULL AND o.disposition IN ${OPEN} AND o.lease_attempt IS NULL
    THEN 'held' ELSE o.disposition END AS disposition,
  o.round, o.try AS tries, o.attempts,
  CASE WHEN o.disposition IN ${OPEN} THEN o.next_eligible_at END AS "nextEligibleAt",
  o.valid_until AS "validUntil", o.redrive_until AS "redriveUntil",
  CASE WHEN o.held_at IS NOT NULL THEN o.held_reason
    WHEN o.disposition IN ${OPEN}
      THEN CASE WHEN z.scope = 'subscriber' AND g.gone_at IS NOT NULL THEN 'subscriber_gone' ELSE z.scope || '_paused' END
    END AS "heldReason",
  ${held('o.held_by', 'z.by')} AS "heldBy", ${held('o.held_at', 'z.at')} AS "heldSince",
  ${held('o.held_until', 'z.until')} AS "heldUntil",
  CASE WHEN o.held_at IS NULL AND o.disposition IN ${OPEN} THEN z.reason END AS "heldWord",
  CASE WHEN g.cool_until > clock_timestamp() AND o.disposition IN ${OPEN} AND o.lease_attempt IS NULL
    THEN g.cool_until END AS "coolingUntil",
  o.last_outcome AS "lastOutcome", o.last_class AS "lastClass", o.last_status AS "lastStatus",
  o.created_at AS "createdAt", o.finished_at AS "finishedAt"
  FROM waybill.obligations o
  JOIN waybill.events e ON e.id = o.event_id
  JOIN waybill.subscribers s ON s.id = o.subscriber_id
  JOIN waybill.gates g ON g.subscriber_id = o.subscriber_id ${NEAREST_PAUSE}`;

export interface ObligationFilter {
  readonly account: string;
  readonly key?: string;
  readonly shipment?: string;
  readonly subscriber?: string;
  readonly version?: number;
  /** As stored: an obligation held by its subscriber's pause counts as what it would be without. */
  readonly disposition?: Disposition;
  readonly after?: string;
  readonly limit: number;
}

/** In key order, after the key `after`. Filters are literal and all must hold; the account is part of the query. */
export async function findObligations(db: Queryable, filter: ObligationFilter): Promise<ObligationRow[]> {
  const { rows } = await db.query<ObligationRow>(
    `SELECT ${OBLIGATION}
      WHERE e.account = $1 AND ($2::text IS NULL OR o.key = $2) AND ($3::text IS NULL OR e.shipment_id = $3)
        AND ($4::text IS NULL OR s.id = $4 OR s.name = $4) AND ($5::bigint IS NULL OR e.version = $5)
        AND ($6::text IS NULL OR o.disposition = $6) AND ($7::text IS NULL OR o.key > $7)
      ORDER BY o.key LIMIT $8`,
    [
      filter.account,
      filter.key ?? null,
      filter.shipment ?? null,
      filter.subscriber ?? null,
      filter.version ?? null,
      filter.disposition ?? null,
      filter.after ?? null,
      filter.limit,
    ],
  );
  return rows;
}

/** Every attempt of the key, oldest first; a late outcome stands as a row of its own after the first. */
export async function attemptsOf(db: Queryable, key: string): Promise<AttemptRow[]> {
  const { rows } = await db.query<AttemptRow>(
    `SELECT i.attempt, i.round, i.try AS "tryNumber", i.initiator, i.worker, i.run_id AS "runId",
        i.url_origin AS "urlOrigin", i.url_version AS "urlVersion", i.started_at AS "startedAt",
        i.order_mark AS "orderMark", r.outcome, r.class, r.status, r.sent, r.counted, r.late, r.error, r.retry_after AS "retryAfter",
        r.retry_clamped AS "retryClamped", r.location, r.address, r.response_bytes AS "responseBytes",
        r.response_digest AS "responseDigest", r.took_ms AS "tookMs", r.settled_at AS "settledAt", r.disposition,
        r.next_eligible_at AS "nextEligibleAt"
      FROM waybill.attempt_intents i
      LEFT JOIN waybill.attempt_outcomes r ON r.key = i.key AND r.attempt = i.attempt
      WHERE i.key = $1 ORDER BY i.attempt, r.late`,
    [key],
  );
  return rows;
}

export async function auditOf(db: Queryable, key: string): Promise<AuditRow[]> {
  const { rows } = await db.query<AuditRow>(
    `SELECT id, at, act, actor, reason, request_id AS "requestId", source, refused, detail
      FROM waybill.audit WHERE key = $1 ORDER BY id`,
    [key],
  );
  return rows;
}

export interface EventRow {
  readonly eventId: number;
  readonly shipment: string;
  readonly version: number;
  readonly type: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly contentType: string | null;
  readonly digest: string;
  readonly payloadBytes: number;
  readonly publishedAt: Date;
  readonly publishedBy: string | null;
  readonly matchedAt: Date | null;
  /** Null until the fan-out has matched; 0 where nobody subscribes. */
  readonly obligations: number | null;
  /** Subscribers that matched and were left out of it. */
  readonly leftOut: number;
  readonly startedAt: Date | null;
}

export async function eventsOf(
  db: Queryable,
  account: string,
  shipment: string,
  version: number | undefined,
  limit: number,
): Promise<EventRow[]> {
  const { rows } = await db.query<EventRow>(
    `SELECT id AS "eventId", shipment_id AS shipment, version, type, labels, content_type AS "contentType",
        encode(payload_digest, 'hex') AS digest, payload_bytes AS "payloadBytes", published_at AS "publishedAt",
        published_by AS "publishedBy", matched_at AS "matchedAt", obligation_count AS obligations,
        (SELECT count(*)::int FROM waybill.left_out l WHERE l.event_id = e.id) AS "leftOut",
        started_at AS "startedAt"
      FROM waybill.events e
      WHERE account = $1 AND shipment_id = $2 AND ($3::bigint IS NULL OR version = $3)
      ORDER BY version DESC LIMIT $4`,
    [account, shipment, version ?? null, limit],
  );
  return rows;
}
