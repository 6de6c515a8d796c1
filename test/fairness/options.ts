import { argsOf, FLAG, mutationIn, TEXT, UsageError, wholeOption } from '../support/proof-options.js';
import { FAIRNESS_MUTATIONS, type FairnessMutation } from './mutations.js';

export const USAGE = `usage: npm run proof:fairness -- [options]

Measures how soon a healthy destination's deliveries begin, alone and beside backlogs: one destination that hangs, one with
a limit of 5 a second, and a fan-out of another account; two workers, on a stack of its own. Then the receiver's journal
is laid beside the ledger and Temporal's histories.
  --requests N  to the healthy one, 2 a second, in each of the two measurements; 240 when unset
  --hanging N   deliveries queued for the one that hangs; 2000 when unset
  --limited N   deliveries queued for the one with a limit; 20000 when unset
  --fanout N    subscribers of the fan-out; 20000 when unset
  --flood N     first attempts that wait while retries come due, beside those that take all slots; 200 when unset
  --slots N     first attempts open at once in a worker; 32 when unset
  --ratio R     p99 of the healthy one's start delay beside the backlogs over that alone, at most; 1.5 when unset
  --patience S  seconds without any progress after which the proof gives up; 120 when unset
  --json        stdout gets one JSON object with the rows as its last line
  --help        this text
For example: npm run proof:fairness -- --requests 20 --hanging 60 --limited 150 --fanout 400 --flood 20 --slots 20 --ratio 10
The full size takes half an hour and more: 40,000 deliveries have to stand in their queues first.
Exit status: 0 as it must be, 1 a row falls short, 2 wrong usage, 130 after Ctrl-C.
`;

export interface Options {
  readonly requests: number;
  readonly hanging: number;
  readonly limited: number;
  readonly fanout: number;
  readonly flood: number;
  readonly slots: number;
  readonly ratio: number;
  readonly patienceMs: number;
  readonly json: boolean;
  readonly help: boolean;
  readonly mutation: FairnessMutation | undefined;
}

/** @throws UsageError for an option that doesn't exist, has no value or an unusable one. */
export function parseOptions(argv: readonly string[], env: NodeJS.ProcessEnv): Options {
  const values = argsOf(argv, {
    ...{ requests: TEXT, hanging: TEXT, limited: TEXT, fanout: TEXT, flood: TEXT },
    ...{ slots: TEXT, ratio: TEXT, patience: TEXT, json: FLAG, help: FLAG },
  });
  const ratio = Number(values.ratio ?? 1.5);
  if (!(ratio >= 1 && ratio <= 1_000)) throw new UsageError('--ratio must be a number from 1 to 1000');
  return {
    ratio,
    requests: wholeOption('requests', values.requests, 240, 10, 100_000),
    hanging: wholeOption('hanging', values.hanging, 2_000, 40, 100_000),
    limited: wholeOption('limited', values.limited, 20_000, 100, 1_000_000),
    fanout: wholeOption('fanout', values.fanout, 20_000, 101, 100_000),
    flood: wholeOption('flood', values.flood, 200, 10, 100_000),
    slots: wholeOption('slots', values.slots, 32, 4, 1_000),
    patienceMs: wholeOption('patience', values.patience, 120, 1, 3_600) * 1_000,
    json: values.json ?? false,
    help: values.help ?? false,
    mutation: mutationIn(env, 'WAYBILL_FAIRNESS_MUTATION', FAIRNESS_MUTATIONS),
  };
}
