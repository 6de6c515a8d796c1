import type { ObligationKey } from '../contract.js';

/** Another lease of this obligation runs; it can be asked again in `waitMs`. */
export class LeaseInFlight extends Error {
  override readonly name = 'LeaseInFlight';
  readonly waitMs: number;
  constructor(waitMs: number) {
    super(`another attempt holds the lease for ${waitMs} ms`);
    this.waitMs = waitMs;
  }
}

/** The worker's drain is over; another worker takes the try up again. */
export class WorkerStopping extends Error {
  override readonly name = 'WorkerStopping';
  constructor(options?: { cause: unknown }) {
    super('the worker is stopping', options);
  }
}

/** The ledger has no such obligation: nothing may be sent for it. */
export class RecordLost extends Error {
  override readonly name = 'RecordLost';
  constructor(what: ObligationKey | number) {
    super(`the ledger has no record of ${what}`);
  }
}

/** Not a fault: a fan-out goes on in another turn, from where it stands. Temporal repeats it behind what waits by then. */
export class ShiftOver extends Error {
  override readonly name = 'ShiftOver';
  constructor(started: number) {
    super(`${started} started, going on`);
  }
}
