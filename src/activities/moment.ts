import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../clock.js';
import type { ClaimAnswer, Go } from '../ledger/claim.js';

/** A claim's answer and when it was asked for and heard, by the process's own monotonic clock. */
export interface Asked {
  readonly answer: ClaimAnswer;
  readonly askedAtMs: number;
  readonly heardAtMs: number;
}

/** A lease, the request not yet begun. */
export interface Grant {
  readonly go: Go;
  readonly askedAtMs: number;
  readonly heardAtMs: number;
}

/** A request that would begin later than this after its moment asks for another: the moments after it are others'. */
export const LATE_MS = 250;

/**
 * Waits for the moment that the ledger has reserved for the request, where its destination has a rate. Answers the grant
 * under which it may begin now, or undefined where it was called off, or the lease isn't to be used any more: nothing was
 * sent then.
 *
 * The ledger counted from somewhere between question and answer, so the middle of the two is taken. A process that stood
 * still would send all that it held in one instant; what is late asks again, under the same lease.
 */
export async function atItsMoment(
  clock: Pick<Clock, 'monotonicMs'>,
  signal: AbortSignal,
  grant: Grant,
  ask: () => Promise<Asked>,
): Promise<Grant | undefined> {
  for (let { go, askedAtMs, heardAtMs } = grant; ;) {
    if (go.startInMs === null || go.startInMs === undefined) return { go, askedAtMs, heardAtMs };
    const beginAtMs = (askedAtMs + heardAtMs) / 2 + go.startInMs;
    const waitMs = beginAtMs - clock.monotonicMs();
    if (waitMs > 0) await delay(waitMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return undefined;
    if (clock.monotonicMs() - beginAtMs <= LATE_MS) return { go, askedAtMs, heardAtMs };
    const again = await ask();
    if (again.answer.answer !== 'go') return undefined;
    ({ askedAtMs, heardAtMs } = again);
    go = again.answer;
  }
}
