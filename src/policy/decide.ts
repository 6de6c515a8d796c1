import type { Disposition, ErrorClass, Outcome } from '../contract.js';
import { backoffMs } from './backoff.js';
import type { DeliveryPolicy } from './delivery-policy.js';
import { coolDownMs } from './cool-down.js';
import { healthOf, type Health } from './health.js';
import { parseRetryAfter } from './retry-after.js';

/** What a decision looks at: an attempt's verdict, stripped of everything that doesn't matter to it. */
export interface Judged {
  readonly outcome: Outcome;
  readonly class: ErrorClass;
  /** Of the answer, where one was read. */
  readonly status?: number | undefined;
  /** The answer's Retry-After as it came. */
  readonly retryAfter?: string | undefined;
}

export interface Decision {
  readonly to: Extract<Disposition, 'delivered' | 'shadowed' | 'waiting' | 'dead'>;
  readonly waitMs: number;
  /** How long the destination as a whole is left in peace; 0 where the answer says nothing of that. */
  readonly coolMs: number;
  /** What the attempt says of the receiver. */
  readonly health: Health;
  /** Whether the attempt used one of the subscriber's tries. */
  readonly counted: boolean;
  /** The receiver asked for more than 30 days and gets 30. */
  readonly retryClamped: boolean;
  readonly redriveWindowMs: number;
}

/** A fault of our own waits this long at first, twice as long each time, and a quarter of an hour at most. */
export const OWN_FAULT_WAIT_MS = 5_000;
export const OWN_FAULT_WAIT_MAX_MS = 15 * 60_000;

export interface Circumstances {
  /** The try just made; 1 is the first of its round. */
  readonly tryNumber: number;
  /** Attempts before this one that used no try. */
  readonly uncounted: number;
  /** Epoch ms when the answer came: what a Retry-After date is counted from. */
  readonly nowMs: number;
  /** 0 to below 1. */
  readonly random: number;
}

/**
 * What follows from an attempt. Of Retry-After and our own backoff the longer counts. The wait may pass the
 * validity: then the obligation expires in it, and the ledger says so. Our own faults use no try and are tried
 * again ever more slowly; a shutdown is none, another worker goes on at once.
 */
export function decide(policy: DeliveryPolicy, judged: Judged, at: Circumstances): Decision {
  const coolMs = coolDownMs(policy, judged, at.nowMs);
  const base = {
    waitMs: 0,
    coolMs,
    health: healthOf(judged),
    counted: true,
    retryClamped: false,
    redriveWindowMs: policy.redriveWindowMs,
  };
  if (judged.class === 'own_fault' || judged.class === 'lease_over') {
    return { ...base, to: 'waiting', counted: false, waitMs: ownFaultWaitMs(at.uncounted) };
  }
  switch (judged.outcome) {
    case 'delivered':
      return { ...base, to: 'delivered' };
    case 'shadow':
      return { ...base, to: 'shadowed' };
    case 'rejected':
    case 'blocked':
      return { ...base, to: 'dead' };
    case 'cancelled':
      return { ...base, to: 'waiting', counted: false };
    case 'failed':
    case 'unknown': {
      if (judged.class === 'shutdown') return { ...base, to: 'waiting', counted: false };
      if (at.tryNumber >= policy.maxTries) return { ...base, to: 'dead' };
      const ours = backoffMs(policy, at.tryNumber, at.random);
      const asked =
        judged.retryAfter === undefined ? undefined : parseRetryAfter(judged.retryAfter, at.nowMs);
      if (!asked) return { ...base, to: 'waiting', waitMs: ours };
      return { ...base, to: 'waiting', waitMs: Math.max(ours, asked.waitMs), retryClamped: asked.clamped };
    }
  }
}

const ownFaultWaitMs = (uncounted: number): number =>
  Math.min(OWN_FAULT_WAIT_MAX_MS, OWN_FAULT_WAIT_MS * 2 ** Math.max(0, Math.min(uncounted, 20)));
