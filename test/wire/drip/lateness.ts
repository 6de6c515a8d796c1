export interface Lateness {
  /** How late a timer of this process was at most since the beginning, or since `reset`. */
  lateMs(): number;
  reset(): void;
}

const EVERY_MS = 25;

/** Watches how late this process's own timers fire. */
export function watchLateness(): Lateness {
  let most = 0;
  let lastMs = performance.now();
  const look = (): void => {
    const nowMs = performance.now();
    most = Math.max(most, nowMs - lastMs - EVERY_MS);
    lastMs = nowMs;
  };
  setInterval(look, EVERY_MS);
  return {
    lateMs: () => Math.round(most),
    reset: () => {
      most = 0;
    },
  };
}
