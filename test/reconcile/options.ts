import { argsOf, FLAG, mutationIn, TEXT, wholeOption } from '../support/proof-options.js';
import { MUTATIONS, type ReconcileMutation } from './mutations.js';

export const USAGE = `usage: npm run proof:reconcile -- [--size N] [--patience S] [--json]

Publishes four events to N subscribers, and two of the four before any relay runs. Then it removes by hand, with every
worker stopped: one of the two outbox rows, a tenth of the workflows, a tenth of the obligation rows, with and without
their workflows and attempts. \`waybill reconcile --dry-run\` must name each, \`waybill reconcile\` must mend each, and a
second run must find nothing.
  --size N      subscribers, 10 to 2000; 200 when unset
  --patience S  seconds after which what isn't delivered is taken for stuck; 300 when unset
  --json        stdout gets one JSON object as its last line
  --help        this text
Exit status: 0 as it must be, 1 a row falls short, 2 wrong usage.
`;

export interface Options {
  readonly size: number;
  readonly patienceMs: number;
  readonly json: boolean;
  readonly help: boolean;
  readonly mutation: ReconcileMutation | undefined;
}

/** @throws UsageError for an option that doesn't exist, has no value or an unusable one. */
export function parseOptions(argv: readonly string[], env: NodeJS.ProcessEnv): Options {
  const values = argsOf(argv, { size: TEXT, patience: TEXT, json: FLAG, help: FLAG });
  return {
    size: wholeOption('size', values.size, 200, 10, 2_000),
    patienceMs: wholeOption('patience', values.patience, 300, 1, 3_600) * 1_000,
    json: values.json ?? false,
    help: values.help ?? false,
    mutation: mutationIn(env, 'WAYBILL_RECONCILE_MUTATION', MUTATIONS),
  };
}
