import type { Role } from '../../demo/cast.js';
import type { DeliveryPolicy } from '../../src/policy/delivery-policy.js';
import { newSecret } from '../../src/wire/sign.js';

/** Seconds where the default takes days; the deadline is above the slow answer and below the heartbeat timeout. */
export const POLICY: Partial<DeliveryPolicy> = {
  firstRetryMs: 300,
  factor: 2,
  ceilingMs: 1_000,
  maxTries: 12,
  timeoutMs: 2_500,
  redriveWindowMs: 600_000,
};

/** What every event of a round carries. */
export const NOTE = 'x'.repeat(2_000);
/** Less than any request with it has, headers and all, and more than a hello. */
export const REQUEST_BYTES = 2_300;
/** Longer than any receiver that answers takes to. */
export const SLOWEST_ANSWER_MS = 1_300;
/** Answers that are lost in one blow. */
export const LOST_AT_MOST = 5;

/** A subscriber of one round: `demo/receiver.ts` plays its endpoint by role. */
export interface Player {
  readonly role: Role;
  readonly name: string;
  readonly secret: string;
}

/** Some are slow, one ends dead and is redriven, some fail at first; the rest answer 200. */
export function playersOf(round: string, size: number): Player[] {
  return Array.from({ length: size }, (_, i) => {
    const role = roleOf(i);
    return { role, name: `${role}-${round}-${String(i).padStart(3, '0')}`, secret: newSecret() };
  });
}

function roleOf(i: number): Role {
  if (i % 12 === 0 || i % 12 === 4) return 'slow';
  if (i === 1) return 'rejecting';
  if (i % 10 === 2) return 'unavailable';
  if (i % 25 === 3) return 'dropping';
  return 'healthy';
}
