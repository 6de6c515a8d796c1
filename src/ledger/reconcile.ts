import type { Disposition, ObligationKey } from '../contract.js';
import type { Queryable } from './pool.js';

/** Outbox rows that came due so long ago that no relay can be looking at them. */
export async function overdueOutbox(
  db: Queryable,
  graceMs: number,
  now: Date | null,
  limit: number,
): Promise<{ id: number; kind: 'event' | 'nudge'; event_id: number | null; key: ObligationKey | null }[]> {
  const { rows } = await db.query<{
    id: number;
    kind: 'event' | 'nudge';
    event_id: number | null;
    key: ObligationKey | null;
  }>(
    `SELECT id, kind, event_id, key FROM waybill.outbox
      WHERE due_at < coalesce($2::timestamptz, clock_timestamp()) - make_interval(secs => $1::float8 / 1000)
      ORDER BY due_at, id LIMIT $3`,
    [graceMs, now, limit],
  );
  return rows;
}

export interface UnfinishedEvent {
  readonly id: number;
  readonly account: string;
  readonly shipment: string;
  readonly version: number;
  /** Its subscribers have been matched; what is missing are workflows. */
  readonly matched: boolean;
}

/** Events whose fan-out should long be over, and which no outbox row stands for. */
export async function unfinishedEvents(
  db: Queryable,
  graceMs: number,
  now: Date | null,
  afterId: number,
  limit: number,
): Promise<UnfinishedEvent[]> {
  const { rows } = await db.query<UnfinishedEvent>(
    `SELECT id, account, shipment_id AS shipment, version, matched_at IS NOT NULL AS matched
      FROM waybill.events e
      WHERE id > $3 AND started_at IS NULL AND coalesce(obligation_count, 1) > 0
        AND coalesce(matched_at, published_at) <
          coalesce($2::timestamptz, clock_timestamp()) - make_interval(secs => $1::float8 / 1000)
        AND NOT EXISTS (SELECT FROM waybill.outbox x WHERE x.event_id = e.id)
      ORDER BY id LIMIT $4`,
    [graceMs, now, afterId, limit],
  );
  return rows;
}

export interface OpenObligation {
  readonly key: ObligationKey;
  readonly disposition: Disposition;
  readonly attempts: number;
  readonly rev: number;
  readonly leaseRanOut: boolean;
}

/** Obligations that must have a running workflow, in key order after `after`. */
export async function openObligations(
  db: Queryable,
  graceMs: number,
  now: Date | null,
  after: string,
  limit: number,
): Promise<OpenObligation[]> {
  const { rows } = await db.query<OpenObligation>(
    `WITH clock AS (SELECT coalesce($2::timestamptz, clock_timestamp()) AS now,
         make_interval(secs => $1::float8 / 1000) AS grace)
     SELECT key, disposition, attempts, rev, coalesce(lease_until < now - grace, false) AS "leaseRanOut"
      FROM waybill.obligations, clock
      WHERE disposition IN ('pending', 'attempting', 'waiting', 'held', 'dead') AND key > $3
        AND created_at < now - grace AND (disposition <> 'dead' OR redrive_until > now)
      ORDER BY key LIMIT $4`,
    [graceMs, now, after, limit],
  );
  return rows;
}

/** Of these keys the ones that the ledger has no row of. */
export async function keysWithoutRow(db: Queryable, keys: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ key: string }>(
    'SELECT k AS key FROM unnest($1::text[]) AS k WHERE NOT EXISTS (SELECT FROM waybill.obligations o WHERE o.key = k)',
    [keys],
  );
  return rows.map((row) => row.key);
}

/** Of these runs the keys that have an attempt on record by another one: it was reset, or has gone on as a new run. */
export async function keysOfOtherRuns(
  db: Queryable,
  runs: readonly { readonly key: string; readonly runId: string }[],
): Promise<string[]> {
  const { rows } = await db.query<{ key: string }>(
    `SELECT DISTINCT r.key FROM unnest($1::text[], $2::text[]) AS r (key, run)
      JOIN waybill.attempt_intents i ON i.key = r.key AND i.run_id IS DISTINCT FROM r.run`,
    [runs.map(({ key }) => key), runs.map(({ runId }) => runId)],
  );
  return rows.map((row) => row.key);
}

export interface ShortEvent {
  readonly id: number;
  /** Obligations that were written and are gone. */
  readonly short: number;
}

/**
 * Of `limit` events below `beforeId`, the newest first, those with fewer obligations than were written when they were
 * matched. `lowestId` is where to go on from; null where there are no more, or none published within `withinMs` (null:
 * however long ago).
 */
export async function eventsShortOfRows(
  db: Queryable,
  graceMs: number,
  withinMs: number | null,
  now: Date | null,
  beforeId: number,
  limit: number,
): Promise<{ lowestId: number | null; events: ShortEvent[] }> {
  const { rows } = await db.query<{ lowestId: number | null; events: ShortEvent[] }>(
    `WITH clock AS (SELECT coalesce($2::timestamptz, clock_timestamp()) AS now),
      slice AS (SELECT id, obligation_count, started_at, published_at FROM waybill.events
        WHERE id < $3 ORDER BY id DESC LIMIT $4)
     SELECT CASE WHEN bool_or($5::float8 IS NULL
            OR published_at > clock.now - make_interval(secs => $5::float8 / 1000)) THEN min(id) END AS "lowestId",
        coalesce(json_agg(json_build_object('id', id, 'short', obligation_count - n.there) ORDER BY id)
          FILTER (WHERE n.there < obligation_count), '[]') AS events
      FROM clock, slice CROSS JOIN LATERAL (SELECT CASE
          WHEN slice.started_at < clock.now - make_interval(secs => $1::float8 / 1000)
          THEN (SELECT count(*)::int FROM waybill.obligations o WHERE o.event_id = slice.id) END AS there) n`,
    [graceMs, now, beforeId, limit, withinMs],
  );
  return rows[0] ?? { lowestId: null, events: [] };
}

