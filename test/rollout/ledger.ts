import type pg from 'pg';

/** What one subscriber is owed of an event, as the ledger has it. */
export interface Owed {
  readonly key: string;
  readonly subscriber: string;
  readonly disposition: string;
  /** Epoch ms. */
  readonly createdAtMs: number;
  /** Attempts granted. */
  readonly intents: number;
  /** Of those, signed and ended as shadow attempts that sent nothing. */
  readonly shadowed: number;
}

/** One event, with everybody who is owed it and everybody who was left out. */
export interface EventRecord {
  readonly shipment: string;
  readonly type: string;
  readonly owed: readonly Owed[];
  readonly leftOut: readonly { readonly subscriber: string; readonly reason: string }[];
}

/** In the order in which they were published. */
export async function eventsOf(ledger: pg.Pool, account: string): Promise<EventRecord[]> {
  const { rows } = await ledger.query<EventRecord>(
    `SELECT e.shipment_id AS shipment, e.type,
         coalesce((SELECT jsonb_agg(jsonb_build_object('key', o.key, 'subscriber', s.name, 'disposition', o.disposition,
             'createdAtMs', extract(epoch FROM o.created_at) * 1000, 'intents', i.all, 'shadowed', i.shadowed))
           FROM waybill.obligations o JOIN waybill.subscribers s ON s.id = o.subscriber_id
             CROSS JOIN LATERAL (
               SELECT count(*) AS all, count(*) FILTER (WHERE cardinality(x.secret_ids) > 0 AND x.url_origin <> ''
                   AND r.outcome = 'shadow' AND r.class = 'shadow' AND r.sent = 'no') AS shadowed
                 FROM waybill.attempt_intents x
                   LEFT JOIN waybill.attempt_outcomes r ON r.key = x.key AND r.attempt = x.attempt
                 WHERE x.key = o.key) i
           WHERE o.event_id = e.id), '[]') AS owed,
         coalesce((SELECT jsonb_agg(jsonb_build_object('subscriber', s.name, 'reason', l.reason))
           FROM waybill.left_out l JOIN waybill.subscribers s ON s.id = l.subscriber_id
           WHERE l.event_id = e.id), '[]') AS "leftOut"
       FROM waybill.events e WHERE e.account = $1 ORDER BY e.id`,
    [account],
  );
  return rows;
}

/** Names of a cohort's subscribers, the longest-standing first. */
export async function standingIn(ledger: pg.Pool, account: string, cohort: string): Promise<string[]> {
  const { rows } = await ledger.query<{ name: string }>(
    `SELECT s.name FROM waybill.subscribers s JOIN waybill.gates g ON g.subscriber_id = s.id
       WHERE s.account = $1 AND g.cohort = $2 ORDER BY s.created_at, s.id`,
    [account, cohort],
  );
  return rows.map(({ name }) => name);
}
