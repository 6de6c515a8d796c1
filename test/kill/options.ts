import { argsOf, FLAG, mutationIn, TEXT, wholeOption, wordsOption } from '../support/proof-options.js';
import { POINTS } from '../../src/watch/points.js';
import { KILL_MUTATIONS, type KillMutation } from './mutations.js';
import { KINDS, RANDOM_KINDS, type Kind } from './plan.js';

/** Points and random times take turns. */
const DEFAULT_ROUNDS = 4 * Math.max(POINTS.length, RANDOM_KINDS.length);

export const USAGE = `usage: npm run proof:kill -- [--rounds N] [--seed S] [--json] [--only ROUND] [--size N] ...

Plays rounds: an event goes to subscribers of its own, and something dies meanwhile, at a named point or at a random
time. Then a checker lays the receiver's journal beside the ledger and beside Temporal's workflows.
  --rounds N      ${DEFAULT_ROUNDS} when unset: at least two of each kind
  --seed S        decides every round; 1 when unset
  --only ROUND    plays this round of the seed alone
  --size N        deliveries in flight in each round, 4 to 100; 50 when unset; a point that only a small event, or only a
                  large one, comes past has 20 at most, or 21 at least
  --kinds A,B     only these; all when unset: ${KINDS.join(', ')}
  --patience S    seconds after which what isn't over is left to one reconciliation; 180 when unset
  --open N        rounds whose ends may be waited for at once; 5 when unset
  --json          stdout gets one JSON object as its last line
  --help          this text
Exit status: 0 as it must be, 1 a row falls short, 2 wrong usage.
`;

export interface Options {
  readonly rounds: number;
  readonly seed: number;
  readonly only: number | undefined;
  readonly size: number;
  readonly kinds: readonly Kind[];
  readonly patienceMs: number;
  readonly open: number;
  readonly json: boolean;
  readonly help: boolean;
  readonly mutation: KillMutation | undefined;
}

type Bounds = [fallback: number, least: number, most: number];

/** @throws UsageError for an option that doesn't exist, has no value or an unusable one. */
export function parseOptions(argv: readonly string[], env: NodeJS.ProcessEnv): Options {
  const values = argsOf(argv, {
    ...{ rounds: TEXT, seed: TEXT, only: TEXT, size: TEXT, kinds: TEXT, patience: TEXT, open: TEXT },
    ...{ json: FLAG, help: FLAG },
  });
  const whole = (
    name: 'rounds' | 'seed' | 'only' | 'size' | 'patience' | 'open',
    ...bounds: Bounds
  ): number => wholeOption(name, values[name], ...bounds);
  return {
    rounds: whole('rounds', DEFAULT_ROUNDS, 1, 10_000),
    seed: whole('seed', 1, 0, 2 ** 31),
    only: values.only === undefined ? undefined : whole('only', 0, 0, 10_000),
    size: whole('size', 50, 4, 100),
    kinds: wordsOption('kinds', values.kinds, KINDS),
    patienceMs: whole('patience', 180, 1, 3_600) * 1_000,
    open: whole('open', 5, 1, 20),
    json: values.json ?? false,
    help: values.help ?? false,
    mutation: mutationIn(env, 'WAYBILL_KILL_MUTATION', KILL_MUTATIONS),
  };
}
