import { setTimeout as delay } from 'node:timers/promises';
import { ScheduleAlreadyRunning, ScheduleOverlapPolicy, type Client } from '@temporalio/client';
import { RECONCILE_SCHEDULE, SEARCH_ATTRIBUTES, TASK_QUEUES, WORKFLOWS } from '../contract.js';
import { WaybillError } from '../errors.js';
import { migrate } from '../ledger/migrate.js';
import { ensurePartitions } from '../ledger/partitions.js';
import { coded, makePool } from '../ledger/pool.js';

/** What `setUp` did; empty lists and 0 where everything was there. */
export interface SetUp {
  readonly migrations: readonly string[];
  readonly partitions: number;
  readonly searchAttributes: readonly string[];
  readonly namespace: string;
}

/** Temporal's numbers for the types in SEARCH_ATTRIBUTES (temporal.api.enums.v1.IndexedValueType). */
export const INDEXED_VALUE_TYPES = { KEYWORD: 2, INT: 3 } as const;
const GRPC_ALREADY_EXISTS = 6;

const USABLE_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 200;
/** Behind a load balancer each frontend learns of new attributes by itself. */
const ANSWERS_IN_A_ROW = 3;
/** Makes schema and partitions. Safe to repeat, and two at once are safe: the second waits for the first. */
export async function setUpDatabase(
  adminUrl: string,
  warn: (line: string) => void,
): Promise<Pick<SetUp, 'migrations' | 'partitions'>> {
  const migrations = await coded(() => migrate(adminUrl, warn));
  const pool = makePool({ url: adminUrl, max: 1, applicationName: 'waybill-setup' });
  try {
    return { migrations, partitions: await coded(() => ensurePartitions(pool)) };
  } finally {
    await pool.end();
  }
}

/** Search attributes of the namespace as Temporal has them: name -> type number. */
export async function registeredAttributes(
  client: Client,
  namespace: string,
): Promise<Record<string, number>> {
  const { customAttributes } = await client.connection.operatorService.listSearchAttributes({ namespace });
  return customAttributes ?? {};
}

/** The attributes of the contract that are absent, or that have another type. */
export function attributeGaps(registered: Readonly<Record<string, number>>): {
  absent: string[];
  wrong: string[];
} {
  const names = Object.keys(SEARCH_ATTRIBUTES) as (keyof typeof SEARCH_ATTRIBUTES)[];
  return {
    absent: names.filter((name) => registered[name] === undefined),
    wrong: names.filter(
      (name) =>
        registered[name] !== undefined && registered[name] !== INDEXED_VALUE_TYPES[SEARCH_ATTRIBUTES[name]],
    ),
  };
}

/**
 * Registers the search attributes that are absent and waits until the namespace accepts a query by all of them.
 * @throws WaybillError `config_invalid` where one has another type already, since Temporal can't change a type.
 */
export async function setUpTemporal(client: Client, namespace: string): Promise<readonly string[]> {
  const { absent, wrong } = attributeGaps(await registeredAttributes(client, namespace));
  if (wrong.length > 0) {
    throw new WaybillError(
      'config_invalid',
      `namespace ${namespace} has ${wrong.join(', ')} with another type; remove it there, or use another namespace`,
    );
  }
  // One call for each: a set-up beside this one may have registered some of them in the meantime.
  for (const name of absent) {
    const type = INDEXED_VALUE_TYPES[SEARCH_ATTRIBUTES[name as keyof typeof SEARCH_ATTRIBUTES]];
    try {
      await client.connection.operatorService.addSearchAttributes({
        namespace,
        searchAttributes: { [name]: type },
      });
    } catch (error) {
      if ((error as { code?: unknown }).code !== GRPC_ALREADY_EXISTS) throw error;
    }
  }
  await usable(client, namespace);
  return absent;
}

async function usable(client: Client, namespace: string): Promise<void> {
  const query = Object.keys(SEARCH_ATTRIBUTES)
    .map((name) => `${name} IS NOT NULL`)
    .join(' AND ');
  const deadline = Date.now() + USABLE_WITHIN_MS;
  for (let inRow = 0; inRow < ANSWERS_IN_A_ROW;) {
    try {
      await client.connection.workflowService.countWorkflowExecutions({ namespace, query });
      inRow++;
    } catch (error) {
      inRow = 0;
      if (Date.now() > deadline) {
        throw new WaybillError(
          'temporal_unavailable',
          'the search attributes did not become usable in time',
          {
            cause: error,
          },
        );
      }
      await delay(LOOK_EVERY_MS);
    }
  }
}

const RECONCILE_EVERY = '5 minutes';

/** Makes the schedule of reconciliation; true where it made it. One that an operator has changed or paused stays so. */
export async function setUpSchedule(client: Client): Promise<boolean> {
  try {
    await client.schedule.create({
      scheduleId: RECONCILE_SCHEDULE,
      spec: { intervals: [{ every: RECONCILE_EVERY }] },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
      action: {
        type: 'startWorkflow',
        workflowType: WORKFLOWS.reconcile,
        workflowId: RECONCILE_SCHEDULE,
        taskQueue: TASK_QUEUES.main,
        args: [],
      },
    });
    return true;
  } catch (error) {
    if (error instanceof ScheduleAlreadyRunning) return false;
    throw error;
  }
}
