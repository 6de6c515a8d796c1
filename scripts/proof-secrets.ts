/**
 * `npm run proof:secrets -- [--short] [--json]`: plants secrets wherever Waybill takes them, makes deliveries fail in every way
 * it knows, and searches every output for them, in every spelling. A table for people goes to stderr; with `--json`
 * stdout's last line is one object with `rows`. Exit status: 0 nothing was found, 1 something was, or the proof
 * failed, 2 wrong usage, 128 + n when signal n ended it. With WAYBILL_SECRETS_MUTATION=leak it must end red.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import { prove, type Report } from '../test/leaks/proof.js';
import { InterruptedError, interruptions } from './stack/interruptions.js';

const DATA_DIR = fileURLToPath(new URL('../.waybill', import.meta.url));
const USAGE = `usage: npm run proof:secrets -- [--short] [--json]

Plants secrets wherever Waybill takes them, makes deliveries fail in every way it knows, asks every command, and
searches every output for the secrets, in every spelling.
  --short   fewer kinds of failure, and each command as text or as JSON instead of both
  --json    stdout gets one JSON object with the rows as its last line
  --help    this text
For example: npm run proof:secrets -- --short --json
Exit status: 0 nothing was found, 1 something was, 2 wrong usage, 130 after Ctrl-C.
`;
const FLAG = { type: 'boolean' } as const;
const say = (line: string): void => void process.stderr.write(`proof:secrets: ${line}\n`);

function tableOf({ rows }: Report): string {
  const table = new Table({ head: ['place', 'bytes searched', 'found'], style: { head: [], border: [] } });
  for (const row of rows) table.push([row.place, row.bytesSearched, row.found.join('\n') || 'nothing']);
  return table.toString();
}

async function main(signal: AbortSignal): Promise<number> {
  let values: { json?: boolean; short?: boolean; help?: boolean };
  try {
    values = parseArgs({ options: { json: FLAG, short: FLAG, help: FLAG } }).values;
  } catch (error) {
    process.stderr.write(`proof:secrets: ${(error as Error).message}\n\n${USAGE}`);
    return 2;
  }
  const { help = false, json = false, short = false } = values;
  if (help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const dataDir = join(process.env['WAYBILL_DATA_DIR'] ?? DATA_DIR, 'proof-secrets');
  const leak = process.env['WAYBILL_SECRETS_MUTATION'] === 'leak';
  const report = await prove({ dataDir, signal, say, leak, short });
  process.stderr.write(`${tableOf(report)}\n${report.verdict} in ${report.seconds} s\n`);
  for (const reason of report.reasons) process.stderr.write(`  ${reason}\n`);
  if (json) process.stdout.write(`${JSON.stringify(report)}\n`);
  return report.verdict === 'green' ? 0 : 1;
}

const interrupted = interruptions().signal;
try {
  process.exitCode = await main(interrupted);
} catch (error) {
  const reason: unknown = interrupted.aborted ? interrupted.reason : error;
  process.exitCode = reason instanceof InterruptedError ? reason.status : 1;
  if (!(reason instanceof InterruptedError)) {
    process.stderr.write(
      `proof:secrets: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
  }
}
