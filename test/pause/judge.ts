import type { Mark, SeenRequest } from '../scale/journal.js';

/** Requests of these endpoints that began between two places of the journal. */
export const begunBetween = (
  requests: readonly SeenRequest[],
  isOne: (request: SeenRequest) => boolean,
  from: Pick<Mark, 'place'>,
  to: Pick<Mark, 'place'>,
): SeenRequest[] =>
  requests.filter((request) => request.begin > from.place && request.begin < to.place && isOne(request));

/** As docs state it: within these it climbs from a tenth of the ramp to the whole. */
const CLIMB_MS = 30_000;
const WINDOW_MS = 1_000;

/** What a resumed destination may get a second, so long after its resume. */
export const rampRate = (ramp: number, sinceMs: number): number =>
  ramp * Math.min(1, 0.1 + (0.9 * Math.max(0, sinceMs)) / CLIMB_MS);

/** No second holds more than the rate and this. */
export const burstOf = (rate: number): number => Math.max(2, rate / 4);

export interface Seconds {
  /** By how much the worst second is above its rate and burst; 0 where none is. */
  readonly above: number;
  /** Requests in the fullest second. */
  readonly fullest: number;
}

/** Looks at each second that begins with one of these moments, in ms of the clock that `resumedAtMs` is of. */
export function judgeRamp(beginsAtMs: readonly number[], resumedAtMs: number, ramp: number): Seconds {
  const begins = [...beginsAtMs].sort((a, b) => a - b);
  let above = 0;
  let fullest = 0;
  let end = 0;
  begins.forEach((fromMs, i) => {
    while (end < begins.length && (begins[end] ?? 0) < fromMs + WINDOW_MS) end += 1;
    const count = end - i;
    const rate = rampRate(ramp, fromMs + WINDOW_MS - resumedAtMs);
    above = Math.max(above, count - rate - burstOf(rate));
    fullest = Math.max(fullest, count);
  });
  return { above: Math.round(above * 100) / 100, fullest };
}

/** Of what must be delivered, keys that no request was answered with 200. */
export function unanswered(keys: readonly string[], requests: readonly SeenRequest[]): string[] {
  const answered = new Set(requests.filter(({ ended }) => ended?.status === 200).map(({ key }) => key));
  return keys.filter((key) => !answered.has(key));
}
