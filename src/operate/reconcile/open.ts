import { systemClock } from '../../clock.js';
import { loadConfig } from '../../config.js';
import { TASK_QUEUES } from '../../contract.js';
import { makePool } from '../../ledger/pool.js';
import { connectClient } from '../../temporal.js';
import { makeLog } from '../../watch/log.js';
import type { RepairDeps } from './repair.js';
import type { SurveyDeps } from './survey.js';

/** Connects to Postgres and Temporal by the environment, for one run at a person's hand. */
export async function openReconcile(options: {
  readonly actor: string;
  readonly graceMs?: number;
}): Promise<{ deps: SurveyDeps & RepairDeps; close: () => Promise<void> }> {
  const config = loadConfig();
  const { client, close } = await connectClient();
  const pool = makePool({
    url: config.databaseUrl,
    max: config.poolMax,
    applicationName: 'waybill-reconcile',
  });
  const starter = { workflows: client.workflow, taskQueue: TASK_QUEUES.main };
  const log = makeLog(config.logLevel, config.workerName);
  return {
    deps: {
      db: pool,
      temporal: client.workflow,
      taskQueue: TASK_QUEUES.main,
      starter,
      relay: { pool, databaseUrl: config.databaseUrl, starter, clock: systemClock, log },
      graceMs: options.graceMs ?? config.reconcileGraceMs,
      now: () => systemClock.ledgerNow(),
      actor: options.actor,
    },
    async close() {
      await pool.end();
      await close();
    },
  };
}
