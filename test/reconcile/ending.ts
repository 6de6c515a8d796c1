import type { Client } from '@temporalio/client';
import pLimit from 'p-limit';
import type pg from 'pg';
import type { Victim } from './removals.js';
import type { Scene } from './scene.js';
import type { Stage } from './stage.js';

const RECHECKS_AT_ONCE = 20;

export interface Hall {
  readonly stage: Stage;
  readonly admin: pg.Pool;
  readonly temporal: Client;
}

interface Patience {
  readonly patienceMs: number;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** Everything works again, and the hour that refused ones wait is over. */
export async function goOn(
  { stage, admin, temporal }: Hall,
  scene: Scene,
  victims: readonly Victim[],
): Promise<void> {
  await scene.mend();
  await Promise.all([
    stage.worker('relay-again', 'relay'),
    stage.worker('worker-again', 'obligations,sends'),
  ]);
  const { rows } = await admin.query<{ key: string }>(
    `UPDATE waybill.obligations SET next_eligible_at = clock_timestamp() WHERE disposition = 'waiting' RETURNING key`,
  );
  const limit = pLimit(RECHECKS_AT_ONCE);
  const open = new Set([...rows.map((row) => row.key), ...victims.map((victim) => victim.key)]);
  await Promise.all(
    [...open].map((key) => limit(() => temporal.workflow.getHandle(key).signal('recheck').catch(closed))),
  );
}

/** A workflow that has ended or is gone hears nothing; that is judged by the ledger. */
function closed(error: unknown): void {
  if (!(error instanceof Error) || error.name !== 'WorkflowNotFoundError') throw error;
}

/** Waits for every obligation's end, and answers how many have none when patience is over. */
export async function untilAllEnded(admin: pg.Pool, all: number, options: Patience): Promise<number> {
  const { patienceMs, say, signal } = options;
  const deadlineMs = performance.now() + patienceMs;
  let said = 0;
  let saidAtMs = performance.now();
  for (;;) {
    signal.throwIfAborted();
    const { rows } = await admin.query<{ ended: number }>(
      `SELECT count(*)::int AS ended FROM waybill.obligations
        WHERE disposition IN ('delivered', 'terminated') OR (disposition = 'held' AND held_reason = 'record-lost')`,
    );
    const ended = rows[0]?.ended ?? 0;
    const { rows: left } = await admin.query('SELECT FROM waybill.outbox');
    if ((ended === all && left.length === 0) || performance.now() > deadlineMs) return all - ended;
    if (ended !== said && performance.now() - saidAtMs > 5_000) {
      said = ended;
      saidAtMs = performance.now();
      say(`${ended} of ${all} have ended`);
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

const TOLD_OF = 5;

/** What Temporal says of some that have no end: whose fault it is can't be told once the stack is gone. */
export async function tellOfOpen({ admin, temporal }: Hall): Promise<string[]> {
  const { rows } = await admin.query<{ key: string; disposition: string; due: Date }>(
    `SELECT key, disposition, next_eligible_at AS due FROM waybill.obligations
      WHERE disposition NOT IN ('delivered', 'terminated') AND held_reason IS DISTINCT FROM 'record-lost' LIMIT $1`,
    [TOLD_OF],
  );
  const told: string[] = [];
  for (const { key, disposition, due } of rows) {
    const handle = temporal.workflow.getHandle(key);
    const workflow = await handle.describe().then(
      async ({ status, raw }) => {
        const { events } = await handle.fetchHistory();
        const activities = (raw.pendingActivities ?? []).map((a) => ({
          ...{ type: a.activityType?.name, state: a.state, attempt: a.attempt },
          ...{
            startedS: Number(a.lastStartedTime?.seconds ?? 0),
            beatS: Number(a.lastHeartbeatTime?.seconds ?? 0),
          },
        }));
        const last = (events ?? [])
          .slice(-12)
          .map((e) => `${e.eventType}@${Number(e.eventTime?.seconds ?? 0)}`);
        return JSON.stringify({ status: status.name, activities, task: raw.pendingWorkflowTask, last });
      },
      (error: unknown) => String(error),
    );
    told.push(`open: ${key} is ${disposition}, due ${due.toISOString()}; Temporal says ${workflow}`);
  }
  return told;
}
