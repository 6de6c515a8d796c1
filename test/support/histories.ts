import type { Client } from '@temporalio/client';

/** How many runs a workflow had, and the longest history among them, following how each continued. */
export async function longestRun(
  client: Client,
  workflowId: string,
): Promise<{ runs: number; events: number }> {
  const { raw, runId: current } = await client.workflow.getHandle(workflowId).describe();
  let runs = 0;
  let events = 0;
  for (let runId: string | undefined = raw.workflowExecutionInfo?.firstRunId || current; runId;) {
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    runs++;
    events = Math.max(events, history.events?.length ?? 0);
    runId =
      history.events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId || undefined;
  }
  return { runs, events };
}
