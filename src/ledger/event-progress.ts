import type { Disposition } from '../contract.js';
import type { Queryable } from './pool.js';

/** How far one published event is. */
export interface EventProgress {
  /** On record as owed; null until the event is matched, 0 where nobody subscribes. */
  readonly obligations: number | null;
  /** Of these so many have their workflow for certain: all once the fan-out is over, until then those taken up. */
  readonly started: number;
  readonly delivered: number;
  /** Pending, attempting or waiting: these move on by themselves. */
  readonly open: number;
  /** By their own pause, or by that of their subscriber, cohort or account: these wait for a person, or for its end. */
  readonly held: number;
  /** All of them; one under such a pause counts as held. */
  readonly byDisposition: Readonly<Partial<Record<Disposition, number>>>;
  /** Subscribers that match it and are owed nothing, by reason. */
  readonly leftOut: Readonly<Record<string, number>>;
}

const OPEN = ['pending', 'attempting', 'waiting'] as const satisfies readonly Disposition[];

/** Counted in one statement over the event's own rows; undefined where there is no such event. */
export async function eventProgress(
  db: Queryable,
  event: { readonly account: string; readonly shipment: string; readonly version: number },
): Promise<EventProgress | undefined> {
  const { rows } = await db.query<{
    obligations: number | null;
    allStarted: boolean;
    untouched: number;
    byDisposition: Partial<Record<Disposition, number>>;
    leftOut: Record<string, number>;
  }>(
    `SELECT e.obligation_count AS obligations, e.started_at IS NOT NULL AS "allStarted",
        coalesce(sum(c.n) FILTER (WHERE c.untouched), 0)::int AS untouched,
        coalesce(jsonb_object_agg(c.disposition, c.total) FILTER (WHERE c.disposition IS NOT NULL), '{}') AS "byDisposition",
        (SELECT coalesce(jsonb_object_agg(l.reason, l.n), '{}') FROM (
            SELECT reason, count(*)::int AS n FROM waybill.left_out x WHERE x.event_id = e.id GROUP BY reason) l) AS "leftOut"
      FROM waybill.events e
      LEFT JOIN LATERAL (
        SELECT d.disposition, d.untouched, count(*)::int AS n, sum(count(*)) OVER (PARTITION BY d.disposition) AS total
          FROM (SELECT o.disposition = 'pending' AND o.attempts = 0 AND o.slot_at IS NULL AS untouched,
                CASE WHEN o.disposition = ANY($4) AND o.lease_attempt IS NULL AND (g.paused_at IS NOT NULL
                    OR EXISTS (SELECT FROM waybill.pauses p
                      WHERE p.account = e.account AND (p.cohort = '' OR p.cohort = g.cohort)))
                  THEN 'held' ELSE o.disposition END AS disposition
              FROM waybill.obligations o JOIN waybill.gates g ON g.subscriber_id = o.subscriber_id
              WHERE o.event_id = e.id) d
          GROUP BY d.disposition, d.untouched) c ON true
      WHERE e.account = $1 AND e.shipment_id = $2 AND e.version = $3
      GROUP BY e.id`,
    [event.account, event.shipment, event.version, OPEN],
  );
  const [row] = rows;
  if (!row) return undefined;
  const { obligations, byDisposition, leftOut } = row;
  const counted = Object.values(byDisposition).reduce((sum, n) => sum + n, 0);
  return {
    obligations,
    started: row.allStarted ? counted : counted - row.untouched,
    delivered: byDisposition.delivered ?? 0,
    open: OPEN.reduce((sum, disposition) => sum + (byDisposition[disposition] ?? 0), 0),
    held: byDisposition.held ?? 0,
    byDisposition,
    leftOut,
  };
}
