/**
 * Time, as activities know it. Never from workflow input: a task may wait in a queue for hours. Tests on a
 * time-skipping server pass a clock of that server's.
 */
export interface Clock {
  /** Passed to the ledger as its `now`; null means Postgres's own clock, which all workers share. */
  ledgerNow(): Promise<Date | null>;
  /** Epoch ms: signature timestamps and Retry-After dates. */
  epochMs(): Promise<number>;
  /** Never jumps: leases and deadlines. */
  monotonicMs(): number;
}

export const systemClock: Clock = {
  ledgerNow: () => Promise.resolve(null),
  epochMs: () => Promise.resolve(Date.now()),
  monotonicMs: () => performance.now(),
};
