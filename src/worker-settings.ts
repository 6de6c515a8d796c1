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

/**
 * One thread runs them all, so more in hand are no sooner done; but they wait in Temporal then, where turns are dealt, and
 * not in the worker, where the one that came first goes first.
 */
const WORKFLOW_TASKS_AT_ONCE = 10;
/** Half of the polls are for runs that begin, and half for those that go on: a delivery has about as many of each. */
const NEW_RUNS_POLL_SHARE = 0.5;

/** Of the one that runs workflows and their ledger activities. */
export const OBLIGATIONS_SETTINGS = {
  maxCachedWorkflows: 600,
  maxConcurrentWorkflowTaskExecutions: WORKFLOW_TASKS_AT_ONCE,
  nonStickyToStickyPollRatio: NEW_RUNS_POLL_SHARE,
  maxConcurrentActivityTaskExecutions: 20,
} as const satisfies Partial<WorkerOptions>;

/** Of one that sends, `slots` at once. */
export const sendsSettings = (slots: number) =>
  ({ maxConcurrentActivityTaskExecutions: slots }) satisfies Partial<WorkerOptions>;
