import type { Log } from './log.js';

/** What trouble says over and over: of each delivery in hand, at each try. */
const REPEATED: ReadonlySet<string> = new Set([
  'activity.failed',
  'attempt.failed',
  'claim.waiting',
  'database.connection_lost',
  'relay.failed',
  'relay.waiting',
  'settle.waiting',
  'verdict.not_held',
]);
const WINDOW_MS = 1_000;

/** The last line that was left out of a window, and how many there were. */
interface Window {
  readonly fields: object;
  readonly left: number;
}

/**
 * The log with its warnings of trouble bounded, however many deliveries are in hand: of each such name the first line
 * of a second, and at the second's end the last one, with how many it stands for as `lines`. All else passes as it is.
 */
export function calm(log: Log): Log {
  const windows = new Map<string, Window | undefined>();
  const close = (name: string): void => {
    const window = windows.get(name);
    windows.delete(name);
    if (window) log.warn({ ...window.fields, lines: window.left }, name);
  };
  return {
    debug: (fields, name) => log.debug(fields, name),
    info: (fields, name) => log.info(fields, name),
    error: (fields, name) => log.error(fields, name),
    warn(fields, name) {
      if (windows.has(name)) {
        windows.set(name, { fields, left: (windows.get(name)?.left ?? 0) + 1 });
        return;
      }
      log.warn(fields, name);
      if (!REPEATED.has(name)) return;
      windows.set(name, undefined);
      setTimeout(() => close(name), WINDOW_MS).unref();
    },
  };
}
