import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { WorkflowClient } from '@temporalio/client';
import { Worker, type NativeConnection, type WorkerOptions } from '@temporalio/worker';
import { makeLedgerActivities, makeSendActivities } from './activities/index.js';
import { systemClock, type Clock } from './clock.js';
import { requireKeys, wireOptions, type Config } from './config.js';
import { TASK_QUEUES } from './contract.js';
import { WaybillError } from './errors.js';
import { startRelay } from './intake/relay.js';
import { batched } from './ledger/batching.js';
import { claimMany, type ClaimAnswer, type ClaimRequest } from './ledger/claim.js';
import { assertSchema } from './ledger/migrate.js';
import { ensurePartitions } from './ledger/partitions.js';
import { postgresPayloads, verifiedPayloads } from './ledger/payloads.js';
import { makePool, type Queryable } from './ledger/pool.js';
import { settleMany, type SettleAnswer, type Settlement } from './ledger/settle.js';
import { longestDeadline } from './ledger/subscribers.js';
import { faultInTimes, longestStopMs } from './policy/times.js';
import { running, type RunningWorker } from './running-worker.js';
import { calm } from './watch/calm.js';
import { makeMetrics, serveMetrics, type Metrics } from './watch/metrics.js';
import type { Log } from './watch/log.js';
import type { Reached } from './watch/points.js';
import { makeSealer } from './wire/seal.js';
import { makeWire } from './wire/send.js';

export type { RunningWorker };

export const ROLES = ['relay', 'obligations', 'sends'] as const;
export type Role = (typeof ROLES)[number];

export interface WorkerParts {
  readonly config: Config;
  readonly roles: readonly Role[];
  readonly connection: NativeConnection;
  readonly workflows: WorkflowClient;
  readonly namespace: string;
  readonly log: Log;
  /** Tests give theirs; everybody else has `waybill`. */
  readonly taskQueue?: string;
  readonly clock?: Clock;
  /** Told of each point on the path as it is reached; for the kill tests. */
  readonly reached?: Reached;
  /** A bundle of the workflows made before; without it a checkout bundles its sources at each start. */
  readonly workflowBundle?: string;
}

/**
 * One thread runs them all, so more in hand are no sooner done; but they wait in Temporal then, where turns are dealt, and
 * not in the worker, where the one that came first goes first.
 */
const WORKFLOW_TASKS_AT_ONCE = 10;
/** Half of the polls are for runs that begin, and half for those that go on: a delivery has about as many of each. */
const NEW_RUNS_POLL_SHARE = 0.5;
const CLAIM_BATCH = 50;
const SETTLE_BATCH = 50;
const PAYLOAD_CACHE_BYTES = 64 * 1_048_576;
const PARTITIONS_EVERY_MS = 6 * 3_600_000;

/**
 * A worker process: what it does is its roles. `relay` carries the outbox to Temporal, `obligations` runs
 * workflows and their ledger activities, `sends` makes the requests.
 * @throws WaybillError `migration_missing`, `migration_unknown`, `config_invalid` before anything has started.
 */
export async function startWorker(parts: WorkerParts): Promise<RunningWorker> {
  const { config, reached } = parts;
  const log = calm(parts.log);
  const clock = parts.clock ?? systemClock;
  const taskQueue = parts.taskQueue ?? TASK_QUEUES.main;
  const onIdleError = (error: Error): void => log.warn({ err: error }, 'database.connection_lost');
  const pool = makePool({
    url: config.databaseUrl,
    max: config.poolMax,
    applicationName: 'waybill-worker',
    onIdleError,
  });
  const starter = { workflows: parts.workflows, taskQueue };
  const relayDeps = { pool, databaseUrl: config.databaseUrl, starter, clock, log, reached };
  const closers: (() => Promise<void>)[] = [() => pool.end()];
  const metrics = makeMetrics();

  try {
    await assertSchema(pool);
    if (parts.roles.includes('sends')) await assertTimes(pool, config);
    await ensurePartitions(pool);
    if (config.metricsAt) {
      const door = await openMetrics(metrics, config.metricsAt);
      closers.unshift(() => door.close());
      log.info({ host: config.metricsAt.host, port: door.port }, 'metrics.served');
    }
    let cutSends = (): void => undefined;
    const workers: Worker[] = [];
    if (parts.roles.includes('obligations')) {
      workers.push(
        await Worker.create({
          ...common(parts),
          taskQueue,
          ...workflowCode(parts.workflowBundle),
          activities: makeLedgerActivities({
            db: pool,
            clock,
            starter,
            log,
            worker: config.workerName,
            fanOutPerSecond: config.fanOutPerSecond,
            reached,
            reconcile: {
              db: pool,
              temporal: parts.workflows,
              taskQueue,
              starter,
              relay: relayDeps,
              graceMs: config.reconcileGraceMs,
              now: () => clock.ledgerNow(),
              actor: 'system',
              log,
            },
          }),
          maxCachedWorkflows: 600,
          maxConcurrentWorkflowTaskExecutions: WORKFLOW_TASKS_AT_ONCE,
          nonStickyToStickyPollRatio: NEW_RUNS_POLL_SHARE,
          maxConcurrentActivityTaskExecutions: 20,
        }),
      );
    }
    if (parts.roles.includes('sends')) {
      const wire = makeWire({
        ...wireOptions(config),
        ...(reached ? { onPhase: (phase) => reached(`wire.${phase}`) } : {}),
      });
      cutSends = () => wire.close();
      closers.unshift(() => Promise.resolve(wire.close()));
      const activities = makeSendActivities({
        ...batchedLedger(pool, clock, config, metrics),
        payload: verifiedPayloads(postgresPayloads(pool), PAYLOAD_CACHE_BYTES),
        open: makeSealer(requireKeys(config)).open,
        send: wire.send,
        clock,
        random: Math.random,
        log,
        news: (news, key, subscriber) => {
          metrics.destination(news);
          log.warn({ key, subscriber }, `subscriber.${news.replace('-', '_')}`);
        },
        reached,
      });
      for (const [queue, slots] of [
        [`${taskQueue}-send`, config.concurrentSends],
        [`${taskQueue}-retry`, config.concurrentRetries],
      ] as const) {
        workers.push(
          await Worker.create({
            ...common(parts),
            taskQueue: queue,
            activities,
            maxConcurrentActivityTaskExecutions: slots,
          }),
        );
      }
    }
    const relay = parts.roles.includes('relay') ? startRelay(relayDeps) : undefined;
    return running({ workers, relay, partitions: keepPartitions(pool, log), cutSends, closers });
  } catch (error) {
    for (const close of closers) await close();
    throw error;
  }
}

