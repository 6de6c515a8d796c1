import type { SeenRequest } from '../scale/journal.js';

/** By nearest rank; NaN of nothing. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** The most moments that lie within any second, its end left out. */
export function fullestSecond(atMs: readonly number[]): number {
  return Math.max(0, ...countsBySecond(atMs).map(({ count }) => count));
}

/** For each moment how many lie in the second that begins with it; in the order of time. */
export function countsBySecond(atMs: readonly number[]): { readonly atMs: number; readonly count: number }[] {
  const sorted = [...atMs].sort((a, b) => a - b);
  let end = 0;
  return sorted.map((one, i) => {
    while (end < sorted.length && (sorted[end] ?? 0) < one + 1_000) end += 1;
    return { atMs: one, count: end - i };
  });
}

/** The most requests that were open at once, by the receiver's row of beginnings and ends. */
export function mostOpen(requests: readonly SeenRequest[]): number {
  const steps = requests.flatMap(({ begin, ended }) => [
    { place: begin, by: 1 },
    ...(ended ? [{ place: ended.end, by: -1 }] : []),
  ]);
  let open = 0;
  let most = 0;
  for (const { by } of steps.sort((a, b) => a.place - b.place)) most = Math.max(most, (open += by));
  return most;
}

/** How many were open at a moment. */
export const openAt = (requests: readonly SeenRequest[], atMs: number): number =>
  requests.filter((one) => one.atMs <= atMs && (one.ended === undefined || one.ended.atMs > atMs)).length;

/** A stretch of time by the receiver's clock, in epoch ms. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

export const begunWithin = (requests: readonly SeenRequest[], { fromMs, toMs }: Span): SeenRequest[] =>
  requests.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);

export const secondsOf = ({ fromMs, toMs }: Span): number => (toMs - fromMs) / 1_000;
