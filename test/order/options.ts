import { argsOf, FLAG, mutationIn, TEXT, wholeOption } from '../support/proof-options.js';
import { ORDER_MUTATIONS, type OrderMutation } from './mutations.js';

export const USAGE = `usage: npm run proof:order -- [--shipments N] [--versions N] [--seed S] [--json]

Publishes versions of shipments out of order, with gaps and some of them late, to subscribers with order \`serialize\` and
\`skip-stale\`, whose endpoints refuse first attempts at random, while an operator pauses and resumes obligations and
subscribers; two workers, on a stack of its own. Then the receiver's journal is laid beside the ledger.
  --shipments N    200 when unset
  --versions N     published of each shipment, 2 to 20; 5 when unset
  --subscribers N  of each policy; 2 when unset
  --seed S         decides what is published when and what is refused; 1 when unset
  --patience S     seconds without any change after which what isn't over is stuck; 90 when unset
  --json           stdout gets one JSON object with the rows as its last line
  --help           this text
For example: npm run proof:order -- --shipments 20 --json
Exit status: 0 as it must be, 1 a row falls short, 2 wrong usage, 130 after Ctrl-C.
`;

export interface Options {
  readonly shipments: number;
  readonly versions: number;
  readonly subscribers: number;
  readonly seed: number;
  readonly patienceMs: number;
  readonly json: boolean;
  readonly help: boolean;
  readonly mutation: OrderMutation | undefined;
}

/** @throws UsageError for an option that doesn't exist, has no value or an unusable one. */
export function parseOptions(argv: readonly string[], env: NodeJS.ProcessEnv): Options {
  const values = argsOf(argv, {
    ...{ shipments: TEXT, versions: TEXT, subscribers: TEXT, seed: TEXT, patience: TEXT },
    ...{ json: FLAG, help: FLAG },
  });
  return {
    shipments: wholeOption('shipments', values.shipments, 200, 4, 10_000),
    versions: wholeOption('versions', values.versions, 5, 2, 20),
    subscribers: wholeOption('subscribers', values.subscribers, 2, 1, 50),
    seed: wholeOption('seed', values.seed, 1, 0, 2 ** 31),
    patienceMs: wholeOption('patience', values.patience, 90, 1, 3_600) * 1_000,
    json: values.json ?? false,
    help: values.help ?? false,
    mutation: mutationIn(env, 'WAYBILL_ORDER_MUTATION', ORDER_MUTATIONS),
  };
}
