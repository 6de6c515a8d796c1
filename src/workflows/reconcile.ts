import { proxyActivities } from '@temporalio/workflow';
import type { LedgerActivities, ReconcileCounts } from '../activities/types.js';

const { reconcile: run } = proxyActivities<LedgerActivities>({
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '10 seconds', maximumInterval: '2 minutes' },
});

/** One look at everything that should be on its way; a Temporal Schedule starts it every few minutes. */
export async function reconcile(): Promise<ReconcileCounts> {
  return run.executeWithOptions({ summary: 'hold ledger and Temporal against each other' }, []);
}
