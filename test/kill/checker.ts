/**
 * `checker.ts TASK.json`: a process of its own that judges rounds from three things alone: the receiver's journal, the
 * ledger, and Temporal's list of workflows. Writes a {@link Finding} for each round to the task's `out`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import { readLedger } from '../../demo/check/ledger.js';
import { readJournal } from '../../demo/journal.js';
import { judgeRound, OPEN, type Finding, type RoundEvidence } from './judge-round.js';

export interface CheckerTask {
  readonly rounds: readonly RoundTask[];
  readonly journal: string;
  readonly out: string;
}

export interface RoundTask {
  readonly account: string;
  readonly shipment: string;
  readonly size: number;
  /** Epoch ms of the blow. */
  readonly struckAtMs: number;
  /** How many it published; one when unset. */
  readonly published?: number;
}

/** A workflow hears of its obligation's end by the relay, which may have died over it: its rows wait 10 s. */
const CLOSE_TIMEOUT_MS = 45_000;
const LOOK_EVERY_MS = 500;

async function check(task: CheckerTask): Promise<Finding[]> {
  const db = new pg.Pool({ connectionString: process.env['WAYBILL_DATABASE_URL'], max: 1 });
  const connection = await Connection.connect({ address: process.env['TEMPORAL_ADDRESS'] ?? '' });
  const client = new Client({ connection, namespace: process.env['TEMPORAL_NAMESPACE'] ?? 'default' });
  const deadlineMs = performance.now() + CLOSE_TIMEOUT_MS;
  try {
    const journal = readJournal(task.journal);
    const findings: Finding[] = [];
    for (const round of task.rounds) {
      const ledger = await readLedger(db, round.account, '');
      const ends = ledger.obligations.filter((o) => !OPEN.includes(o.disposition)).map((o) => o.key);
      const workflows = await settledWorkflows(client, round.account, ends, deadlineMs);
      const prefix = `${round.shipment}:`;
      const requests = journal.filter((r) => r.key.startsWith(prefix));
      const evidence = { published: 1, ...round, ...(await countsOf(db, round.account)) };
      findings.push(judgeRound(evidence, requests, ledger, workflows, Date.now()));
    }
    return findings;
  } finally {
    await connection.close();
    await db.end();
  }
}

type Counts = Pick<RoundEvidence, 'events' | 'actsTwice' | 'reconciled'>;

async function countsOf(db: pg.Pool, account: string): Promise<Counts> {
  const { rows } = await db.query<Counts>(
    `SELECT (SELECT count(*)::int FROM waybill.events WHERE account = $1) AS events,
      (SELECT count(*)::int FROM (SELECT FROM waybill.audit
          WHERE account = $1 AND request_id IS NOT NULL AND refused IS NULL
          GROUP BY key, subscriber_id, request_id HAVING count(*) > 1) AS twice) AS "actsTwice",
      (SELECT count(DISTINCT coalesce(key, event_id::text))::int FROM waybill.audit
        WHERE account = $1 AND act = 'reconcile') AS reconciled`,
    [account],
  );
  return rows[0] as Counts;
}

/** Status by id, once all that should have closed have, or when patience is over. */
async function settledWorkflows(
  client: Client,
  account: string,
  ends: readonly string[],
  deadlineMs: number,
): Promise<Map<string, string>> {
  for (;;) {
    const statuses = new Map<string, string>();
    const query = `WorkflowType = 'obligation' AND WaybillAccount = '${account}'`;
    for await (const found of client.workflow.list({ query }))
      statuses.set(found.workflowId, found.status.name);
    const settled = ends.every((key) => !['RUNNING', undefined].includes(statuses.get(key)));
    if (settled || performance.now() > deadlineMs) return statuses;
    await sleep(LOOK_EVERY_MS);
  }
}

try {
  const task = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as CheckerTask;
  writeFileSync(task.out, JSON.stringify(await check(task)), { mode: 0o600 });
} catch (error) {
  process.stderr.write(`checker: ${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 2;
}
