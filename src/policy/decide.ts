import type { Disposition, ErrorClass, Outcome } from '../contract.js';
import { backoffMs } from './backoff.js';
import type { DeliveryPolicy } from './delivery-policy.js';
import { parseRetryAfter } from './retry-after.js';

/** What a decision looks at: an attempt's verdict, stripped of everything that doesn't matter to it. */
export interface Judged {
  readonly outcome: Outcome;
  readonly class: ErrorClass;
  /** The answer's Retry-After as it came. */
  readonly retryAfter?: string | undefined;
}

export interface Decision {
  readonly to: Extract<Disposition, 'delivered' | 'waiting' | 'dead'>;
  readonly waitMs: number;
  /** Whether the attempt used one of the subscriber's tries. */
  readonly counted: boolean;
  /** The receiver asked for more than 30 days and gets 30. */
  readonly retryClamped: boolean;
  readonly redriveWindowMs: number;
}

/** A send of ours that outlived its lease: the same try is made again after this. */
export const LEASE_OVER_WAIT_MS = 5_000;

/**
 * What follows from an attempt.
 *
 * `tryNumber` is the one just made (1 = first of its round), `nowMs` the moment the answer came (for Retry-After
 * dates), `random` 0 to below 1. Of Retry-After and our own backoff the longer counts. The wait may pass the validity: then the obligation expires
 * in it, and the ledger says so.
 */
export function decide(
  policy: DeliveryPolicy,
  judged: Judged,
  tryNumber: number,
  nowMs: number,
  random: number,
): Decision {
  const base = { waitMs: 0, counted: true, retryClamped: false, redriveWindowMs: policy.redriveWindowMs };
  switch (judged.outcome) {
    case 'delivered':
      return { ...base, to: 'delivered' };
    case 'rejected':
    case 'blocked':
      return { ...base, to: 'dead' };
    case 'cancelled':
      return { ...base, to: 'waiting', counted: false };
    case 'failed':
    case 'unknown': {
      if (judged.class === 'shutdown') return { ...base, to: 'waiting', counted: false };
      if (judged.class === 'lease_over') {
        return { ...base, to: 'waiting', counted: false, waitMs: LEASE_OVER_WAIT_MS };
      }
      if (tryNumber >= policy.maxTries) return { ...base, to: 'dead' };
      const ours = backoffMs(policy, tryNumber, random);
      const asked = judged.retryAfter === undefined ? undefined : parseRetryAfter(judged.retryAfter, nowMs);
      if (!asked) return { ...base, to: 'waiting', waitMs: ours };
      return { ...base, to: 'waiting', waitMs: Math.max(ours, asked.waitMs), retryClamped: asked.clamped };
    }
  }
}
