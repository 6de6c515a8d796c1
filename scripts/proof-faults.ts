/**
 * `npm run proof:faults -- [options]`: brings trouble upon the database, Temporal, the receiver and the links to them
 * while deliveries run, and has a checker judge what became of every delivery and every publish. A table for people goes to
 * stderr; with `--json` stdout's last line is one object with `rows`. Exit status: 0 as it must be, 1 a row falls
 * short or the proof failed, 2 wrong usage, 128 + n when signal n ended it.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseOptions, UsageError, USAGE } from '../test/faults/options.js';
import { prove } from '../test/faults/proof.js';
import { tableOf } from '../test/faults/rows.js';
import { InterruptedError, interruptions } from './stack/interruptions.js';

const DATA_DIR = fileURLToPath(new URL('../.waybill', import.meta.url));
const say = (line: string): void => void process.stderr.write(`proof:faults: ${line}\n`);

async function main(signal: AbortSignal): Promise<number> {
  const options = parseOptions(process.argv.slice(2), process.env);
  if (options.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const dataDir = join(process.env['WAYBILL_DATA_DIR'] ?? DATA_DIR, 'proof-faults');
  const report = await prove({ ...options, dataDir, signal, say });
  process.stderr.write(`${tableOf(report.rows)}\n${report.verdict} in ${report.seconds} s\n`);
  for (const reason of report.reasons) process.stderr.write(`  ${reason}\n`);
  if (options.json) process.stdout.write(`${JSON.stringify(report)}\n`);
  return report.verdict === 'green' ? 0 : 1;
}

const interrupted = interruptions().signal;
try {
  process.exitCode = await main(interrupted);
} catch (error) {
  process.exitCode = failed(interrupted.aborted ? interrupted.reason : error);
}

/** Says what went wrong, where that isn't plain, and answers the exit status. */
function failed(error: unknown): number {
  if (error instanceof InterruptedError) return error.status;
  if (error instanceof UsageError) {
    process.stderr.write(`proof:faults: ${error.message}\n\n${USAGE}`);
    return 2;
  }
  process.stderr.write(
    `proof:faults: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  return 1;
}
