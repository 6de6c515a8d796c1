/** Lets one through at a time, in the order they came. */
export interface Turnstile {
  /** Resolves at once where nobody passed just now. */
  pass(): Promise<void>;
}

/**
 * Calls that hundreds would make in the same instant, one after the other: no two pass within `apartMs`, a timer's
 * accuracy of a millisecond aside. A call to Temporal that is on its way holds some 100 KB in the SDK, and a process keeps
 * the most it ever held.
 */
export function makeTurnstile(apartMs: number): Turnstile {
  const waiting: (() => void)[] = [];
  let closed = false;
  const open = (): void => {
    closed = false;
    const next = waiting.shift();
    if (next) go(next);
  };
  const go = (through: () => void): void => {
    closed = true;
    setTimeout(open, apartMs);
    through();
  };
  return {
    pass: () =>
      new Promise((resolve) => {
        if (closed) waiting.push(resolve);
        else go(resolve);
      }),
  };
}
