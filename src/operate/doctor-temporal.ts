import type { Client } from '@temporalio/client';
import { RECONCILE_SCHEDULE, SEARCH_ATTRIBUTES, TASK_QUEUES } from '../contract.js';
import { connectClient } from '../temporal.js';
import { failed, notChecked, type Check } from './doctor-check.js';
import { attributeGaps, registeredAttributes } from './set-up.js';

const CALL_MS = 5_000;
const DAY_SECONDS = 86_400;
/** The default redrive window: as long as the ledger can redrive, people want to see the workflow, too. */
const ADVISED_RETENTION_DAYS = 30;
const OLDEST_SERVER = [1, 32] as const;
/** Which of a queue's two sides our workers poll (temporal.api.enums.v1.TaskQueueType). */
const WORKFLOW_TASKS = 1;
const ACTIVITY_TASKS = 2;

type Look = (client: Client, namespace: string) => Promise<Omit<Check, 'name'>>;

/** Checks of Temporal, each on its own: reachable, version, namespace, search attributes, and who polls. */
export async function diagnoseTemporal(): Promise<Check[]> {
  const looks: readonly (readonly [string, Look, string])[] = [
    ['temporal version', lookAtVersion, 'may this client call GetSystemInfo?'],
    ['namespace', lookAtNamespace, 'temporal operator namespace create --retention 30d --namespace <it>'],
    ['search attributes', lookAtAttributes, 'run `waybill setup`'],
    ['reconciliation', lookAtSchedule, 'run `waybill setup`'],
  ];
  const queues = Object.values(TASK_QUEUES);
  let temporal: Awaited<ReturnType<typeof connectClient>>;
  try {
    temporal = await connectClient();
  } catch (error) {
    return [
      failed('temporal', error, 'is it up, and TEMPORAL_ADDRESS (or the profile) right?'),
      ...looks.map(([name]) => notChecked(name, 'Temporal')),
      ...queues.map((queue) => workerInfo(queue, 'cannot be told without Temporal')),
    ];
  }
  const { client, namespace, close } = temporal;
  const bounded = <T>(work: () => Promise<T>): Promise<T> => client.withDeadline(Date.now() + CALL_MS, work);
  try {
    const reached: Check = { name: 'temporal', ok: true, found: `answers, namespace ${namespace}` };
    const checks = looks.map(async ([name, look, mend]): Promise<Check> => {
      try {
        return { name, ...(await bounded(() => look(client, namespace))) };
      } catch (error) {
        return failed(name, error, mend);
      }
    });
    const workers = queues.map((queue) =>
      bounded(() => pollers(client, namespace, queue)).then(
        (count) => workerInfo(queue, count === 0 ? 'no worker polls it now' : `polled by ${count}`),
        (error: unknown) =>
          workerInfo(queue, `cannot be told: ${error instanceof Error ? error.message : String(error)}`),
      ),
    );
    return [reached, ...(await Promise.all([...checks, ...workers]))];
  } finally {
    await close();
  }
}

const workerInfo = (queue: string, found: string): Check => ({
  name: `worker ${queue}`,
  ok: true,
  info: true,
  found,
});

async function lookAtVersion(client: Client): Promise<Omit<Check, 'name'>> {
  const { serverVersion } = await client.workflowService.getSystemInfo({});
  const found = serverVersion || 'not told by the server';
  const [major = 0, minor = 0] = found.split('.').map((part) => Number.parseInt(part, 10));
  if (major > OLDEST_SERVER[0] || (major === OLDEST_SERVER[0] && minor >= OLDEST_SERVER[1]))
    return { ok: true, found };
  return {
    ok: false,
    found: `${found}: before 1.32 one account's backlog can stand in the way of everybody else's deliveries`,
    mend: 'upgrade Temporal server to 1.32 or later (CLI 1.9.1)',
  };
}

async function lookAtNamespace(client: Client, namespace: string): Promise<Omit<Check, 'name'>> {
  const { config } = await client.workflowService.describeNamespace({ namespace });
  const days = Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0) / DAY_SECONDS;
  const found = `${namespace} keeps closed workflows for ${Number(days.toFixed(2))} days`;
  const command = `temporal operator namespace update --retention ${ADVISED_RETENTION_DAYS}d --namespace ${namespace}`;
  if (days < 1)
    return { ok: false, found: `${found}, too short to look into yesterday's deliveries`, mend: command };
  if (days >= ADVISED_RETENTION_DAYS) return { ok: true, found };
  return { ok: true, found, mend: `better as long as the redrive window: ${command}` };
}

async function lookAtAttributes(client: Client, namespace: string): Promise<Omit<Check, 'name'>> {
  const { absent, wrong } = attributeGaps(await registeredAttributes(client, namespace));
  if (absent.length === 0 && wrong.length === 0) {
    return { ok: true, found: `all ${Object.keys(SEARCH_ATTRIBUTES).length} registered` };
  }
  return {
    ok: false,
    found: [
      ...(absent.length > 0 ? [`missing: ${absent.join(', ')}`] : []),
      ...(wrong.length > 0 ? [`of another type: ${wrong.join(', ')}`] : []),
    ].join('; '),
    mend:
      wrong.length > 0
        ? `temporal operator search-attribute remove --name ${wrong[0]}, then run \`waybill setup\``
        : 'run `waybill setup`',
  };
}

async function lookAtSchedule(client: Client): Promise<Omit<Check, 'name'>> {
  const { state } = await client.schedule.getHandle(RECONCILE_SCHEDULE).describe();
  if (!state.paused) return { ok: true, found: `schedule ${RECONCILE_SCHEDULE} runs` };
  return {
    ok: false,
    found: `schedule ${RECONCILE_SCHEDULE} is paused${state.note ? `: ${state.note}` : ''}`,
    mend: `temporal schedule toggle --unpause --schedule-id ${RECONCILE_SCHEDULE}`,
  };
}

async function pollers(client: Client, namespace: string, queue: string): Promise<number> {
  const answer = await client.workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name: queue },
    taskQueueType: queue === TASK_QUEUES.main ? WORKFLOW_TASKS : ACTIVITY_TASKS,
  });
  return answer.pollers?.length ?? 0;
}
