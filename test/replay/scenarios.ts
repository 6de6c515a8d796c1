import {
  SIGNALS,
  WORKFLOWS,
  obligationKey,
  type Disposition,
  type ObligationKey,
} from '../../src/contract.js';
import type { Published, WaybillClient } from '../../src/client.js';
import { startEvent } from '../../src/intake/starter.js';
import type { Client } from '@temporalio/client';
import type { Receiver, Reply } from '../support/receiver.js';
import { eventually } from '../support/waybill.js';

/** What a scenario plays on: a running Waybill, a receiver, and Temporal's own client. */
export interface Stage {
  readonly waybill: WaybillClient;
  readonly temporal: Client;
  readonly receiver: Receiver;
  /** Path -> how the receiver answers it. */
  readonly answers: Map<string, (reply: Reply) => void>;
  readonly taskQueue: string;
  /** A statement of the schema owner's: what no part of Waybill would do. */
  readonly asOwner: (sql: string, values?: unknown[]) => Promise<unknown>;
}

/** Plays one story and answers the workflow whose history tells it. */
export type Scenario = (stage: Stage, name: string) => Promise<{ workflowId: string; runId?: string }>;

const QUICK = { firstRetryMs: 300, ceilingMs: 500, maxTries: 3, timeoutMs: 2_000, redriveWindowMs: 60_000 };
const status = (code: number) => (reply: Reply) => void reply.response.writeHead(code).end();
const word = (requestId: string) => ({ actor: 'ann', reason: 'recorded scenario', requestId });

async function owe(
  stage: Stage,
  name: string,
  answer: (reply: Reply) => void,
  policy = {},
): Promise<ObligationKey> {
  stage.answers.set(`/${name}`, answer);
  const url = `https://localhost:${stage.receiver.port}/${name}`;
  const labels = { name };
  const { subscriber } = await stage.waybill.addSubscriber({
    name,
    url,
    labels,
    policy: { ...QUICK, ...policy },
  });
  return obligationKey(name, subscriber.id, 1);
}

const publish = (stage: Stage, name: string, version = 1) =>
  stage.waybill.publish({
    shipment: name,
    version,
    type: 'shipment.delivered',
    payload: name,
    labels: { name },
  });

/** Of the obligation to the same subscriber for the shipment's second version. */
const secondOf = (first: ObligationKey): ObligationKey => first.replace(/:1$/, ':2') as ObligationKey;

const becomes = (stage: Stage, key: string, wanted: Disposition) =>
  eventually(
    async () => ((await stage.waybill.find({ key }))[0]?.disposition === wanted ? true : undefined),
    `${key} is ${wanted}`,
  );

const closed = async (stage: Stage, workflowId: string) => {
  const { workflow } = stage.temporal;
  const isClosed = () =>
    workflow
      .getHandle(workflowId)
      .describe()
      .then(
        ({ status: { name } }) => (name === 'RUNNING' ? undefined : true),
        () => undefined,
      );
  await eventually(isClosed, `${workflowId} has closed`);
  return { workflowId };
};

/** The relay fans out such few by itself; reconciliation starts the workflow for them, too. */
const fannedOut = async (stage: Stage, event: Published) => {
  await startEvent({ workflows: stage.temporal.workflow, taskQueue: stage.taskQueue }, event);
  return closed(stage, event.workflowId);
};