/**
 * Keys of the event's obligations that have no row, the surest first: those with an attempt on record, then subscribers
 * that match it and haven't changed since it was matched, then others that match it now.
 */
export async function keysGoneFrom(db: Queryable, event: ShortEvent): Promise<ObligationKey[]> {
  const { rows } = await db.query<{ key: ObligationKey }>(
    `SELECT k.key FROM (
        SELECT e.key_prefix || ':' || s.id || ':' || e.version AS key, s.updated_at <= e.matched_at AS unchanged,
            s.event_types && e.type_patterns AND s.labels <@ e.labels
              AND coalesce(s.removed_at > e.matched_at, true) AS matches,
            EXISTS (SELECT FROM waybill.attempt_intents i
              WHERE i.key = e.key_prefix || ':' || s.id || ':' || e.version) AS attempted
          FROM waybill.events e JOIN waybill.subscribers s ON s.account = e.account AND s.created_at <= e.matched_at
          WHERE e.id = $1 AND NOT EXISTS (SELECT FROM waybill.obligations o
            WHERE o.event_id = e.id AND o.subscriber_id = s.id)
            AND NOT EXISTS (SELECT FROM waybill.left_out x WHERE x.event_id = e.id AND x.subscriber_id = s.id)
      ) k
      WHERE k.attempted OR k.matches ORDER BY k.attempted DESC, k.unchanged DESC, k.key LIMIT $2`,
    [event.id, event.short],
  );
  return rows.map((row) => row.key);
}

export async function adoptEnd(
  db: Queryable,
  key: ObligationKey,
  as: Disposition,
  now: Date | null,
): Promise<boolean> {
  const { rows } = await db.query<{ done: boolean }>('SELECT waybill.adopt_end($1, $2, $3) AS done', [
    key,
    as,
    now,
  ]);
  return rows[0]?.done ?? false;
}

export async function holdRecordLost(db: Queryable, key: ObligationKey, now: Date | null): Promise<boolean> {
  const { rows } = await db.query<{ done: boolean }>('SELECT waybill.hold_record_lost($1, $2) AS done', [
    key,
    now,
  ]);
  return rows[0]?.done ?? false;
}

/** Null where event or subscriber are gone too, or the row is there. */
export async function rebuildObligation(
  db: Queryable,
  parts: { shipment: string; subscriber: string; version: number; key: ObligationKey },
  attempts: number,
  now: Date | null,
): Promise<Disposition | null> {
  const { rows } = await db.query<{ becomes: Disposition | null }>(
    'SELECT waybill.rebuild_obligation($1, $2, $3, $4, $5, $6) AS becomes',
    [parts.shipment, parts.subscriber, parts.version, parts.key, attempts, now],
  );
  return rows[0]?.becomes ?? null;
}

/** Whether a finding of this kind about this run is in the audit already. */
export async function findingOnRecord(
  db: Queryable,
  key: string,
  kind: string,
  runId: string,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `SELECT FROM waybill.audit WHERE key = $1 AND act = 'reconcile' AND reason = $2 AND detail ->> 'runId' = $3 LIMIT 1`,
    [key, kind, runId],
  );
  return (rowCount ?? 0) > 0;
}

/** One audit row for each finding that was acted on. The account is the event's or the subscriber's own. */
export async function auditFinding(
  db: Queryable,
  finding: {
    kind: string;
    key: string | null;
    eventId: number | null;
    did: string;
    runId?: string | undefined;
  },
  actor: string,
  now: Date | null,
): Promise<void> {
  await db.query(
    `INSERT INTO waybill.audit (at, account, key, subscriber_id, event_id, act, actor, reason, source, detail)
      SELECT coalesce($6::timestamptz, clock_timestamp()), coalesce(e.account, 'default'), $1, o.subscriber_id,
          coalesce(e.id, $2), 'reconcile', $5, $3, 'reconcile', jsonb_strip_nulls(jsonb_build_object('did', $4::text, 'runId', $7::text))
        FROM (SELECT 1) AS one
        LEFT JOIN waybill.obligations o ON o.key = $1
        LEFT JOIN waybill.events e ON e.id = coalesce(o.event_id, $2)`,
    [finding.key, finding.eventId, finding.kind, finding.did, actor, now, finding.runId ?? null],
  );
}

/** Stands an event's fan-out in for again. */
export async function requeueEvent(db: Queryable, eventId: number): Promise<void> {
  await db.query(
    `INSERT INTO waybill.outbox (kind, event_id, due_at) SELECT 'event', $1, clock_timestamp()
      WHERE NOT EXISTS (SELECT FROM waybill.outbox WHERE event_id = $1)`,
    [eventId],
  );
}
