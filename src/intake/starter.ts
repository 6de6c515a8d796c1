import { WorkflowExecutionAlreadyStartedError, type WorkflowClient } from '@temporalio/client';
import {
  defineSearchAttributeKey,
  SearchAttributeType,
  TypedSearchAttributes,
  type Workflow,
} from '@temporalio/common';
import { SIGNALS, WORKFLOWS, eventWorkflowId } from '../contract.js';
import { accountTurn, obligationTurn } from './fairness.js';
import type { StartRow } from '../ledger/events.js';
import type { NudgeMessage } from '../ledger/outbox.js';
import type { ObligationInput } from '../workflows/obligation-input.js';

/** Whatever starts workflows: the relay and the fan-out. */
export interface Starter {
  readonly workflows: WorkflowClient;
  readonly taskQueue: string;
}

/** Whether a closed workflow of the id is started anew: reconciliation alone decides so, after it has read its end. */
type Reuse = 'REJECT_DUPLICATE' | 'ALLOW_DUPLICATE';

const ACCOUNT = defineSearchAttributeKey('WaybillAccount', SearchAttributeType.KEYWORD);
const SHIPMENT = defineSearchAttributeKey('WaybillShipment', SearchAttributeType.KEYWORD);
const SUBSCRIBER = defineSearchAttributeKey('WaybillSubscriber', SearchAttributeType.KEYWORD);
const EVENT_TYPE = defineSearchAttributeKey('WaybillEventType', SearchAttributeType.KEYWORD);
const VERSION = defineSearchAttributeKey('WaybillVersion', SearchAttributeType.INT);

/** Temporal's limit for a summary is 400 bytes; ids and names are bounded, their UTF-8 is not. */
const SUMMARY_MAX_CHARS = 90;
const clip = (text: string): string =>
  text.length <= SUMMARY_MAX_CHARS ? text : `${text.slice(0, SUMMARY_MAX_CHARS - 1)}…`.toWellFormed();

/** True where it started the fan-out, false where it runs or has run. */
export async function startEvent(
  starter: Starter,
  event: { eventId: number; account: string; shipment: string; version: number },
  reuse: Reuse = 'REJECT_DUPLICATE',
): Promise<boolean> {
  return startedOnce(() =>
    starter.workflows.start(WORKFLOWS.event, {
      workflowId: eventWorkflowId(event.account, event.shipment, event.version),
      taskQueue: starter.taskQueue,
      args: [{ eventId: event.eventId }],
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowIdReusePolicy: reuse,
      priority: accountTurn(event.account),
      staticSummary: `fan-out of shipment ${clip(event.shipment)} v${event.version}`,
      typedSearchAttributes: new TypedSearchAttributes([
        { key: ACCOUNT, value: event.account },
        { key: SHIPMENT, value: event.shipment },
        { key: VERSION, value: event.version },
      ]),
    }),
  );
}

/** True where it started the obligation's workflow, false where it runs or has run. */
export async function startObligation(
  starter: Starter,
  row: StartRow,
  reuse: Reuse = 'REJECT_DUPLICATE',
): Promise<boolean> {
  return startedOnce(() =>
    starter.workflows.start(WORKFLOWS.obligation, {
      ...obligationOptions(starter, row),
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowIdReusePolicy: reuse,
    }),
  );
}

/** Hands an operator's word to the obligation's workflow, and starts that first where there is none. */
export async function nudgeObligation(starter: Starter, row: StartRow, message: NudgeMessage): Promise<void> {
  const { signal, ...act } = message;
  await startedOnce(() =>
    starter.workflows.signalWithStart<Workflow, unknown[]>(WORKFLOWS.obligation, {
      ...obligationOptions(starter, row),
      workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
      signal,
      signalArgs: signal === SIGNALS.recheck ? [] : [act],
    }),
  );
}

function obligationOptions(starter: Starter, row: StartRow) {
  const input: ObligationInput = { key: row.key, policy: row.policy };
  return {
    workflowId: row.key,
    taskQueue: starter.taskQueue,
    args: [input],
    priority: obligationTurn(row),
    staticSummary: `shipment ${clip(row.shipment)} v${row.version} -> ${clip(row.subscriber_name)}`,
    typedSearchAttributes: new TypedSearchAttributes([
      { key: ACCOUNT, value: row.account },
      { key: SHIPMENT, value: row.shipment },
      { key: SUBSCRIBER, value: row.subscriber_id },
      { key: EVENT_TYPE, value: row.type },
      { key: VERSION, value: row.version },
    ]),
  };
}

/** A workflow that has closed refuses the start: what was to be started has run already. */
async function startedOnce(start: () => Promise<unknown>): Promise<boolean> {
  try {
    await start();
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}
