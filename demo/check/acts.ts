import type { JournalRequest } from '../journal.js';
import { CLOCK_GRAIN_MS } from './judge.js';
import type { ActFact, AttemptFact, LedgerView } from './ledger.js';

export interface Times {
  readonly ledger: LedgerView;
  readonly attemptsByKey: ReadonlyMap<string, readonly AttemptFact[]>;
}

/** No request may come inside; open at its end where nobody resumed. */
export interface Interval {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Whether `atMs` can have been there when the request came. */
export const firstKnownAfter = (request: JournalRequest, atMs: number): boolean =>
  atMs <= request.headAtMs + CLOCK_GRAIN_MS;

/**
 * When each key was held, by its own pause, its subscriber's, or the system's hold: from the moment at which the
 * pause is confirmed (on record, and no lease open that began before it) to the resume.
 */
export function heldIntervals({ ledger, attemptsByKey }: Times): Map<string, Interval[]> {
  const held = new Map<string, Interval[]>();
  for (const { key, subscriberId } of ledger.obligations) {
    const attempts = attemptsByKey.get(key) ?? [];
    const own = ledger.acts.filter((a) => a.key === key && ['pause', 'hold', 'resume'].includes(a.act));
    const over = ledger.acts.filter(
      (a) => a.key === null && a.subscriberId === subscriberId && /^subscriber (pause|resume)$/.test(a.act),
    );
    const intervals = [...pairs(own), ...pairs(over)].map(({ fromMs, toMs }) => ({
      fromMs: confirmedAt(fromMs, attempts),
      toMs,
    }));
    if (intervals.length > 0) held.set(key, intervals);
  }
  return held;
}

/** From when on no request may come for a terminated key. */
export function terminatedFrom({ ledger, attemptsByKey }: Times): Map<string, number> {
  const from = new Map<string, number>();
  for (const { act, key, atMs } of ledger.acts) {
    if (act === 'terminate' && key !== null && !from.has(key)) {
      from.set(key, confirmedAt(atMs, attemptsByKey.get(key) ?? []));
    }
  }
  return from;
}

function pairs(acts: readonly ActFact[]): Interval[] {
  const intervals: Interval[] = [];
  let fromMs: number | undefined;
  for (const { act, atMs } of acts) {
    if (act.endsWith('resume')) {
      if (fromMs !== undefined) intervals.push({ fromMs, toMs: atMs });
      fromMs = undefined;
    } else fromMs ??= atMs;
  }
  return fromMs === undefined ? intervals : [...intervals, { fromMs, toMs: Infinity }];
}

/** The act itself, or the end of the lease that was open at that moment. */
function confirmedAt(actAtMs: number, attempts: readonly AttemptFact[]): number {
  const ends = attempts
    .filter((a) => a.startedAtMs <= actAtMs)
    .map((a) => Math.min(a.leaseUntilMs, a.outcomes[0]?.settledAtMs ?? Infinity));
  return Math.max(actAtMs, ...ends);
}
