import type { ObligationKey, SubscriberId } from '../contract.js';
import type { DeliveryPolicy } from '../policy/delivery-policy.js';
import type { Standing } from '../policy/standing.js';
import type { Queryable } from './pool.js';

export interface ClaimRequest {
  readonly key: ObligationKey;
  readonly round: number;
  /** The try asked for: 1 is the first of its round. */
  readonly tryNumber: number;
  /** Temporal's run id, for the audit; absent where no workflow asks. */
  readonly runId?: string | undefined;
  /**
   * Known to whoever asks and to nobody else. Asked again with it, since the answer was lost, the ledger gives the lease
   * that it gave before; without it a lease whose answer was lost has to run out.
   */
  readonly token?: string;
}

export interface ClaimContext {
  readonly worker: string;
  /** Added to the subscriber's deadline to make the lease: time to settle in. */
  readonly leaseMarginMs: number;
  /** Tests pass their clock; null means Postgres's own. */
  readonly now: Date | null;
}

export interface SealedSecret {
  readonly id: string;
  readonly sealed: string;
}

/** `gap`: a version before it has not been delivered; `out-of-order`: a newer one went before it. */
export type OrderMark = 'gap' | 'out-of-order';

/** All that a sender needs, read under the same locks as the decision. */
export interface Go {
  readonly answer: 'go';
  readonly attempt: number;
  readonly leaseMs: number;
  /** The moment reserved for the request, from the answer on; null where no rate limits its destination. */
  readonly startInMs: number | null;
  /** Everything is done but the send. */
  readonly shadow: boolean;
  /** What the receiver is told of its place among the shipment's versions. */
  readonly orderMark: OrderMark | null;
  readonly subscriber: {
    readonly id: SubscriberId;
    readonly urlSealed: string;
    readonly secrets: readonly SealedSecret[];
    /** Its own headers, how it is authorized, its TLS texts: each null where there is none. */
    readonly headersSealed: string | null;
    readonly authSealed: string | null;
    readonly tlsSealed: string | null;
    readonly policy: DeliveryPolicy;
  };
  readonly event: {
    readonly id: number;
    readonly shipment: string;
    readonly version: number;
    readonly type: string;
    readonly contentType: string | null;
    /** SHA-256, hex. */
    readonly digest: string;
  };
  readonly standing: Standing;
}

/**
 * - `go`: a lease is yours, send;
 * - `settled`: this try's outcome is on record, send nothing;
 * - `in_flight`: another lease runs, wait it out;
 * - `unknown`: a lease had ended without an outcome; that is on record now, ask again;
 * - `not_yet`: see the standing for reason and wait;
 * - `over`: final, or dead; `missing`: the ledger doesn't know the key.
 */
export type ClaimAnswer =
  | Go
  | { readonly answer: 'settled' | 'over' | 'not_yet'; readonly standing: Standing }
  | { readonly answer: 'in_flight'; readonly waitMs: number; readonly standing: Standing }
  | {
      readonly answer: 'unknown';
      readonly attempt: number;
      readonly crashes: number;
      readonly standing: Standing;
    }
  | { readonly answer: 'missing' };

/** This release sends a subscriber's own headers, authorization and TLS texts; those up to 0.2.0 don't say so. */
const SENDS_OWN = true;
/** And this one keeps to reserved moments, sends nothing for a shadow, and marks what is out of order; see `claim`. */
const SPEAKS = 4;

/** Asks for many obligations in one round trip; the answers come in the order of the requests. */
export async function claimMany(
  db: Queryable,
  requests: readonly ClaimRequest[],
  context: ClaimContext,
): Promise<ClaimAnswer[]> {
  const { rows } = await db.query<{ answer: ClaimAnswer }>(
    'SELECT answer FROM waybill.claim($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ORDER BY ord',
    [
      requests.map((r) => r.key),
      requests.map((r) => r.round),
      requests.map((r) => r.tryNumber),
      requests.map((r) => r.runId ?? null),
      context.worker,
      context.leaseMarginMs,
      context.now,
      requests.map((r) => r.token ?? null),
      SENDS_OWN,
      SPEAKS,
    ],
  );
  return rows.map((r) => r.answer);
}
