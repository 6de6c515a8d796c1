import type { SubscriberId } from '../contract.js';
import type { Queryable } from './pool.js';

/** A subscriber that would have been owed an event and was left out of it when it was matched. */
export interface LeftOut {
  readonly subscriberId: SubscriberId;
  readonly subscriberName: string;
  /** The one it is in now. */
  readonly cohort: string | null;
  /** Its cohort was switched off; or full, and others had stood in it for longer. */
  readonly reason: 'cohort-off' | 'cohort-cap';
}

/** In id order, after `after`. */
export async function leftOutOf(
  db: Queryable,
  account: string,
  shipment: string,
  version: number,
  after: string,
  limit: number,
): Promise<LeftOut[]> {
  const { rows } = await db.query<LeftOut>(
    `SELECT l.subscriber_id AS "subscriberId", s.name AS "subscriberName", g.cohort, l.reason
      FROM waybill.events e
      JOIN waybill.left_out l ON l.event_id = e.id
      JOIN waybill.subscribers s ON s.id = l.subscriber_id
      JOIN waybill.gates g ON g.subscriber_id = l.subscriber_id
      WHERE e.account = $1 AND e.shipment_id = $2 AND e.version = $3 AND l.subscriber_id > $4
      ORDER BY l.subscriber_id LIMIT $5`,
    [account, shipment, version, after, limit],
  );
  return rows;
}
