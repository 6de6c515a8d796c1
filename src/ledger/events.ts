import type { ObligationKey, SubscriberId } from '../contract.js';
import type { DeliveryPolicy } from '../policy/delivery-policy.js';
import type { Queryable } from './pool.js';

/** What an obligation's workflow is started with; read for a fan-out page or for one key. */
export interface StartRow {
  readonly key: ObligationKey;
  readonly account: string;
  readonly shipment: string;
  readonly version: number;
  readonly type: string;
  readonly subscriber_id: SubscriberId;
  readonly subscriber_name: string;
  readonly policy: DeliveryPolicy;
  /** Of the whole event; null while it isn't matched. */
  readonly obligations: number | null;
}

const START_COLUMNS = `o.key, e.account, e.shipment_id AS shipment, e.version, e.type, o.subscriber_id,
  s.name AS subscriber_name, s.policy, e.obligation_count AS obligations
  FROM waybill.obligations o
  JOIN waybill.events e ON e.id = o.event_id
  JOIN waybill.subscribers s ON s.id = o.subscriber_id`;

/** Writes every obligation of the event, once; answers how many there are, or null for an unknown event. */
export async function matchEvent(db: Queryable, eventId: number, now: Date | null): Promise<number | null> {
  const { rows } = await db.query<{ match_event: number | null }>('SELECT waybill.match_event($1, $2)', [
    eventId,
    now,
  ]);
  return rows[0]?.match_event ?? null;
}

/**
 * Matches the event where that makes at most `most` obligations, and answers how many; a larger one is left alone, which
 * is found out without counting it to its end.
 */
export async function matchSmallEvent(
  db: Queryable,
  eventId: number,
  most: number,
  now: Date | null,
): Promise<number | 'large' | 'lost'> {
  const { rows } = await db.query<{ matched: number | null }>(
    `SELECT CASE WHEN coalesce(e.obligation_count, (SELECT count(*) FROM (
          SELECT FROM waybill.subscribers s
            WHERE s.account = e.account AND s.state = 'live'
              AND s.event_types && e.type_patterns AND s.labels <@ e.labels
            LIMIT $2 + 1) few)) <= $2
        THEN waybill.match_event(e.id, $3) END AS matched
      FROM waybill.events e WHERE e.id = $1`,
    [eventId, most, now],
  );
  return rows[0] === undefined ? 'lost' : (rows[0].matched ?? 'large');
}

/** The event's obligations in subscriber order, after `afterSubscriber` ('' for the first page). */
export async function fanOutPage(
  db: Queryable,
  eventId: number,
  afterSubscriber: string,
  limit: number,
): Promise<StartRow[]> {
  const { rows } = await db.query<StartRow>(
    `SELECT ${START_COLUMNS} WHERE o.event_id = $1 AND o.subscriber_id > $2 ORDER BY o.subscriber_id LIMIT $3`,
    [eventId, afterSubscriber, limit],
  );
  return rows;
}

/**
 * Of the event's obligations after one subscriber and up to another those that a worker could take up now and none has.
 * What waits for its time, its place in line or the end of a pause is not among them.
 */
export async function countUntaken(
  db: Queryable,
  eventId: number,
  span: { readonly after: string; readonly upTo: string },
  now: Date | null,
): Promise<number> {
  const { rows } = await db.query<{ untaken: number }>(
    `SELECT count(*)::int AS untaken
      FROM waybill.obligations o JOIN waybill.gates g ON g.subscriber_id = o.subscriber_id
      WHERE o.event_id = $1 AND o.subscriber_id > $2 AND o.subscriber_id <= $3
        AND o.disposition = 'pending' AND o.slot_at IS NULL AND g.paused_at IS NULL
        AND NOT EXISTS (SELECT FROM waybill.pauses p
          WHERE p.account = g.account AND (p.cohort = '' OR p.cohort = g.cohort))
        AND o.next_eligible_at <= coalesce($4::timestamptz, clock_timestamp())`,
    [eventId, span.after, span.upTo, now],
  );
  return rows[0]?.untaken ?? 0;
}

/**
 * For how many milliseconds each of these keys has been in a worker's hands; null where a worker could take it up now and
 * none has. One that waits for its time, its place in line or the end of a pause is left out.
 */
export async function takenForMs(
  db: Queryable,
  keys: readonly ObligationKey[],
  now: Date | null,
): Promise<ReadonlyMap<ObligationKey, number | null>> {
  const { rows } = await db.query<{ key: ObligationKey; forMs: number | null }>(
    `SELECT o.key, (extract(epoch FROM coalesce($2::timestamptz, clock_timestamp()) - i.started_at) * 1000)::float8 AS "forMs"
      FROM waybill.obligations o JOIN waybill.gates g ON g.subscriber_id = o.subscriber_id
        LEFT JOIN waybill.attempt_intents i ON i.key = o.key AND i.attempt = 1
      WHERE o.key = ANY ($1) AND (i.started_at IS NOT NULL
        OR (o.disposition = 'pending' AND o.slot_at IS NULL AND g.paused_at IS NULL))`,
    [keys, now],
  );
  return new Map(rows.map(({ key, forMs }) => [key, forMs]));
}

export async function startRow(db: Queryable, key: ObligationKey): Promise<StartRow | undefined> {
  const { rows } = await db.query<StartRow>(`SELECT ${START_COLUMNS} WHERE o.key = $1`, [key]);
  return rows[0];
}

/** Every obligation of these events has its workflow. */
export async function markStarted(
  db: Queryable,
  eventIds: readonly number[],
  now: Date | null,
): Promise<void> {
  if (eventIds.length === 0) return;
  await db.query(
    `UPDATE waybill.events SET started_at = coalesce($2::timestamptz, clock_timestamp())
      WHERE id = ANY($1) AND started_at IS NULL`,
    [eventIds, now],
  );
}

/** Whether anything else has been published within `withinMs`: somebody whose deliveries would stand beside this event's. */
export async function othersPublish(
  db: Queryable,
  eventId: number,
  withinMs: number,
  now: Date | null,
): Promise<boolean> {
  const { rows } = await db.query<{ lately: boolean }>(
    `SELECT published_at > coalesce($2::timestamptz, clock_timestamp()) - make_interval(secs => $3::float8 / 1000) AS lately
      FROM waybill.events WHERE id <> $1 ORDER BY id DESC LIMIT 1`,
    [eventId, now, withinMs],
  );
  return rows[0]?.lately ?? false;
}
