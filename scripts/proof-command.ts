import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../test/support/proof-options.js';
import { InterruptedError, interruptions } from './stack/interruptions.js';

const DATA_DIR = fileURLToPath(new URL('../.waybill', import.meta.url));

interface Asked {
  readonly json: boolean;
  readonly help: boolean;
}

interface Judged {
  readonly verdict: 'green' | 'red';
  readonly seconds: number;
  readonly rows: readonly unknown[];
  /** What falls short, where the table alone doesn't tell. */
  readonly reasons?: readonly string[];
}

/** A proof as a command, `npm run proof:NAME`, or whatever is judged as one. */
export interface ProofCommand<Options extends Asked, Report extends Judged> {
  readonly name: string;
  /** What its lines begin with; `proof:NAME` when unset. Its data folder is called the same, with a dash. */
  readonly title?: string;
  readonly usage: string;
  /** @throws UsageError */
  readonly parseOptions: (argv: readonly string[], env: NodeJS.ProcessEnv) => Options;
  /** Starts and stops its own stack in `dataDir`. */
  readonly prove: (
    parts: Options & {
      readonly dataDir: string;
      readonly signal: AbortSignal;
      readonly say: (line: string) => void;
    },
  ) => Promise<Report>;
  /** Its rows, for people. */
  readonly tableOf: (report: Report) => string;
  /** What people are told besides, a line each. */
  readonly notesOf?: (report: Report) => readonly string[];
}

/**
 * Runs it by this process's arguments and sets the exit status. A table for people goes to stderr; with `--json`
 * stdout's last line is one object with `rows`. Exit status: 0 as it must be, 1 a row falls short or the proof failed,
 * 2 wrong usage, 128 + n when signal n ended it.
 */
export async function runProof<Options extends Asked, Report extends Judged>(
  proof: ProofCommand<Options, Report>,
): Promise<void> {
  const { signal } = interruptions();
  try {
    process.exitCode = await judged(proof, signal);
  } catch (error) {
    process.exitCode = failed(proof, signal.aborted ? signal.reason : error);
  }
}

async function judged<Options extends Asked, Report extends Judged>(
  proof: ProofCommand<Options, Report>,
  signal: AbortSignal,
): Promise<number> {
  const options = proof.parseOptions(process.argv.slice(2), process.env);
  if (options.help) {
    process.stdout.write(proof.usage);
    return 0;
  }
  const title = titleOf(proof);
  const dataDir = join(process.env['WAYBILL_DATA_DIR'] ?? DATA_DIR, title.replace(':', '-'));
  const say = (line: string): void => void process.stderr.write(`${title}: ${line}\n`);
  const report = await proof.prove({ ...options, dataDir, signal, say });
  const notes = [...(proof.notesOf?.(report) ?? []), ...(report.reasons ?? [])];
  process.stderr.write(`${proof.tableOf(report)}\n${report.verdict} in ${report.seconds} s\n`);
  for (const note of notes) process.stderr.write(`  ${note}\n`);
  if (options.json) process.stdout.write(`${JSON.stringify(report)}\n`);
  return report.verdict === 'green' ? 0 : 1;
}

/** Says what went wrong, where that isn't plain, and answers the exit status. */
function failed(proof: Titled & { readonly usage: string }, error: unknown): number {
  if (error instanceof InterruptedError) return error.status;
  if (error instanceof UsageError) {
    process.stderr.write(`${titleOf(proof)}: ${error.message}\n\n${proof.usage}`);
    return 2;
  }
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${titleOf(proof)}: ${told}\n`);
  return 1;
}

interface Titled {
  readonly name: string;
  readonly title?: string;
}

const titleOf = ({ name, title }: Titled): string => title ?? `proof:${name}`;
