import { argsOf, FLAG, mutationIn, TEXT, wholeOption } from '../support/proof-options.js';
import { PAUSE_MUTATIONS, type PauseMutation } from './mutations.js';

export const USAGE = `usage: npm run proof:pause -- [--held N] [--ramp N] [--queued N] [--json]

Pauses a subscriber, a cohort and an account while two workers send to them, one of which is stopped by SIGSTOP with sends
in hand and continued once the pauses are confirmed; then resumes a subscriber that holds many deliveries, pauses it again
on the way and resumes it once more; on a stack of its own. The receiver's journal says what began when.
  --held N      deliveries that are held before the resume; 5000 when unset
  --ramp N      requests a second that the resume climbs to; 40 when unset
  --queued N    deliveries queued for each subscriber that is paused in the first part; 100 when unset
  --watch-ms N  how long nothing may begin after a confirmed pause; 3000 when unset
  --patience S  seconds without any change after which what isn't over is stuck; 90 when unset
  --json        stdout gets one JSON object with the rows as its last line
  --help        this text
For example: npm run proof:pause -- --held 200 --ramp 20 --json
Exit status: 0 as it must be, 1 a row falls short, 2 wrong usage, 130 after Ctrl-C.
`;

export interface Options {
  readonly held: number;
  readonly ramp: number;
  readonly queued: number;
  readonly watchMs: number;
  readonly patienceMs: number;
  readonly json: boolean;
  readonly help: boolean;
  readonly mutation: PauseMutation | undefined;
}

/** @throws UsageError for an option that doesn't exist, has no value or an unusable one. */
export function parseOptions(argv: readonly string[], env: NodeJS.ProcessEnv): Options {
  const values = argsOf(argv, {
    ...{ held: TEXT, ramp: TEXT, queued: TEXT, 'watch-ms': TEXT, patience: TEXT },
    ...{ json: FLAG, help: FLAG },
  });
  return {
    held: wholeOption('held', values.held, 5_000, 10, 100_000),
    ramp: wholeOption('ramp', values.ramp, 40, 1, 1_000),
    queued: wholeOption('queued', values.queued, 100, 20, 10_000),
    watchMs: wholeOption('watch-ms', values['watch-ms'], 3_000, 500, 60_000),
    patienceMs: wholeOption('patience', values.patience, 90, 1, 3_600) * 1_000,
    json: values.json ?? false,
    help: values.help ?? false,
    mutation: mutationIn(env, 'WAYBILL_PAUSE_MUTATION', PAUSE_MUTATIONS),
  };
}
