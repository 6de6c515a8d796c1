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
const FIRST_PER_SECOND = 4;
/** Never slower, so that a fan-out comes to its end beside whatever else keeps workers busy. */
export const LEAST_PER_SECOND = 2;
const STEP_PER_SECOND = 1;
const FALLS_TO = 0.7;
/** A take-up that takes longer is slow, */
export const SLOW_TAKE_UP_MS = 55;
/** unless it takes longer at ease, too: then it is slow when it takes so many times the best one. */
const SLOW_TIMES_BEST = 1.3;

/** @param most starts a second, whatever the take-ups */
export function firstPace(most: number): Pace {
  return { perSecond: Math.min(FIRST_PER_SECOND, most), bestMs: null };
}

/** @param takeUpMs from its start until a worker had it, of late, of the slower ones; infinite where starts fail */
export function nextPace({ perSecond, bestMs: before }: Pace, takeUpMs: number, most: number): Pace {
  const bestMs = Math.min((before ?? Infinity) * 1.01, takeUpMs);
  const isSlow = takeUpMs > Math.max(SLOW_TAKE_UP_MS, SLOW_TIMES_BEST * (before ?? 0));
  const next = isSlow ? Math.max(perSecond * FALLS_TO, LEAST_PER_SECOND) : perSecond + STEP_PER_SECOND;
  return { perSecond: Math.min(next, most), bestMs: bestMs === Infinity ? null : bestMs };
}
