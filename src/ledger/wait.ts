import { NEAREST_PAUSE } from './pauses.js';
import type { Queryable } from './pool.js';

/** What keeps a delivery back that nobody holds and that isn't cooling down. */
export interface Wait {
  readonly for: 'breaker' | 'order' | 'concurrency' | 'rate';
  /** When it ends at the latest, or when it asks again; null where it hasn't asked yet. */
  readonly until: Date | null;
  /** How many have a place in line before it; null where it has none. */
  readonly ahead: number | null;
  /** Requests a second that may begin now; null where no rate limits them. */
  readonly perSecond: number | null;
  /** That rate is the ramp after a resume. */
  readonly ramped: boolean;
  /** Requests open at once that it may have. */
  readonly maxConcurrency: number;
  /** With order: the version that it waits for; null where an older one was just published and isn't matched yet. */
  readonly version: number | null;
}

const BREAKER = 'waybill.breaker_opens(g)';

/** As the next claim would see it, in the same order; null where a claim would be granted or something else holds it. */
export async function waitOf(db: Queryable, account: string, key: string): Promise<Wait | null> {
  const { rows } = await db.query<Omit<Wait, 'for'> & { for: Wait['for'] | null }>(
    `SELECT q."for", q.until, q."perSecond", q.ramped, q."maxConcurrency",
        CASE WHEN q."for" = 'order' THEN q.version END AS version,
        CASE WHEN q."for" IN ('concurrency', 'rate') AND q.slot_at > q.now THEN (SELECT count(*)::int FROM waybill.obligations x
          WHERE x.subscriber_id = q.subscriber_id AND x.disposition IN ('pending', 'waiting')
            AND x.slot_at > q.now AND x.slot_at < q.slot_at) END AS ahead
      FROM (
        SELECT o.subscriber_id, o.slot_at, t.now, r.rate AS "perSecond", g.max_concurrency AS "maxConcurrency", b.version,
            coalesce(r.rate < g.rate_per_s, r.rate IS NOT NULL) AS ramped, w."for",
            CASE w."for" WHEN 'breaker' THEN ${BREAKER}
              WHEN 'order' THEN coalesce(b.lease_until, o.next_eligible_at + g.order_wait_ms * interval '1 ms')
              ELSE CASE WHEN o.slot_at > t.now THEN o.slot_at END END AS until
          FROM waybill.obligations o
          JOIN waybill.gates g ON g.subscriber_id = o.subscriber_id
          JOIN waybill.subscribers s ON s.id = o.subscriber_id
          JOIN waybill.events e ON e.id = o.event_id
          CROSS JOIN (SELECT clock_timestamp() AS now) t
          CROSS JOIN LATERAL (SELECT waybill.rate_now(g, t.now) AS rate) r
          LEFT JOIN LATERAL (
            SELECT n.version, CASE WHEN x.lease_attempt IS NOT NULL AND x.lease_until > t.now THEN x.lease_until END
                AS lease_until
              FROM waybill.events n JOIN waybill.obligations x ON x.event_id = n.id AND x.subscriber_id = o.subscriber_id
              WHERE n.account = e.account AND n.shipment_id = e.shipment_id AND x.key <> o.key
                AND ((x.lease_attempt IS NOT NULL AND x.lease_until > t.now)
                  OR (n.version < e.version AND waybill.is_open(x.disposition)))
              ORDER BY coalesce(x.lease_until > t.now, false) DESC, n.version LIMIT 1
          ) b ON g.order_policy <> 'none'
          ${NEAREST_PAUSE}
          CROSS JOIN LATERAL (SELECT CASE
            WHEN ${BREAKER} > greatest(t.now, o.next_eligible_at) THEN 'breaker'
            WHEN o.next_eligible_at > t.now THEN NULL
            WHEN (waybill.place_in_order(o, g, t.now)).wait_ms IS NOT NULL THEN 'order'
            WHEN (SELECT count(*) FROM waybill.obligations x WHERE x.subscriber_id = o.subscriber_id
              AND x.lease_attempt IS NOT NULL AND x.lease_until > t.now) >= g.max_concurrency THEN 'concurrency'
            WHEN r.rate IS NOT NULL AND greatest(g.next_send_at, g.next_slot_at, o.slot_at) > t.now THEN 'rate'
            END AS "for") w
          WHERE o.key = $2 AND e.account = $1 AND o.disposition IN ('pending', 'waiting') AND o.lease_attempt IS NULL
            AND z.at IS NULL AND coalesce(g.cool_until <= t.now, true)
      ) q`,
    [account, key],
  );
  const [row] = rows;
  return row?.for ? { ...row, for: row.for } : null;
}
