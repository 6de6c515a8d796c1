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
}

const START_COLUMNS = `o.key, e.account, e.shipment_id AS shipment, e.version, e.type, o.subscriber_id,
  s.name AS subscriber_name, s.policy
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

export async function startRow(db: Queryable, key: ObligationKey): Promise<StartRow | undefined> {
  const { rows } = await db.query<StartRow>(`SELECT ${START_COLUMNS} WHERE o.key = $1`, [key]);
  return rows[0];
}

export async function markStarted(db: Queryable, eventId: number, now: Date | null): Promise<void> {
  await db.query(
    `UPDATE waybill.events SET started_at = coalesce($2::timestamptz, clock_timestamp())
      WHERE id = $1 AND started_at IS NULL`,
    [eventId, now],
  );
}
