import type { SubscriberId } from '../contract.js';
import type { Go } from './claim.js';
import type { Queryable } from './pool.js';

/** What a sender needs of a subscriber, as `claim` hands it out; undefined where there is no such live one. */
export async function drillTarget(
  db: Queryable,
  account: string,
  id: SubscriberId,
  now: Date | null,
): Promise<Go['subscriber'] | undefined> {
  const { rows } = await db.query<{ target: Go['subscriber'] }>(
    `SELECT waybill.send_target(s, coalesce($3::timestamptz, clock_timestamp())) AS target
       FROM waybill.subscribers s WHERE s.account = $1 AND s.id = $2 AND s.state = 'live'`,
    [account, id, now],
  );
  return rows[0]?.target;
}

/** Puts a drill on record: when it begins, and again with what came of it. */
export async function auditDrill(
  db: Queryable,
  account: string,
  id: SubscriberId,
  row: {
    readonly actor: string;
    readonly reason: string;
    readonly source: 'client' | 'cli';
    readonly detail: object;
  },
  now: Date | null,
): Promise<void> {
  await db.query(
    `INSERT INTO waybill.audit (at, account, subscriber_id, act, actor, reason, source, detail)
       VALUES (coalesce($3::timestamptz, clock_timestamp()), $1, $2, 'subscriber certify', $4, $5, $6, $7)`,
    [account, id, now, row.actor, row.reason, row.source, JSON.stringify(row.detail)],
  );
}
