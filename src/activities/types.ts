import type { ObligationKey, Verb } from '../contract.js';
import type { Standing } from '../policy/standing.js';

/** One try of one obligation: everything else is read from the ledger when the try is claimed. */
export interface AttemptInput {
  readonly key: ObligationKey;
  readonly round: number;
  readonly tryNumber: number;
}

/** A signal as it reached the workflow; an empty text stands for what the sender left out. */
export interface SignalledAct {
  readonly verb: Verb;
  readonly actor: string;
  readonly reason: string;
  readonly requestId: string;
}

export interface HeedInput {
  readonly key: ObligationKey;
  /** In the order they came; none means "just look". */
  readonly acts: readonly SignalledAct[];
}

/** On the workflows' own queue: short, idempotent, nothing but the ledger and Temporal. */
export interface LedgerActivities {
  /** Writes the event's obligations and answers how many there are. */
  match(eventId: number): Promise<number>;
  /** Starts one workflow for each; resumes where a dead worker stopped. */
  startObligations(eventId: number): Promise<number>;
  /** Puts signalled acts to the ledger's judgement and answers where the obligation stands now. */
  heed(input: HeedInput): Promise<Standing>;
  /** Holds ledger and Temporal against each other and mends what doesn't fit. */
  reconcile(): Promise<ReconcileCounts>;
}

export interface ReconcileCounts {
  readonly looked: number;
  readonly findings: number;
  readonly byKind: Readonly<Record<string, number>>;
  readonly failed: number;
}

/** On the send queues. */
export interface SendActivities {
  attempt(input: AttemptInput): Promise<Standing>;
}
