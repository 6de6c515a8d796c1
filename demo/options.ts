import { parseArgs } from 'node:util';

export const USAGE = `usage: npm run demo -- [--once] [--json] [--subscribers N] [--fresh]

One shipment event goes to N subscribers over real HTTPS; some of them misbehave, an operator steers, and a
checker lays the receiver's journal beside the ledger.
  --once            end when the figures are there; otherwise the stack stays up to look at, until Ctrl-C
  --json            stdout gets one JSON object as its last line; everything else goes to stderr
  --subscribers N   20 to 100000; 2000 when unset
  --fresh           delete the data of earlier runs first
  --help            this text
`;

const DEFAULT_SUBSCRIBERS = 2000;
/** Below this not every role finds somebody to play it. */
const FEWEST_SUBSCRIBERS = 20;
const MOST_SUBSCRIBERS = 100_000;

export const MUTATIONS = ['claim-always-go', 'settle-dropped'] as const;
/** A ledger function replaced by a broken one, to see that the checker notices. */
export type Mutation = (typeof MUTATIONS)[number];

export interface Options {
  readonly once: boolean;
  readonly json: boolean;
  readonly subscribers: number;
  readonly fresh: boolean;
  readonly help: boolean;
  readonly mutation: Mutation | undefined;
}

/** Its message is for whoever typed the command. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** @throws UsageError for an option that doesn't exist, has no value or an unusable one. */
export function parseOptions(argv: readonly string[], env: NodeJS.ProcessEnv): Options {
  const values = parsed(argv);
  const subscribers = Number(values.subscribers ?? DEFAULT_SUBSCRIBERS);
  if (!Number.isInteger(subscribers) || subscribers < FEWEST_SUBSCRIBERS || subscribers > MOST_SUBSCRIBERS) {
    throw new UsageError(
      `--subscribers must be a whole number from ${FEWEST_SUBSCRIBERS} to ${MOST_SUBSCRIBERS}`,
    );
  }
  return {
    once: values.once ?? false,
    json: values.json ?? false,
    fresh: values.fresh ?? false,
    help: values.help ?? false,
    subscribers,
    mutation: mutationOf(env['WAYBILL_DEMO_MUTATION']),
  };
}

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: false,
      options: {
        once: { type: 'boolean' },
        json: { type: 'boolean' },
        fresh: { type: 'boolean' },
        help: { type: 'boolean' },
        subscribers: { type: 'string' },
      },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}

function mutationOf(text: string | undefined): Mutation | undefined {
  if (!text) return undefined;
  const found = MUTATIONS.find((mutation) => mutation === text);
  if (!found) throw new UsageError(`WAYBILL_DEMO_MUTATION must be one of ${MUTATIONS.join(', ')}`);
  return found;
}
