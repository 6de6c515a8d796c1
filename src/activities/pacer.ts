import { setTimeout as delay } from 'node:timers/promises';
import { firstPace, nextPace, type Pace } from '../policy/pace.js';

/** Lets the starts of a process's large fan-outs pass one after the other, at the pace that their take-up allows. */
export interface Pacer {
  /** Resolves when the next start may go. Whoever asks for one at a time shares evenly with the others. */
  turn(signal: AbortSignal): Promise<void>;
  /** Told how long one was on its way from its start until a worker had it. */
  learn(tookMs: number): void;
  /** Makes the call and learns where it failed. */
  timed<T>(start: () => Promise<T>): Promise<T>;
}

/** So many take-ups make one step: enough that a single odd one doesn't. */
const TAKE_UPS_A_STEP = 8;
/** Of these a step goes by the one that this share is quicker than: others notice the slow ones. */
const QUICKER_SHARE = 0.75;
/** After such a pause what was learned says nothing any more. */
const FORGETS_AFTER_MS = 60_000;

/** No timer is finer than this. */
const TIMER_MS = 1;

/** @param most starts a second */
export function makePacer(most: number): Pacer {
  let pace: Pace = firstPace(most);
  let nextAtMs = 0;
  let takeUpsMs: number[] = [];
  const learn = (tookMs: number): void => {
    takeUpsMs.push(tookMs);
    if (takeUpsMs.length < TAKE_UPS_A_STEP) return;
    pace = nextPace(pace, upperOf(takeUpsMs), most);
    takeUpsMs = [];
  };
  return {
    learn,
    async turn(signal) {
      const nowMs = performance.now();
      if (nowMs - nextAtMs > FORGETS_AFTER_MS) pace = firstPace(most);
      const mineMs = Math.max(nextAtMs, nowMs);
      nextAtMs = mineMs + 1_000 / pace.perSecond;
      if (mineMs - nowMs < TIMER_MS) return;
      await delay(mineMs - nowMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    },
    async timed(start) {
      try {
        return await start();
      } catch (error) {
        learn(Infinity);
        throw error;
      }
    },
  };
}

const upperOf = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * QUICKER_SHARE)] ?? 0;
