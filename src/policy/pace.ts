/**
 * How fast large fan-outs start their deliveries: as fast as Temporal answers without being kept busy by it. It climbs by
 * steps while the answers come quickly and falls by a share of itself when they don't, as senders on a shared line do.
 */
export interface Pace {
  readonly perSecond: number;
  /** The quickest typical answer so far: what Temporal takes when it is at ease. Null before the first. */
  readonly bestMs: number | null;
}

/** Where it begins, unless the most that is allowed is less. */
const FIRST_PER_SECOND = 6;
/** Never slower, so that a fan-out comes to its end beside whatever else keeps Temporal busy. */
export const LEAST_PER_SECOND = 2;
const STEP_PER_SECOND = 1;
const FALLS_TO = 0.7;
/** An answer to a start that takes longer is slow, */
export const SLOW_ANSWER_MS = 60;
/** unless this Temporal is farther away: then it is slow when it takes so many times the best one. */
const SLOW_TIMES_BEST = 1.3;

/** @param most starts a second, whatever the answers */
export function firstPace(most: number): Pace {
  return { perSecond: Math.min(FIRST_PER_SECOND, most), bestMs: null };
}

/** @param answerMs how long a typical start of late was waited for; infinite where starts fail */
export function nextPace({ perSecond, bestMs: before }: Pace, answerMs: number, most: number): Pace {
  const bestMs = Math.min((before ?? Infinity) * 1.01, answerMs);
  const isSlow = answerMs > Math.max(SLOW_ANSWER_MS, SLOW_TIMES_BEST * (before ?? 0));
  const next = isSlow ? Math.max(perSecond * FALLS_TO, LEAST_PER_SECOND) : perSecond + STEP_PER_SECOND;
  return { perSecond: Math.min(next, most), bestMs: bestMs === Infinity ? null : bestMs };
}
