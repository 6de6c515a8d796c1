import { Context } from '@temporalio/activity';
import type { ObligationKey } from '../contract.js';
import { matchEvent, takenForMs } from '../ledger/events.js';
import type { Log } from '../watch/log.js';
import { attemptActivity, asFailure } from './adapter.js';
import type { AttemptDeps } from './attempt.js';
import { RecordLost, ShiftOver } from './faults.js';
import { heed, type HeedDeps } from './heed.js';
import { runReconcile, type ReconcileDeps } from './reconcile.js';
import { makePacer } from './pacer.js';
import { makeTakeUps } from './take-ups.js';
import { startObligations } from './start-obligations.js';
import { makeTurnstile } from './turnstile.js';
import type { Starter } from '../intake/starter.js';
import type { LedgerActivities, SendActivities } from './types.js';

export interface LedgerDeps extends HeedDeps {
  readonly starter: Starter;
  readonly reconcile: ReconcileDeps;
  /** Starts of large fan-outs, at most. */
  readonly fanOutPerSecond: number;
}

/** What workflows may ask of the ledger. Everything here is short and safe to repeat. */
export function makeLedgerActivities(deps: LedgerDeps): LedgerActivities {
  const pacer = makePacer(deps.fanOutPerSecond);
  const taken = async (keys: readonly ObligationKey[]) =>
    takenForMs(deps.db, keys, await deps.clock.ledgerNow());
  const fanOut = { ...deps, pacer, takeUps: makeTakeUps(taken, pacer.learn) };
  return {
    match: (eventId) =>
      alive(deps.log, async () => {
        const count = await matchEvent(deps.db, eventId, await deps.clock.ledgerNow());
        if (count === null) throw new RecordLost(eventId);
        deps.reached?.('fanout.matched');
        return count;
      }),
    startObligations: (eventId) => failing(deps.log, () => startObligations(fanOut, eventId)),
    reconcile: () => failing(deps.log, () => runReconcile(deps.reconcile)),
    heed: (input) => alive(deps.log, () => heed(deps, input)),
  };
}

/** Calls to Temporal of all attempts of a process: 500 a second at most. */
const APART_MS = 2;

/** What the send queues run. */
export function makeSendActivities(deps: AttemptDeps): SendActivities {
  const turnstile = makeTurnstile(APART_MS);
  return { attempt: (input) => attemptActivity(deps, turnstile, input) };
}

/** How often a ledger activity says that it lives: one whose worker was killed is then repeated within seconds. */
const LIVENESS_MS = 2_000;

async function alive<T>(log: Log, work: () => Promise<T>): Promise<T> {
  const context = Context.current();
  const liveness = setInterval(() => context.heartbeat(), LIVENESS_MS);
  try {
    return await failing(log, work);
  } finally {
    clearInterval(liveness);
  }
}

async function failing<T>(log: Log, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ShiftOver)) log.warn({ err: error }, 'activity.failed');
    throw asFailure(error);
  }
}
