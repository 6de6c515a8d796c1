import { constants } from 'node:os';

/** npm, too, passes Ctrl-C on to us, which the terminal has sent us already: the same wish, not another. */
const ECHO_MS = 1_000;

export class InterruptedError extends Error {
  override name = 'InterruptedError';
  /** As a shell reports a death by this signal. */
  readonly status: number;
  constructor(signal: NodeJS.Signals) {
    super(`interrupted by ${signal}`);
    this.status = 128 + constants.signals[signal];
  }
}

export interface Interruptions {
  /** Aborted by the first SIGINT, SIGTERM or SIGHUP, with an {@link InterruptedError}. */
  signal: AbortSignal;
  /** Each wish to end goes to this listener, one that came before too; `again` when it's not the first. */
  onInterrupt(listener: (signal: NodeJS.Signals, again: boolean) => void): void;
}

/** Takes over the signals that ask this process to end. A signal that arrives twice at once counts once. */
export function interruptions(): Interruptions {
  const controller = new AbortController();
  let last: { signal: NodeJS.Signals; at: number } | undefined;
  let listener: ((signal: NodeJS.Signals, again: boolean) => void) | undefined;
  const receive = (signal: NodeJS.Signals) => {
    const again = last !== undefined;
    if (last && Date.now() - last.at < ECHO_MS) return;
    last = { signal, at: Date.now() };
    controller.abort(new InterruptedError(signal));
    listener?.(signal, again);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, receive);
  return {
    signal: controller.signal,
    onInterrupt: (next) => {
      listener = next;
      if (last) next(last.signal, false);
    },
  };
}
