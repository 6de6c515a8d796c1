import { matchEvent } from '../ledger/events.js';
import type { Log } from '../watch/log.js';
import { attemptActivity, asFailure } from './adapter.js';
import type { AttemptDeps } from './attempt.js';
import { RecordLost } from './faults.js';
import { heed, type HeedDeps } from './heed.js';
import { startObligations } from './start-obligations.js';
import type { Starter } from '../intake/starter.js';
import type { LedgerActivities, SendActivities } from './types.js';

export interface LedgerDeps extends HeedDeps {
  readonly starter: Starter;
}

/** What workflows may ask of the ledger. Everything here is short and safe to repeat. */
export function makeLedgerActivities(deps: LedgerDeps): LedgerActivities {
  return {
    match: (eventId) =>
      failing(deps.log, async () => {
        const count = await matchEvent(deps.db, eventId, await deps.clock.ledgerNow());
        if (count === null) throw new RecordLost(eventId);
        deps.reached?.('fanout.matched');
        return count;
      }),
    startObligations: (eventId) => failing(deps.log, () => startObligations(deps, eventId)),
    heed: (input) => failing(deps.log, () => heed(deps, input)),
  };
}

/** What the send queues run. */
export function makeSendActivities(deps: AttemptDeps): SendActivities {
  return { attempt: (input) => attemptActivity(deps, input) };
}

async function failing<T>(log: Log, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    log.warn({ err: error }, 'activity.failed');
    throw asFailure(error);
  }
}