/** Every way an obligation or a fan-out can go; each release records them all. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'delivered-at-once': async (stage, name) => {
    const key = await owe(stage, name, status(200));
    await publish(stage, name);
    return closed(stage, key);
  },

  'delivered-after-retries': async (stage, name) => {
    let left = 2;
    const key = await owe(stage, name, (reply) => status(left-- > 0 ? 503 : 200)(reply));
    await publish(stage, name);
    return closed(stage, key);
  },

  'kept-back-by-a-cool-down': async (stage, name) => {
    let busy = true;
    const key = await owe(stage, name, ({ response }) => {
      response.writeHead(busy ? 429 : 200, busy ? { 'retry-after': '2' } : {}).end();
      busy = false;
    });
    await publish(stage, name);
    await becomes(stage, key, 'waiting');
    await publish(stage, name, 2);
    return closed(stage, secondOf(key));
  },

  'held-by-a-410-and-resumed': async (stage, name) => {
    const key = await owe(stage, name, status(410));
    await publish(stage, name);
    await becomes(stage, key, 'dead');
    await publish(stage, name, 2);
    await becomes(stage, secondOf(key), 'held');
    stage.answers.set(`/${name}`, status(200));
    await stage.waybill.actOnSubscriber('resume', name, word(`${name}-1`));
    return closed(stage, secondOf(key));
  },

  'unknown-then-delivered': async (stage, name) => {
    let first = true;
    const key = await owe(stage, name, (reply) => {
      if (!first) return status(200)(reply);
      first = false;
      reply.reset();
    });
    await publish(stage, name);
    return closed(stage, key);
  },

  'exhausted-and-closed': async (stage, name) => {
    const key = await owe(stage, name, status(503), { redriveWindowMs: 500 });
    await publish(stage, name);
    return closed(stage, key);
  },

  'dead-then-redriven': async (stage, name) => {
    const key = await owe(stage, name, status(400));
    await publish(stage, name);
    await becomes(stage, key, 'dead');
    stage.answers.set(`/${name}`, status(200));
    await stage.waybill.redrive(key, word(`${name}-1`));
    return closed(stage, key);
  },

  'expired-while-waiting': async (stage, name) => {
    const key = await owe(stage, name, status(503), { validityMs: 1_500, maxTries: 100 });
    await publish(stage, name);
    return closed(stage, key);
  },

  'paused-and-resumed': async (stage, name) => {
    const key = await owe(stage, name, status(503), { firstRetryMs: 1_000 });
    await publish(stage, name);
    await becomes(stage, key, 'waiting');
    await stage.waybill.pause(key, word(`${name}-1`));
    await becomes(stage, key, 'held');
    stage.answers.set(`/${name}`, status(200));
    await stage.waybill.resume(key, word(`${name}-2`));
    return closed(stage, key);
  },

  'held-by-its-subscriber': async (stage, name) => {
    const key = await owe(stage, name, status(200));
    await stage.waybill.actOnSubscriber('pause', name, word(`${name}-1`));
    await publish(stage, name);
    const handle = stage.temporal.workflow.getHandle(key);
    await eventually(
      () =>
        handle.query<{ is: string }>('status').then(
          ({ is }) => (is === 'held' ? true : undefined),
          () => undefined,
        ),
      'the workflow is held',
    );
    await stage.waybill.actOnSubscriber('resume', name, word(`${name}-2`));
    return closed(stage, key);
  },

  'terminated-in-mid-attempt': async (stage, name) => {
    const key = await owe(stage, name, () => undefined, { timeoutMs: 60_000 });
    await publish(stage, name);
    await stage.receiver.until(() => stage.receiver.requests.some((r) => r.path === `/${name}`));
    await stage.waybill.terminate(key, word(`${name}-1`));
    return closed(stage, key);
  },

  'removed-while-waiting': async (stage, name) => {
    const key = await owe(stage, name, status(503), { firstRetryMs: 600_000, ceilingMs: 600_000 });
    await publish(stage, name);
    await becomes(stage, key, 'waiting');
    await stage.waybill.actOnSubscriber('remove', name, word(`${name}-1`));
    return closed(stage, key);
  },

  'refused-and-still-waiting': async (stage, name) => {
    const key = await owe(stage, name, status(503), { firstRetryMs: 600_000, ceilingMs: 600_000 });
    await publish(stage, name);
    await becomes(stage, key, 'waiting');
    await stage.temporal.workflow.getHandle(key).signal('redrive', word(`${name}-1`));
    await eventually(
      async () => ((await stage.waybill.trace(key)).audit.length === 1 ? true : undefined),
      'the refusal is on record',
    );
    return { workflowId: key };
  },

  'rolled-over': async (stage, name) => {
    const key = await owe(stage, name, status(503), { firstRetryMs: 600_000, ceilingMs: 600_000 });
    await publish(stage, name);
    await becomes(stage, key, 'waiting');
    const handle = stage.temporal.workflow.getHandle(key);
    const { runId } = await handle.describe();
    let serial = 0;
    await eventually(
      async () => {
        for (const verb of ['pause', 'resume']) {
          for (let i = 0; i < 20; i++) await handle.signal(verb, word(`${name}-${++serial}`));
        }
        return (await handle.describe()).runId !== runId || undefined;
      },
      'the workflow rolled over',
      60_000,
    );
    return { workflowId: key, runId };
  },

  'record-lost-and-back': async (stage, name) => {
    const key = await owe(stage, name, status(503), { firstRetryMs: 1_000, ceilingMs: 1_000, maxTries: 100 });
    await publish(stage, name);
    await becomes(stage, key, 'waiting');
    await stage.asOwner('CREATE TABLE waybill.lost AS SELECT * FROM waybill.obligations WHERE key = $1', [
      key,
    ]);
    await stage.asOwner('DELETE FROM waybill.obligations WHERE key = $1', [key]);
    const handle = stage.temporal.workflow.getHandle(key);
    await eventually(
      async () =>
        (await handle.query<{ reason: string }>('status')).reason === 'record-lost' ? true : undefined,
      'the story is held',
    );
    stage.answers.set(`/${name}`, status(200));
    await stage.asOwner('INSERT INTO waybill.obligations SELECT * FROM waybill.lost');
    await stage.asOwner('DROP TABLE waybill.lost');
    await handle.signal(SIGNALS.recheck);
    return closed(stage, key);
  },

  reconciliation: async (stage, name) => {
    const { taskQueue } = stage;
    await stage.temporal.workflow.start(WORKFLOWS.reconcile, { workflowId: name, taskQueue });
    return closed(stage, name);
  },

  'fan-out': async (stage, name) => {
    for (const end of ['a', 'b', 'c']) {
      const url = `https://localhost:${stage.receiver.port}/${name}`;
      await stage.waybill.addSubscriber({ name: `${name}-${end}`, url, labels: { name }, policy: QUICK });
    }
    return fannedOut(stage, await publish(stage, name));
  },

  'fan-out-to-nobody': async (stage, name) => fannedOut(stage, await publish(stage, name)),
};
