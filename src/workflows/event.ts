import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { LedgerActivities } from '../activities/types.js';

export interface EventInput {
  /** The ledger's id of the event. */
  readonly eventId: number;
}

export interface EventResult {
  readonly obligations: number;
}

const { match } = proxyActivities<LedgerActivities>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '10 seconds',
  retry: {
    initialInterval: '1 second',
    maximumInterval: '1 minute',
    nonRetryableErrorTypes: ['record_lost'],
  },
});
const { startObligations } = proxyActivities<LedgerActivities>({
  startToCloseTimeout: '2 hours',
  heartbeatTimeout: '10 seconds',
  retry: {
    initialInterval: '1 second',
    maximumInterval: '1 minute',
    nonRetryableErrorTypes: ['record_lost'],
  },
});

/** The fan-out of one event: who is owed it, all at once; then one workflow for each of them. */
export async function event(input: EventInput): Promise<EventResult> {
  const obligations = await match.executeWithOptions({ summary: 'match subscribers' }, [input.eventId]);
  if (obligations > 0) {
    await startObligations.executeWithOptions({ summary: `start ${obligations} obligations` }, [
      input.eventId,
    ]);
  }
  setCurrentDetails(`${obligations} obligations`);
  return { obligations };
}
