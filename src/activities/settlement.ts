import { createHash } from 'node:crypto';
import type { Go } from '../ledger/claim.js';
import type { Settlement } from '../ledger/settle.js';
import { decide } from '../policy/decide.js';
import type { Verdict } from '../wire/send.js';
import type { AttemptInput } from './types.js';

/** The verdict of one attempt together with what policy makes of it, ready to be put on record. */
export function settlementOf(
  go: Go,
  input: AttemptInput,
  verdict: Verdict,
  answeredAtMs: number,
  random: number,
): Settlement {
  const decision = decide(go.subscriber.policy, verdict, {
    tryNumber: input.tryNumber,
    uncounted: go.attempt - input.tryNumber,
    nowMs: answeredAtMs,
    random,
  });
  const { excerpt } = verdict;
  return {
    key: input.key,
    attempt: go.attempt,
    outcome: verdict.outcome,
    class: verdict.class,
    status: verdict.status,
    sent: verdict.sent,
    counted: decision.counted,
    error: verdict.error,
    retryAfter: verdict.retryAfter,
    retryClamped: decision.retryClamped,
    location: verdict.location,
    address: verdict.address,
    responseBytes: verdict.responseBytes,
    // Nothing was sent: it would pass for a fast receiver.
    ...(verdict.outcome === 'shadow' ? {} : { tookMs: Math.round(verdict.tookMs) }),
    ...(excerpt && excerpt.byteLength > 0
      ? {
          responseDigest: createHash('sha256').update(excerpt).digest('hex'),
          excerpt: Buffer.from(excerpt).toString('base64'),
          excerptEncoding: verdict.excerptEncoding,
        }
      : {}),
    next: {
      to: decision.to,
      waitMs: decision.waitMs,
      coolMs: decision.coolMs,
      health: decision.health,
      redriveWindowMs: decision.redriveWindowMs,
    },
  };
}
