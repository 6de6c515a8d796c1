import { setTimeout as delay } from 'node:timers/promises';
import type { ObligationKey } from '../contract.js';
import type { Queryable } from './pool.js';

export interface NudgeMessage {
  readonly signal: 'pause' | 'resume' | 'terminate' | 'redrive' | 'recheck';
  readonly actor?: string;
  readonly reason?: string;
  readonly requestId?: string;
}

interface RowBase {
  readonly id: number;
  readonly tries: number;
}
export type OutboxRow = RowBase &
  (
    | {
        readonly kind: 'event';
        readonly event_id: number;
        readonly account: string;
        readonly shipment: string;
        readonly version: number;
      }
    | { readonly kind: 'nudge'; readonly key: ObligationKey; readonly message: NudgeMessage }
  );

const TAKE_DUE = `WITH taken AS (
    UPDATE waybill.outbox SET due_at = coalesce($3, clock_timestamp()) + make_interval(secs => $2::float8 / 1000), tries = tries + 1
      WHERE id IN (SELECT id FROM waybill.outbox WHERE due_at <= coalesce($3::timestamptz, clock_timestamp())
                    ORDER BY due_at, id LIMIT $1 FOR UPDATE SKIP LOCKED)
      RETURNING id, kind, event_id, key, message, tries)
  SELECT t.*, e.account, e.shipment_id AS shipment, e.version
    FROM taken t LEFT JOIN waybill.events e ON e.id = t.event_id ORDER BY t.id`;

/**
 * Takes up to `limit` due rows for `holdMs`: a relay that dies leaves them due again after that. Many relays at
 * once never take the same row (SKIP LOCKED). Nothing is held open while the rows are worked on.
 */
export async function takeDue(
  db: Queryable,
  limit: number,
  holdMs: number,
  now: Date | null,
): Promise<OutboxRow[]> {
  const { rows } = await db.query<OutboxRow>({
    name: 'waybill-take-due', // each relay asks some ten times a second, for ever
    text: TAKE_DUE,
    values: [limit, holdMs, now],
  });
  return rows;
}

export async function outboxRow(db: Queryable, id: number): Promise<OutboxRow | undefined> {
  const { rows } = await db.query<OutboxRow>(
    `SELECT t.id, t.kind, t.event_id, t.key, t.message, t.tries, e.account, e.shipment_id AS shipment, e.version
      FROM waybill.outbox t LEFT JOIN waybill.events e ON e.id = t.event_id WHERE t.id = $1`,
    [id],
  );
  return rows[0];
}

export async function markRelayed(db: Queryable, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await db.query('DELETE FROM waybill.outbox WHERE id = ANY($1)', [ids]);
}

/** A word to relays is waited for no longer than this. */
const NOTIFY_MS = 1_000;

/**
 * Tells every relay that something is due. Never inside a producer's transaction: NOTIFY serialises commits. It neither
 * fails nor keeps anybody waiting: relays poll, so a word that is lost costs a poll period and nothing else.
 */
export async function notifyRelays(db: Queryable): Promise<void> {
  const enough = new AbortController();
  const told = db.query(`SELECT pg_notify('waybill_outbox', '')`).then(
    () => undefined,
    () => undefined,
  );
  const late = delay(NOTIFY_MS, undefined, { signal: enough.signal }).catch(() => undefined);
  await Promise.race([told, late]);
  enough.abort();
}
