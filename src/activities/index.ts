import type { Queryable } from '../ledger/pool.js';
import { actOnObligation, lookAt } from '../ledger/acts.js';
import { matchEvent } from '../ledger/events.js';
import { attemptActivity, asFailure } from './adapter.js';
import type { AttemptDeps } from './attempt.js';
import type { Clock } from './clock.js';
import { RecordLost } from './faults.js';
import { startObligations } from './start-obligations.js';
import type { Starter } from './starter.js';
import type { HeedInput, LedgerActivities, SendActivities } from './types.js';
import type { Standing } from '../policy/standing.js';
import type { Log } from '../watch/log.js';

export interface LedgerDeps {
  readonly db: Queryable;
  readonly clock: Clock;
  readonly starter: Starter;
  readonly log: Log;
}

/** What workflows may ask of the ledger. Everything here is short and safe to repeat. */
export function makeLedgerActivities(deps: LedgerDeps): LedgerActivities {
  return {
    match: (eventId) =>
      failing(deps.log, async () => {
        const count = await matchEvent(deps.db, eventId, await deps.clock.ledgerNow());
        if (count === null) throw new RecordLost(eventId);
        return count;
      }),
    startObligations: (eventId) => failing(deps.log, () => startObligations(deps, eventId)),
    heed: (input) => failing(deps.log, () => heed(deps, input)),
  };
}

export function makeSendActivities(deps: AttemptDeps): SendActivities {
  return { attempt: (input) => attemptActivity(deps, input) };
}

async function heed(deps: LedgerDeps, { key, acts }: HeedInput): Promise<Standing> {
  for (const act of acts) {
    await actOnObligation(deps.db, null, key, act, 'temporal', await deps.clock.ledgerNow());
  }
  const standing = await lookAt(deps.db, key, await deps.clock.ledgerNow());
  if (!standing) throw new RecordLost(key);
  return standing;
}

async function failing<T>(log: Log, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    log.warn({ err: error }, 'activity.failed');
    throw asFailure(error);
  }
}