/** @throws WaybillError `config_invalid` where the drain would cut a send that is within its deadline. */
async function assertTimes(db: Queryable, config: Config): Promise<void> {
  const fault = faultInTimes(config, await longestDeadline(db));
  if (fault === undefined) return;
  const field = 'WAYBILL_DRAIN_MS';
  throw new WaybillError('config_invalid', `${field}: ${fault}`, { field });
}

/** @throws WaybillError `config_invalid` where somebody else has the address, or it isn't ours. */
async function openMetrics(
  { registry }: Metrics,
  { host, port }: { readonly host: string; readonly port: number },
): ReturnType<typeof serveMetrics> {
  try {
    return await serveMetrics(registry, host, port);
  } catch (error) {
    const field = 'WAYBILL_METRICS';
    const code = (error as NodeJS.ErrnoException).code ?? 'error';
    throw new WaybillError('config_invalid', `${field}: can't be listened on (${code})`, {
      field,
      cause: error,
    });
  }
}

function common(
  parts: WorkerParts,
): Pick<
  WorkerOptions,
  | 'connection'
  | 'namespace'
  | 'identity'
  | 'shutdownGraceTime'
  | 'shutdownForceTime'
  | 'maxEagerActivityReservationsPerWorkflowTask'
> {
  const { config } = parts;
  return {
    connection: parts.connection,
    namespace: parts.namespace,
    identity: config.workerName,
    shutdownGraceTime: config.drainMs,
    shutdownForceTime: longestStopMs(config),
    maxEagerActivityReservationsPerWorkflowTask: 0,
  };
}

/** A release carries its bundle; a checkout bundles its source. */
function workflowCode(given?: string): Pick<WorkerOptions, 'workflowBundle' | 'workflowsPath'> {
  const built = given ?? fileURLToPath(new URL('./workflow-bundle.js', import.meta.url));
  if (given !== undefined || existsSync(built)) return { workflowBundle: { codePath: built } };
  return { workflowsPath: fileURLToPath(new URL('./workflows/index.ts', import.meta.url)) };
}

function batchedLedger(pool: ReturnType<typeof makePool>, clock: Clock, config: Config, metrics: Metrics) {
  const worker = config.workerName;
  return {
    claim: batched<ClaimRequest, ClaimAnswer>(async (requests) => {
      const answers = await claimMany(pool, requests, {
        worker,
        leaseMarginMs: config.leaseMarginMs,
        now: await clock.ledgerNow(),
      });
      answers.forEach(metrics.claimed);
      return answers;
    }, CLAIM_BATCH),
    settle: batched<Settlement, SettleAnswer>(
      async (settlements) => settleMany(pool, settlements, { worker, now: await clock.ledgerNow() }),
      SETTLE_BATCH,
    ),
  };
}

function keepPartitions(pool: ReturnType<typeof makePool>, log: Log): NodeJS.Timeout {
  const timer = setInterval(() => {
    ensurePartitions(pool).catch((error: unknown) => log.error({ err: error }, 'partitions.not_made'));
  }, PARTITIONS_EVERY_MS);
  timer.unref();
  return timer;
}
