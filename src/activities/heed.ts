import type { Clock } from '../clock.js';
import { actOnObligation, lookAt } from '../ledger/acts.js';
import { isDatabaseTrouble, type Queryable } from '../ledger/pool.js';
import type { Standing } from '../policy/standing.js';
import type { Log } from '../watch/log.js';
import type { Reached } from '../watch/points.js';
import { RecordLost } from './faults.js';
import type { HeedInput } from './types.js';

export interface HeedDeps {
  readonly db: Queryable;
  readonly clock: Clock;
  readonly log: Log;
  /** Whose name stands on what is found, such as a lease that ran out. */
  readonly worker: string;
  readonly reached?: Reached | undefined;
}

/**
 * Puts signalled acts to the ledger in their order, then answers where the obligation stands. An act that the ledger
 * can't take as it is must not keep the ones behind it waiting: it is refused on record as one without a sender.
 */
export async function heed(deps: HeedDeps, { key, acts }: HeedInput): Promise<Standing> {
  const judge = async (act: HeedInput['acts'][number]) =>
    actOnObligation(deps.db, null, key, act, 'temporal', await deps.clock.ledgerNow());
  for (const act of acts) {
    deps.reached?.('heed.asking');
    try {
      await judge(act);
    } catch (error) {
      if (isDatabaseTrouble(error)) throw error;
      deps.log.error({ key, verb: act.verb, err: error }, 'act.unusable');
      await judge({ verb: act.verb, actor: '', reason: '', requestId: '' });
    }
    deps.reached?.('heed.done');
  }
  const standing = await lookAt(deps.db, key, deps.worker, await deps.clock.ledgerNow());
  if (!standing) throw new RecordLost(key);
  return standing;
}
