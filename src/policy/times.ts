import type { DeliveryPolicy } from './delivery-policy.js';

/** The times a worker is set up with, in milliseconds. */
export interface WorkerTimes {
  /** Added to a subscriber's deadline to make the lease of an attempt: time to claim before and to settle after. */
  readonly leaseMarginMs: number;
  /** From the word to stop on, sends that run have this long. */
  readonly drainMs: number;
}

/**
 * Inclusive bounds of the settings. The margin ends where the longest deadline with it would pass
 * {@link attemptTimeMs} of the shortest.
 */
export const TIME_BOUNDS = {
  leaseMarginMs: [100, 120_000],
  drainMs: [0, 3_600_000],
} as const satisfies Record<keyof WorkerTimes, readonly [number, number]>;

/** Beyond the wire deadline: how long an attempt may go on trying to put a verdict it has read on record. */
const SETTLE_ALLOWANCE_MS = 15 * 60_000;

/**
 * How long Temporal lets one execution of an attempt run (start to close), by the deadline that held when the
 * obligation began. The deadline may be raised to its bound later, since each attempt reads it anew: any legal
 * deadline with any legal lease margin fits in.
 */
export const attemptTimeMs = (timeoutMs: DeliveryPolicy['timeoutMs']): number =>
  timeoutMs + SETTLE_ALLOWANCE_MS;

/** A dead worker, or a dispatch that got lost, is noticed after so long at least, and at most. */
const SILENCE_MS = [5_000, 20_000] as const;

/**
 * Without a word from an attempt for so long Temporal takes it for dead and has it repeated (heartbeat timeout): a
 * third of the wire deadline, in bounds. The repeat could not send before the lease is over in any case, so that a
 * long deadline needs no frequent word; hundreds of slow receivers would otherwise cost their worker hundreds of
 * calls a second.
 */
export const silenceMs = (timeoutMs: DeliveryPolicy['timeoutMs']): number =>
  Math.min(SILENCE_MS[1], Math.max(SILENCE_MS[0], Math.round(timeoutMs / 3)));

/** The longest deadline of which a drain lets the whole lease pass: claim, send and settle. */
export const coveredTimeoutMs = ({ drainMs, leaseMarginMs }: WorkerTimes): number =>
  Math.max(0, drainMs - leaseMarginMs);

/** How long a worker takes at most to stop: the drain, and a margin in which what it cut is put on record. */
export const longestStopMs = ({ drainMs, leaseMarginMs }: WorkerTimes): number => drainMs + leaseMarginMs;

/** A deadline that is in force, and for whom. */
export interface Deadline {
  readonly timeoutMs: number;
  readonly subscriber: string;
}

/**
 * Why these times contradict each other, or undefined where they don't. `longest` is the longest deadline in
 * force; none where there is no subscriber. A drain that is shorter than a lease would cut a send at each deploy
 * that its receiver was about to answer.
 */
export function faultInTimes(times: WorkerTimes, longest: Deadline | undefined): string | undefined {
  if (!longest || longest.timeoutMs <= coveredTimeoutMs(times)) return undefined;
  return (
    `${times.drainMs} ms is less than the longest attempt takes: the deadline of ${longest.timeoutMs} ms of ` +
    `subscriber ${longest.subscriber} and ${times.leaseMarginMs} ms of WAYBILL_LEASE_MARGIN_MS; ` +
    `set it to ${longest.timeoutMs + times.leaseMarginMs} or more`
  );
}
