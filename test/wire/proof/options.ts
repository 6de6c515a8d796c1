import { argsOf, FLAG, mutationIn, TEXT, wholeOption, wordsOption } from '../../support/proof-options.js';
import { KINDS, type Kind, type Limits } from './rows.js';

export const USAGE = `usage: npm run proof:wire -- [--only KIND,...] [--runs N] [--json] ...

Puts the wire through every case of its tables: spellings and ranges of addresses, resolvers, statuses, Retry-After,
receivers that misbehave, certificates, headers, an egress proxy; and through properties over made-up input. Each case is a row.
  --only KINDS      only these; all when unset: ${KINDS.join(', ')}
  --runs N          made-up inputs of each property; 10000 when unset
  --seed S          decides what is made up; 1 when unset
  --late-ms N       how late a deadline may be kept; 250 when unset
  --json            stdout gets one JSON object with the rows as its last line
  --help            this text
For example: npm run proof:wire -- --only range,property --runs 100000
Exit status: 0 as it must be, 1 a row falls short, 2 wrong usage.
`;

export interface Options {
  readonly only: readonly Kind[];
  readonly runs: number;
  readonly seed: number;
  readonly limits: Limits;
  readonly json: boolean;
  readonly help: boolean;
  /** The guard is told to let everything through, so that a test can see the proof turn red. */
  readonly unguarded: boolean;
}

const GROWTH_MAX_BYTES = 64 * 1_048_576;

/** @throws UsageError for an option that doesn't exist, has no value or an unusable one. */
export function parseOptions(argv: readonly string[], env: NodeJS.ProcessEnv): Options {
  const values = argsOf(argv, {
    ...{ only: TEXT, runs: TEXT, seed: TEXT, 'late-ms': TEXT },
    ...{ json: FLAG, help: FLAG },
  });
  return {
    only: wordsOption('only', values.only, KINDS),
    runs: wholeOption('runs', values.runs, 10_000, 1, 10_000_000),
    seed: wholeOption('seed', values.seed, 1, 0, 2 ** 31 - 1),
    limits: {
      overDeadlineMs: wholeOption('late-ms', values['late-ms'], 250, 0, 60_000),
      memoryGrowthBytes: GROWTH_MAX_BYTES,
    },
    json: values.json ?? false,
    help: values.help ?? false,
    unguarded: mutationIn(env, 'WAYBILL_WIRE_MUTATION', ['unguarded']) !== undefined,
  };
}
