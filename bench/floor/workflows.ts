/**
 * The floor: a workflow under the name, start options and input of an obligation's, that does nothing but one regular
 * activity on the second queue, with the timeouts, summary and input of an attempt.
 */
import { ActivityCancellationType, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { AttemptInput } from '../../src/activities/types.js';
import { attemptTimeMs, silenceMs } from '../../src/policy/times.js';
import type { ObligationInput } from '../../src/workflows/obligation-input.js';
import type { ObligationResult } from '../../src/workflows/obligation.js';

export interface FloorActivities {
  attempt(input: AttemptInput): Promise<void>;
}

export async function obligation({ key, policy }: ObligationInput): Promise<ObligationResult> {
  const { attempt } = proxyActivities<FloorActivities>({
    taskQueue: `${workflowInfo().taskQueue}-send`,
    startToCloseTimeout: attemptTimeMs(policy.timeoutMs),
    heartbeatTimeout: silenceMs(policy.timeoutMs),
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
  });
  await attempt.executeWithOptions({ summary: 'attempt 1' }, [{ key, round: 0, tryNumber: 1 }]);
  return { disposition: 'delivered', attempts: 1 };
}
