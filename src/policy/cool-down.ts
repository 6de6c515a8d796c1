import type { DeliveryPolicy } from './delivery-policy.js';
import { parseRetryAfter } from './retry-after.js';

/** A receiver that asks to be left in peace and doesn't say for how long is left so for this long at most. */
export const COOL_DOWN_MS = 10_000;

/**
 * How long nothing is sent to the destination after this answer, whatever is owed to it. A 429 or 503 speaks for the
 * whole endpoint (RFC 6585 4, RFC 9110 15.6.4): for as long as its Retry-After says, else for 10 s, or for the
 * policy's first retry wait where that is shorter. A Retry-After of 0 or of a past date says nothing: who answers so is
 * busy all the same. Bounded like every Retry-After; any other answer: 0.
 */
export function coolDownMs(
  policy: DeliveryPolicy,
  answer: { readonly status?: number | undefined; readonly retryAfter?: string | undefined },
  nowMs: number,
): number {
  if (answer.status !== 429 && answer.status !== 503) return 0;
  const asked = answer.retryAfter === undefined ? undefined : parseRetryAfter(answer.retryAfter, nowMs);
  return asked && asked.waitMs > 0 ? asked.waitMs : Math.min(COOL_DOWN_MS, policy.firstRetryMs);
}
