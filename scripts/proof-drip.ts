/**
 * `npm run proof:drip -- [options]`: receivers that drip one byte a second beside healthy deliveries. It proves the
 * wire in a process of its own, without Temporal and Postgres around it. A table for people goes to stderr; with
 * `--json` stdout's last line is one object with `rows`. Exit status: 0 as it must be, 1 a row falls short or the
 * proof failed, 2 wrong usage, 128 + n when signal n ended it. Needs Linux: it reads /proc.
 */
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import { prove } from '../test/wire/drip/prove.js';
import { InterruptedError, interruptions } from './stack/interruptions.js';

const USAGE = `usage: npm run proof:drip -- [--drips N] [--healthy N] [--timeout-ms N] [--late-ms N] [--json]

Lets receivers drip one byte a second while healthy deliveries run, in one process with a wire of its own, and lays its
memory, its descriptors and its deadlines beside those of the healthy deliveries alone.
  --drips N        receivers that drip, each under a name of its own; 500 when unset
  --healthy N      deliveries beside them; 2000 when unset
  --timeout-ms N   deadline of those to the receivers that drip; 15000 when unset
  --late-ms N      how late a deadline may be kept; 250 when unset
  --json           stdout gets one JSON object with the rows as its last line
  --help           this text
For example: npm run proof:drip -- --drips 100 --healthy 400 --json
Exit status: 0 as it must be, 1 a row falls short, 2 wrong usage.
`;

class UsageError extends Error {}

const say = (line: string): void => void process.stderr.write(`proof:drip: ${line}\n`);
const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean' } as const;

function parsed() {
  try {
    const options = {
      drips: TEXT,
      healthy: TEXT,
      'timeout-ms': TEXT,
      'late-ms': TEXT,
      json: FLAG,
      help: FLAG,
    };
    return parseArgs({ allowPositionals: false, options }).values;
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}

async function main(signal: AbortSignal): Promise<number> {
  const values = parsed();
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  type Name = 'drips' | 'healthy' | 'timeout-ms' | 'late-ms';
  const whole = (name: Name, fallback: number, least: number, most: number): number => {
    const value = Number(values[name] ?? fallback);
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    throw new UsageError(`--${name} must be a whole number from ${least} to ${most}`);
  };
  const options = {
    drips: whole('drips', 500, 2, 5_000),
    healthy: whole('healthy', 2_000, 1, 1_000_000),
    timeoutMs: whole('timeout-ms', 15_000, 100, 600_000),
    lateMs: whole('late-ms', 250, 0, 60_000),
  };
  const report = await prove(options, say, signal);
  const head = ['what', 'expected', 'got', ''];
  const table = new Table({ head, style: { head: [], border: [], compact: true } });
  for (const { what, expected, got, ok } of report.rows) table.push([what, expected, got, ok ? '' : 'short']);
  const mib = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MiB`;
  const { rssBytes, machineLateMs } = report;
  process.stderr.write(
    `${table.toString()}\n${report.verdict}: ${mib(rssBytes.without)} without, ${mib(rssBytes.with)} with; a timer of an idle process was ${machineLateMs} ms late\n`,
  );
  if (values.json) process.stdout.write(`${JSON.stringify(report)}\n`);
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
    process.stderr.write(`proof:drip: ${error.message}\n\n${USAGE}`);
    return 2;
  }
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return 1;
}
