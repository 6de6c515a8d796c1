import { CommanderError } from 'commander';
import { WaybillError } from '../errors.js';
import { printable, toJsonLine } from './output.js';

export const EXIT = { ok: 0, unexpected: 1, usage: 2, notReady: 6, interrupted: 130 } as const;

/** The command line itself is wrong: an unknown, missing or contradictory option. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Ends the command with this code; all there was to say has been said. */
export class Ended extends Error {
  override readonly name = 'Ended';
  readonly exitCode: number;
  constructor(exitCode: number) {
    super(`ended with ${exitCode}`);
    this.exitCode = exitCode;
  }
}

/** A group without a command: its help is on stderr already. */
const HELP_INSTEAD = 'commander.help';

interface Fault {
  readonly exit: number;
  readonly code: string;
  readonly message: string;
  readonly field?: string;
  readonly line?: number;
}

/** An error in one line of a file. */
export class LineError extends WaybillError {
  readonly line: number;
  constructor(line: number, cause: WaybillError, note = '') {
    super(cause.code, `line ${line}: ${cause.message}${note}`, {
      ...(cause.field === undefined ? {} : { field: cause.field }),
      cause,
    });
    this.line = line;
  }
}

function faultOf(error: unknown): Fault {
  if (error instanceof LineError) return { exit: error.exitCode, ...error.toJSON(), line: error.line };
  if (error instanceof WaybillError) return { exit: error.exitCode, ...error.toJSON() };
  if (error instanceof CommanderError || error instanceof UsageError) {
    return {
      exit: EXIT.usage,
      code: 'usage',
      message: error.message.replace(/^error: /, '').replaceAll('\n', ' '),
    };
  }
  return {
    exit: EXIT.unexpected,
    code: 'unexpected',
    message: error instanceof Error ? error.message : String(error),
  };
}

/** Tells stderr what went wrong, as a line or as `{"error":{...}}`, and answers the exit code. */
export function report(error: unknown, json: boolean): number {
  if (error instanceof Ended) return error.exitCode;
  if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok;
  if (error instanceof CommanderError && error.code === HELP_INSTEAD) return EXIT.usage;
  const { exit, ...fault } = faultOf(error);
  if (json) process.stderr.write(toJsonLine({ error: fault }));
  else process.stderr.write(`waybill: ${printable(fault.message)} (${fault.code})\n`);
  if (process.env['WAYBILL_DEBUG'] && error instanceof Error) process.stderr.write(stackOf(error));
  return exit;
}

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `caused by: ${stackOf(error.cause)}` : '';
  return `${(error.stack ?? error.message).split('\n').map(printable).join('\n')}\n${cause}`;
}
