import type { DeliveryPolicy } from '../../src/policy/delivery-policy.js';

/** Seconds where the default takes days; more tries than a proof ever refuses. */
export const QUICK: Partial<DeliveryPolicy> = {
  firstRetryMs: 300,
  factor: 1.5,
  ceilingMs: 1_000,
  maxTries: 50,
  timeoutMs: 3_000,
};

/** What every event of a proof carries. */
export const payloadOf = (what: object): string => JSON.stringify({ ...what, note: 'x'.repeat(500) });
