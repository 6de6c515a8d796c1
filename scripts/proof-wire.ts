/**
 * `npm run proof:wire -- [options]`: the wire against whatever a URL, a resolver or a receiver does. A table for
 * people goes to stderr; with `--json` stdout's last line is one object with `rows`. Exit status: 0 as it must be,
 * 1 a row falls short or the proof failed, 2 wrong usage, 128 + n when signal n ended it.
 */
import { parseOptions, UsageError, USAGE } from '../test/wire/proof/options.js';
import { prove } from '../test/wire/proof/prove.js';
import { tableOf } from '../test/wire/proof/rows.js';
import { InterruptedError, interruptions } from './stack/interruptions.js';

const say = (line: string): void => void process.stderr.write(`proof:wire: ${line}\n`);

async function main(signal: AbortSignal): Promise<number> {
  const options = parseOptions(process.argv.slice(2), process.env);
  if (options.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const report = await prove(options, say, signal);
  const { verdict, named, rows, seconds } = report;
  process.stderr.write(`${tableOf(rows, options.limits)}\n`);
  process.stderr.write(
    `${verdict}: ${named} named rows, ${rows.length - named} properties, in ${seconds} s\n`,
  );
  if (options.json) process.stdout.write(`${JSON.stringify(report)}\n`);
  return verdict === 'green' ? 0 : 1;
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
    process.stderr.write(`proof:wire: ${error.message}\n\n${USAGE}`);
    return 2;
  }
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return 1;
}
