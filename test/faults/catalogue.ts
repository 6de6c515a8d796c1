/** A fault of the world around Waybill's processes, which themselves go on. */
interface Fault {
  /** Which side of Waybill it is on; what is charged to a subscriber is judged by it. */
  readonly of: 'database' | 'temporal' | 'receiver';
  readonly seconds: number;
  /** With `--short`. */
  readonly shortSeconds: number;
  /** A publisher asks so often meanwhile. */
  readonly publishEveryMs: number;
}

const fault = (of: Fault['of'], seconds: number, shortSeconds = 4, publishEveryMs = 1_000): Fault => ({
  of,
  seconds,
  shortSeconds,
  publishEveryMs,
});

export const FAULTS = {
  // Every statement waits for a lock, until the ten connections of a pool are all taken.
  'pool-exhausted': fault('database', 20, 8, 350),
  // Of what claims, settles, takes from the outbox or publishes, every third is done and its answer never arrives.
  'commit-lost': fault('database', 20, 5, 250),
  'backends-terminated': fault('database', 20),
  'read-only': fault('database', 20),
  'database-down': fault('database', 300, 4, 2_000),
  'database-half-open': fault('database', 30, 8),
  'temporal-down': fault('temporal', 60),
  'temporal-killed': fault('temporal', 0, 0, 250),
  'temporal-cut': fault('temporal', 20),
  'temporal-half-open': fault('temporal', 30),
  'receiver-cut': fault('receiver', 20),
  'receiver-half-open': fault('receiver', 30, 6),
  'receiver-answer-lost': fault('receiver', 20, 4, 250),
} as const satisfies Readonly<Record<string, Fault>>;

export type FaultName = keyof typeof FAULTS;
export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[];

export const faultOf = (name: FaultName): Fault => FAULTS[name];
