import type { ObligationKey } from '../contract.js';

/** For how long each has been taken up; null: not yet; absent: it waits for something else. */
type Taken = (keys: readonly ObligationKey[]) => Promise<ReadonlyMap<ObligationKey, number | null>>;

/** Sees how soon what large fan-outs of a process have started is taken up. */
export interface TakeUps {
  started(key: ObligationKey): void;
  /** Looks until the answer is called. */
  watch(): () => void;
}

const LOOK_EVERY_MS = 100;
/** What isn't taken up by then waits for something else. */
const GIVE_UP_MS = 10_000;

export function makeTakeUps(taken: Taken, learn: (tookMs: number) => void): TakeUps {
  const open = new Map<ObligationKey, number>();
  let watchers = 0;
  const look = async (): Promise<void> => {
    if (open.size === 0) return;
    const asked = [...open];
    const forMs = await taken(asked.map(([key]) => key));
    const nowMs = performance.now();
    for (const [key, atMs] of asked) {
      const takenMs = forMs.get(key);
      if (takenMs === null && nowMs - atMs <= GIVE_UP_MS) continue;
      open.delete(key);
      if (takenMs !== undefined) learn(Math.max(0, nowMs - atMs - (takenMs ?? 0)));
    }
  };
  return {
    started: (key) => void open.set(key, performance.now()),
    watch() {
      let looking = false;
      watchers += 1;
      const timer = setInterval(() => {
        if (looking) return;
        looking = true;
        // It only measures: whoever needs the database says so where it is in trouble.
        void look()
          .catch(() => undefined)
          .finally(() => (looking = false));
      }, LOOK_EVERY_MS);
      return () => {
        clearInterval(timer);
        watchers -= 1;
        // What nobody looks at meanwhile would seem to have taken until somebody looks again.
        if (watchers === 0) open.clear();
      };
    },
  };
}
