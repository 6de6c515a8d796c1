/**
 * `checker.ts TASK.json`: a process of its own that lays the receiver's journal beside the ledger and beside
 * Temporal's histories, and judges. It shares nothing with claim, settle and attempt: its SQL, its rules and its
 * reading of the journal are its own. Writes the figures to the task's `out`; exit status 0 green, 1 red, 2 where
 * it could not judge.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { Connection } from '@temporalio/client';
import pg from 'pg';
import { figuresOf, type Figures } from './check/figures.js';
import { countWorkflows, readHistories } from './check/histories.js';
import { judge } from './check/judge.js';
import { ledgerBytesPerObligation, readLedger } from './check/ledger.js';
import { readJournal } from './journal.js';

export interface CheckerTask {
  readonly account: string;
  /** The main event's. */
  readonly shipment: string;
  readonly queueingShipment: string;
  readonly marker: string;
  readonly journal: string;
  readonly asked: number;
  readonly seconds: number;
  readonly gaveUp?: string;
  readonly out: string;
}

const MAIN_LANE = 'main';

async function check(task: CheckerTask): Promise<Figures> {
  const { account, shipment, queueingShipment, marker, asked, seconds } = task;
  const namespace = process.env['TEMPORAL_NAMESPACE'] ?? 'default';
  const db = new pg.Pool({ connectionString: process.env['WAYBILL_DATABASE_URL'], max: 1 });
  const connection = await Connection.connect({ address: process.env['TEMPORAL_ADDRESS'] ?? '' });
  try {
    const ledger = await readLedger(db, account, MAIN_LANE);
    const journal = readJournal(task.journal);
    const keys = ledger.obligations.filter((o) => o.shipment === shipment).map((o) => o.key);
    const query = `WorkflowType = 'obligation' AND WaybillAccount = '${account}' AND WaybillShipment = '${shipment}'`;
    return figuresOf({
      journal,
      ledger,
      judgement: judge(journal, ledger, Date.now()),
      workflows: await countWorkflows(connection, namespace, query, keys.length),
      histories: await readHistories(connection, namespace, keys.sort(), marker),
      ledgerBytesPerObligation: await ledgerBytesPerObligation(db),
      seconds,
      queueingShipment,
      asked,
      gaveUp: task.gaveUp,
    });
  } finally {
    await connection.close();
    await db.end();
  }
}

try {
  const task = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as CheckerTask;
  const figures = await check(task);
  writeFileSync(task.out, JSON.stringify(figures), { mode: 0o600 });
  process.exitCode = figures.verdict === 'green' ? 0 : 1;
} catch (error) {
  process.stderr.write(`checker: ${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 2;
}
