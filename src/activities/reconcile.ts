import { setTimeout as delay } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { reconcile } from '../operate/reconcile/reconcile.js';
import type { RepairDeps } from '../operate/reconcile/repair.js';
import type { SurveyDeps } from '../operate/reconcile/survey.js';
import type { Log } from '../watch/log.js';
import type { ReconcileCounts } from './types.js';

export type ReconcileDeps = Omit<SurveyDeps, 'onProgress' | 'rest'> & RepairDeps & { readonly log: Log };

/** Rows gone from older events are counted when a person runs it: `waybill reconcile`. */
const COUNT_WITHIN_MS = 24 * 3_600_000;
/** The rest is read by id when a person runs it. */
const READS_OF_LISTED = 100;
/** After a page it rests so many times as long as the page took: nobody else shall notice that it looks. */
const RESTS = 9;

/** A whole run, at its leisure; it keeps no place, since a repeat finds mended what is mended. */
export async function runReconcile(deps: ReconcileDeps): Promise<ReconcileCounts> {
  const context = Context.current();
  let looked = 0;
  const alive = setInterval(() => context.heartbeat(looked), 5_000);
  try {
    const report = await reconcile(
      {
        countWithinMs: COUNT_WITHIN_MS,
        readsOfListed: READS_OF_LISTED,
        ...deps,
        rest: (tookMs) => delay(tookMs * RESTS, undefined, { signal: context.cancellationSignal }),
        onProgress: (count) => {
          looked = count;
          context.cancellationSignal.throwIfAborted();
        },
        onFault: (finding, error) => deps.log.error({ kind: finding.kind, err: error }, 'reconcile.failed'),
      },
      { dryRun: false, onFinding: (found) => deps.log.warn(found, 'reconcile.found') },
    );
    return { ...report, looked };
  } finally {
    clearInterval(alive);
  }
}
