import { parseArgs, type ParseArgsConfig } from 'node:util';

/** Its message is for whoever typed the command. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Option descriptors of `node:util` parseArgs. */
export const TEXT = { type: 'string' } as const;
export const FLAG = { type: 'boolean' } as const;

/** @throws UsageError for an option that doesn't exist or has no value. */
export function argsOf<Options extends NonNullable<ParseArgsConfig['options']>>(
  argv: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...argv], allowPositionals: false, options }).values;
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}

/** The number of `--name`, or the fallback. @throws UsageError */
export function wholeOption(
  name: string,
  text: string | undefined,
  fallback: number,
  least: number,
  most: number,
): number {
  const value = Number(text ?? fallback);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new UsageError(`--${name} must be a whole number from ${least} to ${most}`);
}

/** A comma-separated `--name` of known words; all of them when unset. @throws UsageError */
export function wordsOption<Word extends string>(
  name: string,
  text: string | undefined,
  known: readonly Word[],
): readonly Word[] {
  if (text === undefined) return known;
  return text.split(',').map((given) => {
    const word = known.find((one) => one === given.trim());
    if (!word) throw new UsageError(`--${name}: there is no ${given}`);
    return word;
  });
}

/** What the variable asks to be broken; undefined where it is unset or empty. @throws UsageError */
export function mutationIn<Mutation extends string>(
  env: NodeJS.ProcessEnv,
  variable: string,
  known: readonly Mutation[],
): Mutation | undefined {
  const text = env[variable];
  if (!text) return undefined;
  const found = known.find((mutation) => mutation === text);
  if (!found) throw new UsageError(`${variable} must be one of ${known.join(', ')}`);
  return found;
}
