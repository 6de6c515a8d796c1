import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { WaybillError } from '../errors.js';
import { scopedCommand, type Scoped } from './command.js';
import { Ended, EXIT, LineError } from './faults.js';
import { toJsonLine, write, writeJson, writeLines } from './output.js';
import { startProgress, type Progress } from './progress.js';
import { readLines } from './source.js';
import { isTerminal, shown, writeTable, type Cell } from './table.js';
import type { CompareReport } from '../operate/compare/compare.js';
import type { JournalByKey } from '../operate/compare/journal.js';
import type { Compared } from '../operate/compare/side-by-side.js';

interface CompareOptions extends Scoped {
  readonly journal: string;
  readonly shipment?: string;
  readonly subscriber?: string;
  readonly since?: string;
  readonly until?: string;
}

const HEAD = ['key', 'attempt', 'verdict', 'seen', 'body', 'answered', 'recorded', 'status', 'window'];
/** Rows that are written at once. */
const BATCH = 500;

/** `waybill compare`: what the receiver saw beside what the ledger says. */
export function define(program: Command): void {
  scopedCommand(
    program,
    'compare',
    "Lay a receiver's journal (docs/journal.md) beside the ledger, attempt by attempt: was each request seen, was its " +
      'body the published one, was the answer the recorded one, and is there a reason for each request after the first? ' +
      'Ends with 1 where something has no explanation. The journal is held in memory, grouped by key.',
    'waybill compare --journal received.ndjson --subscriber acme',
  )
    .requiredOption('--journal <file>', 'the journal, a line of JSON for each request; - for stdin')
    .option('--shipment <id>', 'only this shipment')
    .option('--subscriber <id-or-name>', 'only this subscriber: for a journal of its endpoint alone')
    .option('--since <time>', 'when the journal begins; earlier attempts are not looked for in it')
    .option('--until <time>', 'when the journal ends; later attempts are not looked for in it (default: now)')
    .action(run);
}

async function run(options: CompareOptions): Promise<void> {
  const [{ loadConfig }, { makePool }, { parseInstant }, { compare }] = await Promise.all([
    import('../config.js'),
    import('../ledger/pool.js'),
    import('../intake/instant.js'),
    import('../operate/compare/compare.js'),
  ]);
  const since = parseInstant('since', options.since);
  const until = parseInstant('until', options.until);
  const { databaseUrl } = loadConfig();
  const pool = makePool({ url: databaseUrl, max: 2, applicationName: 'waybill-compare' });
  const reading = startProgress('reading the journal', options.json ?? false);
  const comparing = startProgress('comparing', options.json ?? false);
  const rows = rowWriter(options.json ?? false);
  try {
    const report = await compare(
      { db: pool, account: options.account, source: 'cli' },
      {
        ...{ shipment: options.shipment, subscriber: options.subscriber, since, until },
        readJournal: async (journal) => {
          await readInto(journal, options.journal, reading);
          reading.stop();
        },
        onRows: rows.add,
        onProgress: (done) => comparing.update(done, done, 'obligations'),
      },
    );
    comparing.stop();
    await rows.flush();
    if (options.json) await writeJson({ row: 'report', ...report });
    else await writeLines(told(report));
    if (report.unexplained > 0) throw new Ended(EXIT.unexpected);
  } finally {
    reading.stop();
    comparing.stop();
    await pool.end();
  }
}

async function readInto(journal: JournalByKey, file: string, progress: Progress): Promise<void> {
  const totalBytes =
    file === '-'
      ? 0
      : await stat(file).then(
          (s) => s.size,
          () => 0, // reading it says what is wrong
        );
  for await (const { number, text, bytesSoFar } of readLines(file)) {
    if (text.trim() === '') continue;
    try {
      journal.add(text);
    } catch (error) {
      throw error instanceof WaybillError ? new LineError(number, error) : error;
    }
    progress.update(bytesSoFar, Math.max(totalBytes, bytesSoFar), 'bytes');
  }
}

/** Writes in batches; the head stands once, on a terminal above each batch. */
function rowWriter(json: boolean) {
  let batch: Compared[] = [];
  let headed = false;
  const flush = async (): Promise<void> => {
    const rows = batch;
    batch = [];
    if (json) return write(rows.map((row) => toJsonLine({ row: 'attempt', ...row })).join(''));
    if (isTerminal() || !headed) await writeTable(HEAD, rows.map(cells));
    else await writeLines(rows.map((row) => cells(row).map(shown).join('\t')));
    headed ||= rows.length > 0;
  };
  return {
    flush,
    async add(rows: readonly Compared[]): Promise<void> {
      batch.push(...rows);
      if (batch.length >= BATCH) await flush();
    },
  };
}

const cells = (row: Compared): Cell[] => [
  row.key,
  row.attempt,
  row.verdict,
  row.seenAt,
  row.body,
  row.answered,
  row.outcome === null ? null : `${row.outcome} (${row.class ?? ''})`,
  row.status,
  row.windowMs === null ? null : `${Math.round(row.windowMs)} ms`,
];

function told(report: CompareReport): string[] {
  const { verdicts, windowMs } = report;
  const counts = Object.entries(verdicts).filter(([, count]) => count > 0);
  return [
    `${report.obligations} obligations, ${report.attempts} attempts on record, ${report.requests} requests seen`,
    ...counts.map(([verdict, count]) => `${verdict}: ${count}`),
    windowMs.measured === 0
      ? 'answer to record: not measured'
      : `answer to record, of ${windowMs.measured}: p50 ${windowMs.p50 ?? 0} ms, max ${windowMs.max ?? 0} ms`,
    report.unexplained === 0 ? 'everything is explained' : `${report.unexplained} without an explanation`,
  ];
}
