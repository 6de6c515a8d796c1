import { argsOf, FLAG, mutationIn, TEXT, wholeOption } from '../support/proof-options.js';
import { ROLLOUT_MUTATIONS, type RolloutMutation } from './mutations.js';

export const USAGE = `usage: npm run proof:rollout -- [--subscribers N] [--events N] [--json]

Publishes to subscribers in shadow mode, to a cohort that is switched off while its work runs, and to a cohort with a cap;
two workers, on a stack of its own. Then the receiver's journal is laid beside the ledger.
  --subscribers N  in each group; 50 when unset
  --events N       in each part; 20 when unset
  --patience S     seconds without any change after which what isn't over is stuck; 90 when unset
  --json           stdout gets one JSON object with the rows as its last line
  --help           this text
For example: npm run proof:rollout -- --subscribers 10 --events 6 --json
Exit status: 0 as it must be, 1 a row falls short, 2 wrong usage, 130 after Ctrl-C.
`;

export interface Options {
  readonly subscribers: number;
  readonly events: number;
  readonly patienceMs: number;
  readonly json: boolean;
  readonly help: boolean;
  readonly mutation: RolloutMutation | undefined;
}

/** @throws UsageError for an option that doesn't exist, has no value or an unusable one. */
export function parseOptions(argv: readonly string[], env: NodeJS.ProcessEnv): Options {
  const values = argsOf(argv, {
    ...{ subscribers: TEXT, events: TEXT, patience: TEXT },
    ...{ json: FLAG, help: FLAG },
  });
  return {
    subscribers: wholeOption('subscribers', values.subscribers, 50, 4, 1_000),
    events: wholeOption('events', values.events, 20, 2, 1_000),
    patienceMs: wholeOption('patience', values.patience, 90, 1, 3_600) * 1_000,
    json: values.json ?? false,
    help: values.help ?? false,
    mutation: mutationIn(env, 'WAYBILL_ROLLOUT_MUTATION', ROLLOUT_MUTATIONS),
  };
}
