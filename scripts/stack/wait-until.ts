import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 50;

/**
 * Asks again and again until `condition` answers something other than undefined or false, and returns that. Throws
 * an error that names `what` after `timeoutMs`, and the signal's reason once it is aborted.
 */
export async function waitUntil<T>(
  what: string,
  timeoutMs: number,
  condition: () => T | Promise<T>,
  signal?: AbortSignal,
): Promise<NonNullable<Exclude<T, false>>> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    signal?.throwIfAborted();
    const answer = await condition();
    if (answer !== undefined && answer !== null && answer !== false)
      return answer as NonNullable<Exclude<T, false>>;
    if (Date.now() > deadline) throw new Error(`not within ${timeoutMs / 1000} s: ${what}`);
    await sleep(POLL_MS);
  }
}
