import { EVENT_TYPE } from '../contract.js';

/**
 * How long and how often Waybill tries, per subscriber. Plain data: it is stored with the subscriber, read at
 * each attempt, and carried in the obligation workflow's start input. All durations are milliseconds.
 */
export interface DeliveryPolicy {
  /** First to second attempt, exactly: no jitter. */
  readonly firstRetryMs: number;
  /** Each further wait is the one before times this; from the second retry on with equal jitter. */
  readonly factor: number;
  /** Longest wait of our own making. A Retry-After may ask for more and is honoured in full up to 30 days. */
  readonly ceilingMs: number;
  /** Tries before the obligation is dead. A redrive starts the count anew. */
  readonly maxTries: number;
  /** An event older than this is not worth delivering any more: the obligation ends `expired`. */
  readonly validityMs: number;
  /** Event type -> validity that holds for it instead. */
  readonly validityMsByType: Readonly<Record<string, number>>;
  /** How long a dead obligation can be redriven. */
  readonly redriveWindowMs: number;
  /** Total deadline of one attempt: DNS, connect, TLS, head and body. */
  readonly timeoutMs: number;
  /** A receiver that has failed for this long, with nothing delivered in between, is paused by the system; 0: never. */
  readonly pauseAfterMs: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** With 24 tries the waits add up to 7.9 to 15.8 days, by jitter; a test holds the lower bound. */
export const DEFAULT_POLICY: DeliveryPolicy = {
  firstRetryMs: 5 * MINUTE_MS,
  factor: 2,
  ceilingMs: 24 * HOUR_MS,
  maxTries: 24,
  validityMs: 14 * DAY_MS,
  validityMsByType: {},
  redriveWindowMs: 30 * DAY_MS,
  timeoutMs: 15_000,
  pauseAfterMs: 14 * DAY_MS,
};

/** Inclusive bounds in the fields' own units. No wait, ceiling or validity is capped at a week, or even a year. */
export const POLICY_BOUNDS = {
  firstRetryMs: [1, 366 * DAY_MS],
  factor: [1, 100],
  ceilingMs: [1, 366 * DAY_MS],
  maxTries: [1, 10_000],
  validityMs: [1, 3_660 * DAY_MS],
  redriveWindowMs: [0, 3_660 * DAY_MS],
  timeoutMs: [100, 10 * MINUTE_MS],
  /** Or 0. */
  pauseAfterMs: [HOUR_MS, 366 * DAY_MS],
} as const satisfies Partial<Record<keyof DeliveryPolicy, readonly [number, number]>>;

/** The policy travels in every obligation's start input, so it stays small. */
const MAX_TYPES = 50;

export type PolicyFault = { readonly field: string; readonly why: string };

/**
 * `given` over `base`, checked. Answers the first fault instead where a field is unknown, not a number or out
 * of bounds. `factor` may be fractional; everything else is whole.
 */
export function mergePolicy(
  base: DeliveryPolicy,
  given: Readonly<Record<string, unknown>>,
): DeliveryPolicy | PolicyFault {
  const merged: Record<string, unknown> = { ...base };
  for (const [field, value] of Object.entries(given)) {
    if (field === 'validityMsByType') {
      const fault = faultInValidities(value);
      if (fault) return fault;
      merged[field] = value;
      continue;
    }
    if (!Object.hasOwn(POLICY_BOUNDS, field)) return { field, why: 'no such policy field' };
    const [least, most] = POLICY_BOUNDS[field as keyof typeof POLICY_BOUNDS];
    const why = faultInNumber(value, least, most, field !== 'factor');
    const never = field === 'pauseAfterMs' && value === 0;
    if (why && !never) return { field, why: field === 'pauseAfterMs' ? `${why}, or 0` : why };
    merged[field] = value;
  }
  return merged as unknown as DeliveryPolicy;
}

export const isPolicyFault = (x: DeliveryPolicy | PolicyFault): x is PolicyFault => 'why' in x;

function faultInNumber(value: unknown, least: number, most: number, whole: boolean): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number';
  if (whole && !Number.isInteger(value)) return 'must be a whole number';
  if (value < least || value > most) return `must be from ${least} to ${most}`;
  return undefined;
}

function faultInValidities(value: unknown): PolicyFault | undefined {
  const field = 'validityMsByType';
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { field, why: 'must be an object' };
  if (Object.keys(value).length > MAX_TYPES) return { field, why: `may name at most ${MAX_TYPES} types` };
  const [least, most] = POLICY_BOUNDS.validityMs;
  for (const [type, ms] of Object.entries(value)) {
    if (!EVENT_TYPE.test(type) || type.length > 128)
      return { field, why: 'names something that is no event type' };
    const why = faultInNumber(ms, least, most, true);
    if (why) return { field: `${field}.${type}`, why };
  }
  return undefined;
}
