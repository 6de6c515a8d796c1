/**
 * `npm run demo -- [options]`: one shipment event, delivered to many subscribers on real parts, each in a process
 * of its own (Postgres, Temporal, a worker, a receiver), then judged by a checker. Exit status: 0 green, 1 red or
 * failed, 2 wrong usage, 128 + n when signal n ended it.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InterruptedError, interruptions } from '../scripts/stack/interruptions.js';
import type { CheckerTask } from './checker.js';
import type { Figures } from './check/figures.js';
import { parseOptions, UsageError, USAGE, type Options } from './options.js';
import { openProgress } from './progress.js';
import { table, whereToLook } from './report.js';
import { setStage, type Stage } from './stage.js';
import { tell, type Told } from './story.js';

const DATA_DIR = fileURLToPath(new URL('../.waybill', import.meta.url));

async function main(options: Options, signal: AbortSignal): Promise<number> {
  const progress = openProgress(options.subscribers);
  const stage = await setStage({
    signal,
    onProgress: progress.say,
    fresh: options.fresh,
    // A broken ledger function stays in its database: that one is used for nothing else.
    ...(options.mutation
      ? { fresh: true, dataDir: join(process.env['WAYBILL_DATA_DIR'] ?? DATA_DIR, 'mutated') }
      : {}),
  });
  try {
    const told = await tell(options, stage, progress, signal);
    if (told.gaveUp) progress.say(`gave up: ${told.gaveUp}`);
    progress.say("checking the receiver's journal against the ledger and the histories");
    const figures = await judged(options, stage, told, signal);
    const staysUp = !options.once;
    const text = `${table(figures)}\n\n${whereToLook(stage, told, staysUp)}\n`;
    if (options.json) process.stderr.write(text);
    process.stdout.write(options.json ? `${JSON.stringify(figures)}\n` : text);
    if (staysUp) {
      progress.say('the stack stays up; Ctrl-C ends it');
      await aborted(signal);
    }
    return figures.verdict === 'green' ? 0 : 1;
  } finally {
    progress.say('stopping');
    await stage.stop();
  }
}

async function judged(options: Options, stage: Stage, told: Told, signal: AbortSignal): Promise<Figures> {
  const { account, shipment, queueingShipment, marker, seconds, gaveUp } = told;
  const task: CheckerTask = {
    ...{ account, shipment, queueingShipment, marker, seconds },
    ...(gaveUp === undefined ? {} : { gaveUp }),
    asked: options.subscribers,
    journal: stage.journal,
    out: join(stage.folder, 'figures.json'),
  };
  const taskFile = join(stage.folder, 'task.json');
  writeFileSync(taskFile, JSON.stringify(task), { mode: 0o600 });
  const status = await stage.check(taskFile, signal);
  signal.throwIfAborted();
  if (status > 1 || !existsSync(task.out)) {
    throw new Error(
      `the checker could not judge:\n${readFileSync(join(stage.folder, 'checker.log'), 'utf8')}`,
    );
  }
  return JSON.parse(readFileSync(task.out, 'utf8')) as Figures;
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

const interrupted = interruptions().signal;
try {
  const options = parseOptions(process.argv.slice(2), process.env);
  if (options.help) process.stdout.write(USAGE);
  else process.exitCode = await main(options, interrupted);
} catch (error) {
  process.exitCode = report(interrupted.aborted ? interrupted.reason : error);
}

/** Says what went wrong, where that isn't plain, and answers the exit status. */
function report(error: unknown): number {
  if (error instanceof InterruptedError) return error.status;
  if (error instanceof UsageError) {
    process.stderr.write(`demo: ${error.message}\n\n${USAGE}`);
    return 2;
  }
  process.stderr.write(`demo: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return 1;
}
