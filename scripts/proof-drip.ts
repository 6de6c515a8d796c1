/**
 * `npm run proof:drip -- [options]`: receivers that drip one byte a second beside healthy deliveries, on a stack of its
 * own; the worker that sends is looked at from outside. A table for people goes to stderr; with `--json` stdout's last
 * line is one object with `rows`. Exit status: 0 as it must be, 1 a row falls short or the proof failed, 2 wrong usage,
 * 128 + n when signal n ended it. Needs Linux: it reads /proc. With WAYBILL_DRIP_MUTATION set it must end red.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseOptions, UsageError, USAGE } from '../test/wire/drip/options.js';
import { prove, type Report } from '../test/wire/drip/prove.js';
import { tableOf } from '../test/wire/drip/rows.js';
import { InterruptedError, interruptions } from './stack/interruptions.js';

const DATA_DIR = fileURLToPath(new URL('../.waybill', import.meta.url));
const say = (line: string): void => void process.stderr.write(`proof:drip: ${line}\n`);

async function main(signal: AbortSignal): Promise<number> {
  const options = parseOptions(process.argv.slice(2), process.env);
  if (options.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const dataDir = join(process.env['WAYBILL_DATA_DIR'] ?? DATA_DIR, 'proof-drip');
  const report = await prove({ ...options, dataDir, signal, say });
  process.stderr.write(`${tableOf(report.rows)}\n${summaryOf(report)}\n`);
  if (options.json) process.stdout.write(`${JSON.stringify(report)}\n`);
  return report.verdict === 'green' ? 0 : 1;
}

function summaryOf(report: Report): string {
  const { healthySecondsAlone, healthySecondsBeside, machineLateMs, rssBytes, seconds, verdict } = report;
  const mib = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MiB`;
  return [
    `${verdict} in ${seconds} s`,
    `  at most resident: ${mib(rssBytes.alone)} alone, ${mib(rssBytes.beside)} beside`,
    `  healthy deliveries took ${healthySecondsAlone} s alone, ${healthySecondsBeside} s beside`,
    `  a timer of an idle process was ${machineLateMs} ms late at worst: machineLateMs`,
  ].join('\n');
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
    process.stderr.write(`proof:drip: ${error.message}\n\n${USAGE}`);
    return 2;
  }
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return 1;
}
