import type { ErrorClass, ObligationKey, Outcome } from '../contract.js';
import type { Health } from '../policy/health.js';
import type { Standing } from '../policy/standing.js';
import type { Queryable } from './pool.js';

/** What an attempt came to and what follows. Everything in it is safe to show: no body, no path, no secret. */
export interface Settlement {
  readonly key: ObligationKey;
  readonly attempt: number;
  readonly outcome: Outcome;
  readonly class: ErrorClass;
  readonly status?: number | undefined;
  readonly sent: 'no' | 'maybe';
  /** Whether it used one of the subscriber's tries. */
  readonly counted: boolean;
  readonly error?: string | undefined;
  readonly retryAfter?: string | undefined;
  readonly retryClamped?: boolean;
  readonly location?: string | undefined;
  readonly address?: string | undefined;
  readonly responseBytes?: number | undefined;
  /** SHA-256 of what was read of the answer, hex. */
  readonly responseDigest?: string | undefined;
  readonly tookMs?: number | undefined;
  /** Base64; kept apart from the outcome, with a lifetime of its own. */
  readonly excerpt?: string | undefined;
  readonly excerptEncoding?: string | undefined;
  readonly next: {
    readonly to: 'delivered' | 'shadowed' | 'waiting' | 'dead';
    readonly waitMs: number;
    /** How long nothing is sent to the whole destination; none where absent. */
    readonly coolMs?: number;
    /** What it says of the receiver's health; nothing where absent. */
    readonly health?: Health;
    readonly redriveWindowMs: number;
  };
}

/** The breaker's turns, and a pause by the system after days of failing. */
export type DestinationNews = 'breaker-opened' | 'breaker-closed' | 'failing-paused';

/**
 * - `settled`: on record now;
 * - `repeated`: was on record already, nothing changed;
 * - `late`: the lease had been given up as `unknown`; recorded besides, and a late delivery still counts;
 * - `missing`: the ledger doesn't know the key.
 */
export type SettleAnswer =
  | {
      readonly answer: 'settled' | 'repeated' | 'late';
      readonly standing: Standing;
      /** What it has brought about for its destination. */
      readonly said?: DestinationNews | null;
    }
  | { readonly answer: 'missing' };

/** Outcome, audit and new disposition of each, in one transaction; answers in the order given. */
export async function settleMany(
  db: Queryable,
  settlements: readonly Settlement[],
  context: { readonly worker: string; readonly now: Date | null },
): Promise<SettleAnswer[]> {
  const { rows } = await db.query<{ answer: SettleAnswer }>(
    'SELECT answer FROM waybill.settle($1, $2, $3) ORDER BY ord',
    [JSON.stringify(settlements), context.worker, context.now],
  );
  return rows.map((r) => r.answer);
}
