import { userInfo } from 'node:os';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { DEFAULT_ACCOUNT } from '../contract.js';
import { UsageError } from './faults.js';

/** What every command has. */
export interface Common {
  readonly json?: true;
}

/** What every command on an account's data has. */
export interface Scoped extends Common {
  readonly account: string;
}

/** Options that may be given more than once; any other given twice is an error. */
const repeatable = new WeakSet<Option>();

/** A sub-command of `parent` with what all have: `--json`, and an example at the end of its help. */
export function subcommand(parent: Command, usage: string, description: string, example: string): Command {
  return parent
    .command(usage)
    .description(description)
    .option('--json', 'JSON on stdout and nothing else; errors as {"error":{...}} on stderr')
    .addHelpText('after', `\nExample:\n  $ ${example.split('\n').join('\n  $ ')}`);
}

/** The same for a command that works inside one account. */
export function scopedCommand(parent: Command, usage: string, description: string, example: string): Command {
  return subcommand(parent, usage, description, example).option(
    '--account <name>',
    'the tenant it is about',
    DEFAULT_ACCOUNT,
  );
}

export const actorOption = (): Option =>
  new Option('--actor <name>', 'who does it, for the audit (default: $WAYBILL_ACTOR, else your user name)');

/** A `name=value` option that may be repeated, as an object. A name given twice is an error. */
export function pairsOption(flags: string, description: string): Option {
  const option = new Option(flags, description).argParser(
    (text: string, before: Readonly<Record<string, string>> | undefined) => {
      const at = text.indexOf('=');
      if (at < 1) throw new InvalidArgumentError('It is not written as name=value.');
      const name = text.slice(0, at);
      if (before && Object.hasOwn(before, name)) throw new InvalidArgumentError(`'${name}' is given twice.`);
      return Object.fromEntries([...Object.entries(before ?? {}), [name, text.slice(at + 1)]]);
    },
  );
  repeatable.add(option);
  return option;
}

/** Parses a whole number from `least` to `most`. */
export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^\d{1,16}$/.test(text) || value < least || value > most) {
      throw new InvalidArgumentError(`It is not a whole number from ${least} to ${most}.`);
    }
    return value;
  };

/** A number; what is none stays a text, which intake refuses by the field's name. */
export const numberOrText = (text: string): number | string =>
  /^\d+(\.\d+)?$/.test(text) ? Number(text) : text;

/** Null for the word `none`. Not as an option's parser: commander takes its null for a missing value. */
export const orNone = <T>(text: string, parse: (text: string) => T): T | null =>
  text === 'none' ? null : parse(text);

/** Parses `a,b,c`; blanks around the items don't count. */
export const commaList = (text: string): string[] => text.split(',').map((item) => item.trim());

/** Makes an option that is given twice an error, in the whole tree: of two values one would be ignored. */
export function refuseRepeats(command: Command): void {
  for (const option of command.options.filter((o) => !repeatable.has(o))) {
    let seen = false;
    command.on(`option:${option.name()}`, () => {
      if (seen) throw new UsageError(`option '${option.long ?? option.flags}' is given twice`);
      seen = true;
    });
  }
  for (const child of command.commands) refuseRepeats(child);
}

/** The person at the keyboard, as far as can be told. @throws UsageError where nothing tells. */
export function actorOf(given: string | undefined): string {
  if (given !== undefined) return given;
  const fromEnvironment = process.env['WAYBILL_ACTOR'];
  if (fromEnvironment) return fromEnvironment;
  try {
    return userInfo().username;
  } catch (error) {
    throw new UsageError(
      'who is doing this? Give --actor or set WAYBILL_ACTOR; the system has no user name',
      {
        cause: error,
      },
    );
  }
}
