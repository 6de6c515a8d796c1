import { argsOf, FLAG, mutationIn, TEXT, wholeOption } from '../../support/proof-options.js';
import { DRIP_MUTATIONS, type DripMutation } from './mutations.js';

export const USAGE = `usage: npm run proof:drip -- [--drips N] [--healthy N] [--timeout-ms N] [--late-ms N] [--json]

Runs Waybill on a stack of its own: a worker process that sends (\`waybill worker --roles sends\`), another for all
else, and receivers in a third. After a warm-up it delivers one event to the healthy subscribers alone, then the same
while other receivers drip one byte a second, half of them before the end of their head. Memory, descriptors and
deadlines of the worker that sends are laid side by side; memory is the most that was resident during a phase.
  --drips N        receivers that drip, each on a port of its own; 500 when unset
  --healthy N      deliveries beside them; 2000 when unset
  --timeout-ms N   deadline of those to receivers that drip; 120000 when unset
  --late-ms N      how late a deadline may be kept; 250 when unset
  --json           stdout gets one JSON object with the rows as its last line
  --help           this text
For example: npm run proof:drip -- --drips 100 --healthy 400 --json
A deadline falls short where it was kept more than --late-ms later than a timer of an idle process fired at worst
meanwhile; that lateness of the machine itself is printed as machineLateMs and added to the row's limit. Where a slow
machine can't open them all, or make half of the healthy deliveries, within the deadline, give a longer --timeout-ms.
Exit status: 0 as it must be, 1 a row falls short, 2 wrong usage, 130 after Ctrl-C.
`;

export interface Options {
  readonly drips: number;
  readonly healthy: number;
  readonly timeoutMs: number;
  readonly lateMs: number;
  readonly json: boolean;
  readonly help: boolean;
  readonly mutation: DripMutation | undefined;
}

/** @throws UsageError for an option that doesn't exist, has no value or an unusable one. */
export function parseOptions(argv: readonly string[], env: NodeJS.ProcessEnv): Options {
  const values = argsOf(argv, {
    ...{ drips: TEXT, healthy: TEXT, 'timeout-ms': TEXT, 'late-ms': TEXT },
    ...{ json: FLAG, help: FLAG },
  });
  return {
    drips: wholeOption('drips', values.drips, 500, 2, 5_000),
    healthy: wholeOption('healthy', values.healthy, 2_000, 1, 100_000),
    timeoutMs: wholeOption('timeout-ms', values['timeout-ms'], 120_000, 1_000, 600_000),
    lateMs: wholeOption('late-ms', values['late-ms'], 250, 0, 60_000),
    json: values.json ?? false,
    help: values.help ?? false,
    mutation: mutationIn(env, 'WAYBILL_DRIP_MUTATION', DRIP_MUTATIONS),
  };
}
