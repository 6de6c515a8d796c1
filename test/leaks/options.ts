import { argsOf, FLAG, mutationIn } from '../support/proof-options.js';

export const USAGE = `usage: npm run proof:secrets -- [--short] [--json]

Plants secrets wherever Waybill takes them, makes deliveries fail in every way it knows, asks every command, and
searches every output for the secrets, in every spelling.
  --short   fewer kinds of failure, and each command as text or as JSON instead of both
  --json    stdout gets one JSON object with the rows as its last line
  --help    this text
For example: npm run proof:secrets -- --short --json
Exit status: 0 nothing was found, 1 something was, 2 wrong usage, 130 after Ctrl-C.
`;

export interface Options {
  /** Puts a planted secret where none may be: the proof must turn red. */
  readonly leak: boolean;
  /** A few endpoints alone, one delivery traced, and each command asked as text or as JSON, by turns. */
  readonly short: boolean;
  readonly json: boolean;
  readonly help: boolean;
}

/** @throws UsageError for an option that doesn't exist. */
export function parseOptions(argv: readonly string[], env: NodeJS.ProcessEnv): Options {
  const { help = false, json = false, short = false } = argsOf(argv, { short: FLAG, json: FLAG, help: FLAG });
  return { leak: mutationIn(env, 'WAYBILL_SECRETS_MUTATION', ['leak']) === 'leak', short, json, help };
}
