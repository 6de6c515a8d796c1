import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowClient } from '@temporalio/client';
import type { ObligationRow, WaybillClient } from '../src/client.js';
import { FINAL_DISPOSITIONS, TASK_QUEUES, WORKFLOWS, type ObligationKey } from '../src/contract.js';
import type { ObligationInput } from '../src/workflows/obligation-input.js';
import { ASKED_TWICE_AT_ONCE, MENDED, PAUSED, TERMINATED } from './cast.js';
import type { View } from './watch.js';

export interface OperatorDesk {
  readonly client: WaybillClient;
  readonly workflows: WorkflowClient;
  readonly keyOf: (name: string) => ObligationKey;
  readonly idOf: (name: string) => string;
  readonly mend: (name: string) => Promise<void>;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

export interface Operator {
  /** How things stand: the operator acts by it. */
  see(view: View): void;
  /** Resolves when every act is done; rejects with the first that failed. */
  readonly done: Promise<void>;
  /** What is worth a trace. */
  keys(): Readonly<Record<string, ObligationKey>>;
}

const LOOK_EVERY_MS = 100;
const ACTOR = 'demo-operator';
const ENDED: readonly string[] = [...FINAL_DISPOSITIONS, 'dead'];

/**
 * The person at the desk: terminates one obligation in its wait, redrives a dead one after mending its receiver,
 * resumes what was paused once everybody else is done, and asks for some deliveries twice, as a duplicated start
 * or a curious click in Temporal's UI would.
 */
export function operate(desk: OperatorDesk): Operator {
  const { client, keyOf, say, signal } = desk;
  let view: View | undefined;

  const rowOf = async (name: string): Promise<ObligationRow | undefined> =>
    (await client.find({ key: keyOf(name) }))[0];
  const until = async <T>(look: () => Promise<T | undefined>): Promise<T> => {
    for (;;) {
      signal.throwIfAborted();
      const seen = await look();
      if (seen !== undefined) return seen;
      await sleep(LOOK_EVERY_MS, undefined, { signal });
    }
  };
  const reads = (name: string, ...dispositions: string[]): Promise<ObligationRow> =>
    until(async () => {
      const row = await rowOf(name);
      return row && dispositions.includes(row.disposition) ? row : undefined;
    });

  async function terminateOne(): Promise<void> {
    await reads(TERMINATED, 'waiting');
    await client.terminate(keyOf(TERMINATED), { actor: ACTOR, reason: 'the subscriber has left' });
    say(`terminated ${keyOf(TERMINATED)} in its wait`);
    await askAgain(TERMINATED);
  }

  async function redriveOne(): Promise<void> {
    await reads(MENDED, 'dead');
    await desk.mend(MENDED);
    await client.redrive(keyOf(MENDED), { actor: ACTOR, reason: 'receiver mended' });
    say(`mended the receiver of ${MENDED} and redrove ${keyOf(MENDED)}`);
    await reads(MENDED, 'delivered');
    await askAgain(MENDED);
  }

  async function resumeOne(): Promise<void> {
    const row = await reads(PAUSED, 'held', ...ENDED);
    if (row.disposition === 'held') say(`${keyOf(PAUSED)} reads as held while its subscriber is paused`);
    await until(() => Promise.resolve(view && view.mainTotal > 0 && view.mainOpen <= 1 ? view : undefined));
    await client.actOnSubscriber('resume', PAUSED, { actor: ACTOR, reason: 'maintenance is over' });
    say(`resumed subscriber ${PAUSED}`);
  }

  async function askWhileSending(): Promise<void> {
    await reads(ASKED_TWICE_AT_ONCE, 'attempting', ...ENDED);
    await askAgain(ASKED_TWICE_AT_ONCE);
  }

  /** A second workflow for the same obligation, whose first question is the same: may this be sent? */
  async function askAgain(name: string): Promise<void> {
    const key = keyOf(name);
    const { policy } = await client.subscriber(desk.idOf(name));
    const input: ObligationInput = { key, policy };
    const second = await desk.workflows.start(WORKFLOWS.obligation, {
      workflowId: `again:${key}`,
      taskQueue: TASK_QUEUES.main,
      args: [input],
    });
    say(`asked for ${key} a second time`);
    await until(async () => ((await second.describe()).status.name === 'RUNNING' ? undefined : true));
  }

  return {
    see: (seen) => {
      view = seen;
    },
    done: Promise.all([terminateOne(), redriveOne(), resumeOne(), askWhileSending()]).then(() => undefined),
    keys: () => ({
      'redriven after its receiver was mended': keyOf(MENDED),
      'terminated in its wait': keyOf(TERMINATED),
      "held by its subscriber's pause": keyOf(PAUSED),
      'retried twice after 503': keyOf('unavailable-0001'),
      'dead by a certificate for another name': keyOf('stranger-0001'),
      'unknown, since the socket closed after the body': keyOf('dropping-0001'),
    }),
  };
}
