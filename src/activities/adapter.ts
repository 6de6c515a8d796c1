import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { Context, type Info } from '@temporalio/activity';
import { ActivityCancelledError } from '@temporalio/client';
import type { Settlement } from '../ledger/settle.js';
import { attempt, type AttemptControl, type AttemptDeps } from './attempt.js';
import { LeaseInFlight, RecordLost, WorkerStopping, ShiftOver } from './faults.js';
import type { Turnstile } from './turnstile.js';
import type { AttemptInput } from './types.js';
import type { Standing } from '../policy/standing.js';

/** Of the silence after which Temporal gives a running attempt up: two words of it may get lost. */
const LIVENESS_SHARE = 0.3;
/** Where the workflow set none. */
const SILENCE_MS = 5_000;

/** What an execution leaves with Temporal for the one after it. */
interface Remembered {
  readonly verdict: Settlement;
}

/** `attempt` as Temporal runs it: heartbeats, cancellation, and our faults in the form Temporal retries. */
export async function attemptActivity(
  deps: AttemptDeps,
  turnstile: Turnstile,
  input: AttemptInput,
): Promise<Standing> {
  const context = Context.current();
  let details: Remembered | undefined = readDetails(context.info);
  const stop = new AbortController();
  const onCancel = (): void => {
    const why = context.cancellationDetails;
    // An execution that Temporal has given up on goes on to its deadline: its lease is still its own, and
    // its verdict is still the truth.
    if (why?.workerShutdown) stop.abort('shutdown');
    else if (why?.cancelRequested) stop.abort('called_off');
  };
  context.cancellationSignal.addEventListener('abort', onCancel, { once: true });
  if (context.cancellationSignal.aborted) onCancel();
  // Not by Context.heartbeat, whose calls pass no turnstile of ours.
  const tell = (): Promise<void> => context.client.activity.heartbeat(context.info.taskToken, details);
  const stopBeating = keepBeating(context.info.heartbeatTimeoutMs || SILENCE_MS, async () => {
    await turnstile.pass();
    await tell().catch((error: unknown) => {
      if (error instanceof ActivityCancelledError) stop.abort('called_off');
      else deps.log.debug({ key: input.key, err: error }, 'heartbeat.unheard');
    });
  });

  const control: AttemptControl = {
    signal: stop.signal,
    remembered: details?.verdict,
    runId: context.info.workflowExecution?.runId,
    remember: async (verdict) => {
      details = { verdict };
      // Returns when the server has it, unlike Context.heartbeat.
      await tell().catch((error: unknown) => {
        deps.log.warn({ key: input.key, err: error }, 'verdict.not_held');
      });
    },
  };
  try {
    const standing = await attempt(deps, input, control);
    deps.reached?.('attempt.completing');
    return standing;
  } catch (error) {
    deps.log.warn({ key: input.key, err: error }, 'attempt.failed');
    throw asFailure(error);
  } finally {
    stopBeating();
    context.cancellationSignal.removeEventListener('abort', onCancel);
    await turnstile.pass();
  }
}

/** Beats well within each silence until the answer is called, and not while the last beat is still on its way. */
function keepBeating(silenceMs: number, beat: () => Promise<void>): () => void {
  let beating = false;
  const interval = setInterval(() => {
    if (beating) return;
    beating = true;
    void beat().finally(() => (beating = false));
  }, silenceMs * LIVENESS_SHARE);
  return () => clearInterval(interval);
}

function readDetails(info: Info): Remembered | undefined {
  const details: unknown = info.heartbeatDetails;
  return typeof details === 'object' && details !== null && 'verdict' in details
    ? (details as Remembered)
    : undefined;
}

/** Expected faults are BENIGN: they are in our own log and audit, and no alarm of the SDK's. */
export function asFailure(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (error instanceof RecordLost) {
    return ApplicationFailure.create({ type: 'record_lost', message: error.message, nonRetryable: true });
  }
  if (error instanceof LeaseInFlight) {
    return ApplicationFailure.create({
      type: 'lease_in_flight',
      message: error.message,
      nextRetryDelay: Math.max(1, error.waitMs),
      category: ApplicationFailureCategory.BENIGN,
    });
  }
  if (error instanceof WorkerStopping) {
    return ApplicationFailure.create({
      type: 'worker_stopping',
      message: error.message,
      category: ApplicationFailureCategory.BENIGN,
    });
  }
  if (error instanceof ShiftOver) {
    return ApplicationFailure.create({
      type: 'shift_over',
      message: error.message,
      nextRetryDelay: 1,
      category: ApplicationFailureCategory.BENIGN,
    });
  }
  // The message and stack of anything else stay in our log: Temporal keeps failures for as long as histories.
  return ApplicationFailure.create({ type: 'own_fault', message: error.name });
}
