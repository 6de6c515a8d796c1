import type { Role } from './cast.js';

/** What a receiver does once it holds the whole request. */
export type Answer =
  | {
      readonly does: 'answers';
      readonly status: number;
      readonly afterMs: number;
      readonly retryAfter?: string;
    }
  /** Keeps the request until the sender gives up. */
  | { readonly does: 'hangs' }
  /** Ends the connection without an answer. */
  | { readonly does: 'drops' };

const SLOW_MS = 1_200;
/** So long that more than its cap would be open at once if nobody held them back. */
const QUEUEING_MS = 1_000;
const RETRY_AFTER_S = 3;

const fine = (afterMs = 0): Answer => ({ does: 'answers', status: 200, afterMs });
const refused = (status: number, retryAfter?: string): Answer => ({
  does: 'answers',
  status,
  afterMs: 0,
  ...(retryAfter === undefined ? {} : { retryAfter }),
});

/** The answer of a role to the `nth` (1 = the first) whole request for the same key. `mended`: it behaves now. */
export function answerOf(role: Role, nth: number, mended: boolean): Answer {
  if (mended) return fine();
  switch (role) {
    case 'healthy':
    case 'stranger':
      return fine();
    case 'slow':
      return fine(SLOW_MS);
    case 'queueing':
      return fine(QUEUEING_MS);
    case 'unavailable':
      return nth <= 2 ? refused(503) : fine();
    case 'throttled':
      return nth === 1 ? refused(429, String(RETRY_AFTER_S)) : fine();
    case 'rejecting':
      return refused(400);
    case 'hopeless':
      return refused(503);
    case 'hanging':
      return nth === 1 ? { does: 'hangs' } : fine();
    case 'dropping':
      return nth === 1 ? { does: 'drops' } : fine();
  }
}
