import type { Disposition, ErrorClass, Outcome } from '../contract.js';

/**
 * Where an obligation stands, as the ledger says it: the answer to every claim, settle and act. Durations are
 * from the moment of the answer, so no reader needs the ledger's clock.
 */
export interface Standing {
  /** What its workflow has to do: try now, wait, hold, wait out a lease, keep the redrive window open, or end. */
  readonly is: 'due' | 'waiting' | 'held' | 'attempting' | 'dead' | 'over';
  readonly disposition: Disposition;
  /** Moves on with each change: of two answers the one with the higher `rev` is the newer truth. */
  readonly rev: number;
  readonly round: number;
  /** Tries used in this round. */
  readonly tries: number;
  readonly attempts: number;
  readonly waitMs: number;
  /** How long a lease still runs, whatever the disposition; 0 where none is open. */
  readonly leaseMs: number;
  readonly reason: string | null;
  readonly outcome: Outcome | null;
  readonly class: ErrorClass | null;
  readonly status: number | null;
}

/** The newer of two answers; of two equally new ones the later argument, whose durations are fresher. */
export const newerStanding = (a: Standing, b: Standing): Standing => (b.rev >= a.rev ? b : a);

/** "503", "timeout", "worker_crash": the shortest truthful word for what the last attempt came to. */
export function lastWord(s: Standing): string {
  if (s.status !== null) return String(s.status);
  return s.class ?? 'none';
}
