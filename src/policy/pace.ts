/**
 * How fast large fan-outs start their deliveries: as fast as what they start is taken up about as soon as at ease. It
 * climbs by steps while it is and falls by a share of itself when it isn't, as senders on a shared line do.
 */
export interface Pace {
  readonly perSecond: number;
  /** The shortest take-up so far: what it takes at ease. Null before the first. */
  readonly bestMs: number | null;
}

/** Where it begins, unless the most that is allowed is less. */
const FIRST_PER_SECOND = 3;
/** Never slower, so that a fan-out comes to its end beside whatever else keeps workers busy. */
export const LEAST_PER_SECOND = 2;
const STEP_PER_SECOND = 0.5;
const FALLS_TO = 0.7;
/** A take-up is slow that takes so many times the best one: what it takes at ease differs by machine and by Temporal. */
const SLOW_TIMES_BEST = 1.25;
/** Up to this nobody minds. */
export const QUICK_TAKE_UP_MS = 20;

/** @param most starts a second, whatever the take-ups */
export function firstPace(most: number): Pace {
  return { perSecond: Math.min(FIRST_PER_SECOND, most), bestMs: null };
}

/** @param takeUpMs from its start until a worker had it, of late, of the slower ones; infinite where starts fail */
export function nextPace({ perSecond, bestMs: before }: Pace, takeUpMs: number, most: number): Pace {
  const bestMs = Math.min((before ?? Infinity) * 1.01, takeUpMs);
  const limitMs = Math.max(QUICK_TAKE_UP_MS, SLOW_TIMES_BEST * (before ?? takeUpMs));
  const isSlow = takeUpMs > limitMs || takeUpMs === Infinity;
  const next = isSlow ? Math.max(perSecond * FALLS_TO, LEAST_PER_SECOND) : perSecond + STEP_PER_SECOND;
  return { perSecond: Math.min(next, most), bestMs: bestMs === Infinity ? null : bestMs };
}
