import type { DeliveryPolicy } from './delivery-policy.js';

/**
 * The wait after the `tries`-th try (1 = the first), in whole milliseconds.
 *
 * The first is `firstRetryMs` to the millisecond. From the second on: exponential up to the ceiling, with equal
 * jitter: half of it certain, half of it by `random` (0 to below 1), so that subscribers who failed together
 * don't come back together, and nobody comes back at once. Never more than the ceiling (which bounds
 * the first as little as a Retry-After), never NaN or Infinity, however many tries.
 */
export function backoffMs(policy: DeliveryPolicy, tries: number, random: number): number {
  if (tries <= 1) return policy.firstRetryMs;
  const grown = policy.firstRetryMs * policy.factor ** (tries - 1);
  const bounded = Math.min(policy.ceilingMs, grown);
  return Math.round(bounded / 2 + (bounded / 2) * random);
}
