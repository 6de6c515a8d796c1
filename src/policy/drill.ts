/** How a request of a drill differs from a delivery as it should be. */
export type Twist =
  | 'none'
  | 'second signature'
  | 'wrong secret'
  | 'altered body'
  | 'altered id'
  | 'old timestamp'
  | 'future timestamp'
  | 'unsigned';

/** One check of a drill: a request, and what a receiver that keeps to the protocol answers. */
export interface DrillCheck {
  readonly name: string;
  readonly twist: Twist;
  /** The version in the request's key; two checks with the same one share the key. */
  readonly version: number;
  readonly attempt: number;
  readonly expects: 'accepted' | 'refused';
  /** What to mend where the answer is another one. */
  readonly advice: string;
}

const check = (
  name: string,
  expects: DrillCheck['expects'],
  [version, attempt]: readonly [number, number],
  twist: Twist,
  advice: string,
): DrillCheck => ({ name, expects, version, attempt, twist, advice });

const VERIFY = 'verify over the raw bytes of the body with the secret, before anything else, and answer 401';
const TOLERANCE = 'refuse a timestamp that is more than five minutes off, past or future';

/** In this order: the older version comes after the newer one, the repeat after its first. */
export const DRILL: readonly DrillCheck[] = [
  check(
    'valid',
    'accepted',
    [2, 1],
    'none',
    'check the secret, and that the signature is verified over the raw bytes and not over a parsed body',
  ),
  check('duplicate', 'accepted', [2, 2], 'none', 'answer 2xx to a key you have acted on; do not act again'),
  check(
    'older version',
    'accepted',
    [1, 1],
    'none',
    'acknowledge an older version with 2xx; do not act on it',
  ),
  check(
    'second signature',
    'accepted',
    [3, 1],
    'second signature',
    'accept if any of the signatures fits: during a rotation there are two, separated by a blank',
  ),
  check('wrong secret', 'refused', [4, 1], 'wrong secret', VERIFY),
  check('altered body', 'refused', [5, 1], 'altered body', VERIFY),
  check('altered id', 'refused', [6, 1], 'altered id', 'the webhook-id is part of what is signed'),
  check('unsigned', 'refused', [7, 1], 'unsigned', VERIFY),
  check('old timestamp', 'refused', [8, 1], 'old timestamp', TOLERANCE),
  check('future timestamp', 'refused', [9, 1], 'future timestamp', TOLERANCE),
  check(
    'valid after a forged one',
    'accepted',
    [4, 1],
    'none',
    'remember a key only once its request was verified; else a forger can keep you from the real one',
  ),
];

/**
 * Whether a `webhook-id` is one of a drill's: four parts, where an obligation's key has three, whatever its shipment is
 * called.
 */
export const isDrillKey = (key: string): boolean => /^drill:[^:]+:[^:]+:\d+$/.test(key);

/** How far off the timestamps of the drill are: twice the tolerance of the protocol. */
export const DRILL_TIMESTAMP_OFF_MS = 10 * 60_000;

/** 4xx that say "not now": no refusal of the request itself. */
const NOT_NOW: ReadonlySet<number> = new Set([408, 425, 429]);

/** Whether the answer is the expected one. No answer is neither acceptance nor refusal. */
export function passes(expects: DrillCheck['expects'], status: number | undefined): boolean {
  if (status === undefined) return false;
  if (expects === 'accepted') return status >= 200 && status < 300;
  return status >= 400 && status < 500 && !NOT_NOW.has(status);
}

/** How long an acknowledgement may take to pass: half of the deadline, so that a bad day still fits. */
export const acknowledgeWithinMs = (timeoutMs: number): number => Math.floor(timeoutMs / 2);
