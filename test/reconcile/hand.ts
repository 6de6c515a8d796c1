import { type WorkflowClient, WorkflowNotFoundError } from '@temporalio/client';
import pLimit from 'p-limit';
import type pg from 'pg';
import { waitUntil } from '../../scripts/stack/wait-until.js';
import type { Victim } from './removals.js';

const AT_ONCE = 10;
const GONE_TIMEOUT_MS = 60_000;

/** Takes away what each victim is to lose: rows with the owner's rights, workflows through Temporal's API. */
export async function remove(
  admin: pg.Pool,
  temporal: WorkflowClient,
  victims: readonly Victim[],
): Promise<void> {
  const keys = (which: (victim: Victim) => boolean): string[] => victims.filter(which).map(({ key }) => key);
  for (const table of ['attempt_outcomes', 'attempt_intents'])
    await admin.query(`DELETE FROM waybill.${table} WHERE key = ANY ($1)`, [
      keys(({ removal }) => removal.attempts),
    ]);
  await admin.query('DELETE FROM waybill.obligations WHERE key = ANY ($1)', [
    keys(({ removal }) => removal.row),
  ]);
  const limit = pLimit(AT_ONCE);
  await Promise.all(
    victims.map(({ key, removal }) =>
      limit(async () => {
        if (removal.workflow === 'terminated') await temporal.getHandle(key).terminate('by hand');
        if (removal.workflow !== 'deleted') return;
        await temporal.workflowService.deleteWorkflowExecution({
          namespace: temporal.options.namespace,
          workflowExecution: { workflowId: key },
        });
        await waitUntil(`the workflow ${key} is gone`, GONE_TIMEOUT_MS, () => isGone(temporal, key));
      }),
    ),
  );
}

async function isGone(temporal: WorkflowClient, key: string): Promise<boolean> {
  try {
    await temporal.getHandle(key).describe();
    return false;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return true;
    throw error;
  }
}

const TABLES = [
  ...['subscribers', 'gates', 'events', 'outbox', 'obligations', 'attempt_intents', 'attempt_outcomes'],
  ...['audit', 'operator_requests'],
];

/** A word that changes with any row of the ledger, and with any workflow's start, end or signal. */
export async function fingerprint(admin: pg.Pool, temporal: WorkflowClient, keys: readonly string[]) {
  const print: Record<string, string> = {};
  for (const table of TABLES) {
    const { rows } = await admin.query<{ print: string }>(
      `SELECT md5(coalesce(string_agg(t::text, E'\\n' ORDER BY t::text), '')) AS print FROM waybill.${table} t`,
    );
    print[table] = rows[0]?.print ?? '';
  }
  const limit = pLimit(AT_ONCE);
  const workflows = await Promise.all(
    keys.map((key) =>
      limit(async () => {
        if (await isGone(temporal, key)) return `${key} gone`;
        const { runId, status, historyLength } = await temporal.getHandle(key).describe();
        return `${key} ${runId} ${status.name} ${historyLength}`;
      }),
    ),
  );
  return JSON.stringify({ print, workflows });
}
