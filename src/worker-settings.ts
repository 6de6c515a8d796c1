import type { WorkerOptions } from '@temporalio/worker';
import type { Config } from './config.js';
import { longestStopMs } from './policy/times.js';

/** What every worker of Temporal in a process of ours runs with. */
export const sharedSettings = (config: Config) =>
  ({
    identity: config.workerName,
    shutdownGraceTime: config.drainMs,
    shutdownForceTime: longestStopMs(config),
    maxEagerActivityReservationsPerWorkflowTask: 0,
  }) satisfies Partial<WorkerOptions>;

/** Of the one that runs workflows and their ledger activities. */
export const OBLIGATIONS_SETTINGS = {
  maxCachedWorkflows: 600,
  maxConcurrentActivityTaskExecutions: 20,
} as const satisfies Partial<WorkerOptions>;

/** Of one that sends, `slots` at once. */
export const sendsSettings = (slots: number) =>
  ({ maxConcurrentActivityTaskExecutions: slots }) satisfies Partial<WorkerOptions>;
