import type { SeenRequest } from '../scale/journal.js';
import type { Measured } from './healthy.js';
import type { Story } from './histories.js';
import { percentile } from './judge.js';

/** Where a delivery waits between its event's acceptance and its request. */
export const STRETCHES = [
  'accepted to workflow started',
  'to its first task taken',
  'to attempt scheduled',
  'to attempt taken',
  'to claim granted',
  'to request begun',
] as const;

export type Waits = Readonly<
  Record<(typeof STRETCHES)[number] | 'in all', { readonly p50: number; readonly p99: number }>
>;

/** Milliseconds of each stretch, over all deliveries that were measured. */
export function waitsOf(
  { acceptedAtMs }: Measured,
  requests: readonly SeenRequest[],
  stories: ReadonlyMap<string, Story>,
  claims: ReadonlyMap<string, number>,
): Waits {
  const rows = requests.flatMap(({ atMs, attempt, key, shipment }) => {
    const accepted = acceptedAtMs.get(shipment);
    const story = stories.get(key);
    if (accepted === undefined || !story || attempt !== 1) return [];
    const { firstTaskAtMs, scheduledAtMs, startedAtMs, takenAtMs } = story;
    const moments = [
      accepted,
      startedAtMs,
      firstTaskAtMs,
      scheduledAtMs,
      takenAtMs,
      claims.get(key) ?? NaN,
      atMs,
    ];
    return [
      moments
        .slice(1)
        .map((moment, i) => moment - (moments[i] ?? NaN))
        .concat(atMs - accepted),
    ];
  });
  const words = [...STRETCHES, 'in all'] as const;
  return Object.fromEntries(
    words.map((word, i) => {
      const values = rows.map((row) => row[i] ?? NaN);
      return [word, { p50: Math.round(percentile(values, 0.5)), p99: Math.round(percentile(values, 0.99)) }];
    }),
  ) as Waits;
}
