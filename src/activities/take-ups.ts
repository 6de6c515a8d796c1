import type { ObligationKey } from '../contract.js';

/** Of these keys those that a worker could take up now and none has. */
type Untaken = (keys: readonly ObligationKey[]) => Promise<ReadonlySet<ObligationKey>>;

/** Sees how soon what large fan-outs of a process have started is taken up. */
export interface TakeUps {
  started(key: ObligationKey): void;
  /** Looks until the answer is called. */
  watch(): () => void;
}

const LOOK_EVERY_MS = 40;
/** What isn't taken up by then waits for something else. */
const GIVE_UP_MS = 10_000;

export function makeTakeUps(untaken: Untaken, learn: (tookMs: number) => void): TakeUps {
  const open = new Map<ObligationKey, number>();
  let watchers = 0;
  const look = async (): Promise<void> => {
    if (open.size === 0) return;
    const left = await untaken([...open.keys()]);
    const nowMs = performance.now();
    for (const [key, atMs] of open) {
      const late = nowMs - atMs > GIVE_UP_MS;
      if (left.has(key) && !late) continue;
      open.delete(key);
      learn(nowMs - atMs);
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
