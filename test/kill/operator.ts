import { setTimeout as sleep } from 'node:timers/promises';
import { WorkflowNotFoundError, type WorkflowClient } from '@temporalio/client';
import { WaybillError, type WaybillClient } from '../../src/client.js';
import { SIGNALS, TASK_QUEUES, WORKFLOWS, type ObligationKey } from '../../src/contract.js';
import type { DeliveryPolicy } from '../../src/policy/delivery-policy.js';
import type { ObligationInput } from '../../src/workflows/obligation-input.js';
import type { PlannedAct } from './plan.js';

const AGAIN_EVERY_MS = 60;
/** What an operator tries again: the obligation isn't there yet, or the database isn't. */
const NOT_YET: readonly string[] = ['not_found', 'database_unavailable'];

export interface OperatorDesk {
  readonly client: WaybillClient;
  readonly workflows: WorkflowClient;
  readonly keyOf: (subscriber: number) => ObligationKey;
  /** Ends every wait. */
  readonly signal: AbortSignal;
}

const word = (what: string) => ({ actor: 'kill-operator', reason: 'a kill round', requestId: what });

/** Does one planned act at its time, again and again under one request id until it is answered. */
export async function perform(desk: OperatorDesk, act: PlannedAct): Promise<void> {
  const { verb, subscriber, atMs, bySignal } = act;
  await sleep(atMs, undefined, { signal: desk.signal });
  const key = desk.keyOf(subscriber);
  await persist(desk, async () => {
    if (bySignal) await desk.workflows.getHandle(key).signal(SIGNALS[verb], word(`${verb} by signal`));
    else await desk.client[verb](key, word(verb));
  });
}

/** An act of the round's own that brings what is dead or held back into play; `nth` tells repeats apart. */
export async function release(
  desk: OperatorDesk,
  verb: 'resume' | 'redrive',
  key: ObligationKey,
  nth: number,
): Promise<void> {
  await persist(desk, () => desk.client[verb](key, word(`${verb} ${nth}`)));
}

/** A second workflow for the same obligation, as a duplicated start would make one. */
export async function askAgain(
  desk: OperatorDesk,
  key: ObligationKey,
  policy: DeliveryPolicy,
): Promise<void> {
  const input: ObligationInput = { key, policy };
  const options = { workflowId: `again:${key}`, taskQueue: TASK_QUEUES.main, args: [input] };
  await persist(desk, async () => {
    // As soon as there is an obligation, so that both ask while one of them sends.
    if ((await desk.client.find({ key })).length === 0) throw new WaybillError('not_found');
    await desk.workflows.start(WORKFLOWS.obligation, {
      ...options,
      workflowIdConflictPolicy: 'USE_EXISTING',
    });
  });
}

/** A refusal is an answer too; it is on record, and the checker reads the record. */
async function persist(desk: OperatorDesk, doIt: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await doIt();
      return;
    } catch (error) {
      if (desk.signal.aborted) throw desk.signal.reason;
      const refused = error instanceof WaybillError && !NOT_YET.includes(error.code);
      // A workflow that has closed can't be told anything; one that isn't there yet will be.
      if (refused) return;
      if (error instanceof WorkflowNotFoundError && /completed/.test(error.message)) return;
      await sleep(AGAIN_EVERY_MS, undefined, { signal: desk.signal });
    }
  }
}
