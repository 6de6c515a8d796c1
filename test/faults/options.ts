import { KILL_MUTATIONS, type KillMutation } from '../kill/mutations.js';
import { argsOf, FLAG, mutationIn, TEXT, wholeOption, wordsOption } from '../support/proof-options.js';
import { FAULT_NAMES, type FaultName } from './catalogue.js';

export const USAGE = `usage: npm run proof:faults -- [--only NAME,...] [--size N] [--short] [--json] ...

Brings trouble upon the database, Temporal, the receiver and the links to them, one after the other, with deliveries
in flight, and a publisher that goes on meanwhile. Then a checker lays the receiver's journal beside the ledger and
beside Temporal's workflows.
  --only A,B      only these; all when unset:
${FAULT_NAMES.map((name) => `                  ${name}`).join('\n')}
  --size N        subscribers of each event, 4 to 100; 50 when unset
  --short         each fault lasts seconds; how long it was stands in its row
  --patience S    seconds without any delivery after which what is left is stuck; 120 when unset
  --json          stdout gets one JSON object as its last line
  --help          this text
For example: npm run proof:faults -- --only read-only,temporal-down --short
Exit status: 0 as it must be, 1 a row falls short, 2 wrong usage.
`;

export interface Options {
  readonly only: readonly FaultName[];
  readonly size: number;
  readonly short: boolean;
  readonly patienceMs: number;
  readonly json: boolean;
  readonly help: boolean;
  readonly mutation: KillMutation | undefined;
}

/** @throws UsageError for an option that doesn't exist, has no value or an unusable one. */
export function parseOptions(argv: readonly string[], env: NodeJS.ProcessEnv): Options {
  const values = argsOf(argv, {
    only: TEXT,
    size: TEXT,
    patience: TEXT,
    short: FLAG,
    json: FLAG,
    help: FLAG,
  });
  return {
    only: wordsOption('only', values.only, FAULT_NAMES),
    size: wholeOption('size', values.size, 50, 4, 100),
    short: values.short ?? false,
    patienceMs: wholeOption('patience', values.patience, 120, 1, 3_600) * 1_000,
    json: values.json ?? false,
    help: values.help ?? false,
    mutation: mutationIn(env, 'WAYBILL_FAULTS_MUTATION', KILL_MUTATIONS),
  };
}
