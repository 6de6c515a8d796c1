import { WorkflowFailedError, WorkflowNotFoundError, type WorkflowClient } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { temporal } from '@temporalio/proto';
import { DISPOSITIONS, type Disposition, type ObligationKey } from '../../contract.js';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

/** What Temporal itself says of one workflow, read by its id: lists lag behind, this doesn't. */
export interface WorkflowTruth {
  readonly state: 'missing' | 'running' | 'closed' | 'terminated' | 'cancelled';
  readonly runId?: string;
  /** How a closed one says that the obligation ended; undefined where it doesn't. */
  readonly ended?: Disposition | undefined;
  /** Who terminated, cancelled or reset it with Temporal's own tools, and why. */
  readonly by?: { readonly identity: string; readonly reason: string } | undefined;
  readonly reset?: boolean;
}

/** @throws whatever Temporal answers, but for "not found", which is an answer. */
export async function truthOf(client: WorkflowClient, workflowId: string): Promise<WorkflowTruth> {
  const handle = client.getHandle(workflowId);
  let described;
  try {
    described = await handle.describe();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return { state: 'missing' };
    throw error;
  }
  const { runId } = described;
  switch (described.status.name) {
    case 'TERMINATED':
      return { state: 'terminated', runId, by: await lastWord(client, workflowId, runId, terminatedBy) };
    case 'CANCELLED':
      return { state: 'cancelled', runId, by: await lastWord(client, workflowId, runId, cancelledBy) };
    case 'COMPLETED':
    case 'FAILED':
    case 'TIMED_OUT':
      return { state: 'closed', runId, ended: await endOf(client, workflowId, runId) };
    default:
      return described.raw.workflowExtendedInfo?.lastResetTime
        ? { state: 'running', runId, reset: true, by: await lastWord(client, workflowId, runId, resetBy) }
        : { state: 'running', runId };
  }
}

async function endOf(
  client: WorkflowClient,
  workflowId: string,
  runId: string,
): Promise<Disposition | undefined> {
  try {
    const result: unknown = await client.getHandle(workflowId, runId).result();
    return asDisposition((result as { disposition?: unknown } | null)?.disposition);
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error;
    return error.cause instanceof ApplicationFailure ? asDisposition(error.cause.type) : undefined;
  }
}

const asDisposition = (word: unknown): Disposition | undefined =>
  DISPOSITIONS.find((known) => known === word);

type Word = { identity: string; reason: string };

const terminatedBy = (event: HistoryEvent): Word | undefined => {
  const it = event.workflowExecutionTerminatedEventAttributes;
  return it ? { identity: it.identity ?? '', reason: it.reason ?? '' } : undefined;
};
const cancelledBy = (event: HistoryEvent): Word | undefined => {
  const it = event.workflowExecutionCancelRequestedEventAttributes;
  return it ? { identity: it.identity ?? '', reason: it.cause ?? '' } : undefined;
};
/** WORKFLOW_TASK_FAILED_CAUSE_RESET_WORKFLOW */
const RESET_CAUSE = 8;
const resetBy = (event: HistoryEvent): Word | undefined => {
  const it = event.workflowTaskFailedEventAttributes;
  return it && Number(it.cause) === RESET_CAUSE
    ? { identity: it.identity ?? '', reason: it.failure?.message ?? '' }
    : undefined;
};

/** The newest event that says it; histories are bounded, so reading one whole is, too. */
async function lastWord(
  client: WorkflowClient,
  workflowId: string,
  runId: string,
  read: (event: HistoryEvent) => Word | undefined,
): Promise<Word | undefined> {
  const { events } = await client.getHandle(workflowId, runId).fetchHistory();
  return (events ?? []).map(read).findLast((word) => word !== undefined);
}

/**
 * How many attempts the obligation's workflow knows of, those that may be under way included: the highest number that
 * an activity has answered, and one more where an attempt was scheduled and hasn't.
 */
export async function attemptsKnownTo(client: WorkflowClient, key: ObligationKey): Promise<number> {
  const { events } = await client.getHandle(key).fetchHistory();
  let known = 0;
  const unanswered = new Set<string>();
  for (const event of events ?? []) {
    const started = event.workflowExecutionStartedEventAttributes?.input?.payloads?.[0];
    if (started)
      known = Math.max(
        known,
        attemptsIn(started, (input) => (input as Carrying).carried?.standing),
      );
    const scheduled = event.activityTaskScheduledEventAttributes;
    if (scheduled?.activityType?.name === 'attempt') unanswered.add(String(event.eventId));
    const completed = event.activityTaskCompletedEventAttributes;
    if (completed) {
      unanswered.delete(String(completed.scheduledEventId));
      const payload = completed.result?.payloads?.[0];
      if (payload)
        known = Math.max(
          known,
          attemptsIn(payload, (result) => result),
        );
    }
    const failed = event.activityTaskFailedEventAttributes;
    // An attempt that fails with `record_lost` asked the ledger first, and so sent nothing.
    if (failed?.failure?.applicationFailureInfo?.type === 'record_lost') {
      unanswered.delete(String(failed.scheduledEventId));
    }
  }
  return known + (unanswered.size > 0 ? 1 : 0);
}

type Carrying = { carried?: { standing?: unknown } };

function attemptsIn(payload: temporal.api.common.v1.IPayload, pick: (value: unknown) => unknown): number {
  const value: unknown = JSON.parse(Buffer.from(payload.data ?? []).toString('utf8') || 'null');
  const standing = pick(value ?? {}) as { attempts?: unknown } | null | undefined;
  return typeof standing?.attempts === 'number' ? standing.attempts : 0;
}
