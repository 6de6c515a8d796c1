import type { SubscriberInput } from '../../src/client.js';
import type { DeliveryPolicy } from '../../src/policy/delivery-policy.js';
import type { Stage } from '../scale/stage.js';
import type { Options } from './options.js';

/** Everybody's account but the fan-out's, and that of the part about retries. */
export const ACCOUNT = 'fair';
export const FANOUT_ACCOUNT = 'fanout';
export const FLOOD_ACCOUNT = 'flood';
export const RETRY_ACCOUNT = 'retries';

export const HEALTHY = 'healthy';
export const HANGING = 'hanging';
export const LIMITED = 'limited';
export const FLOOD = 'flood';
export const FLAKY = 'flaky';
export const FANOUT = 'fanout';

export const CAP = 16;
export const RATE = 5;
export const RAISED_RATE = 50;
/** What a second may hold beside the rate, as the design states. */
export const burstOf = (rate: number): number => Math.max(2, rate / 4);

/** Of the requests to the one that hangs so many are answered, so that its breaker (ten faults in a row) seldom takes the load away. */
export const ANSWERED_SHARE = 0.3;
/** So long that the slots are all taken even where a worker begins few in a second. */
const FLOOD_ANSWER_MS = 15_000;
const FLOOD_TIMEOUT_MS = 28_000;
/** Retries come every one to two seconds, for as long as the flood lasts. */
const RETRY_MS = 2_000;
export const FLAKY_COUNT = 20;
const BATCH = 500;

/** The deadline is that which deliveries have by default. */
const POLICY: Partial<DeliveryPolicy> = { firstRetryMs: 10_000, factor: 2, maxTries: 50 };

export interface PlayOptions extends Options {
  readonly stage: Stage;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** All subscribers but those of the fan-out. */
export async function castAll({ stage }: PlayOptions): Promise<void> {
  const { endpoints } = stage;
  await endpoints.behave({
    [`/${HANGING}`]: { hangs: true, answers: { share: ANSWERED_SHARE, seed: 1 } },
    [`/${FLOOD}`]: { delayMs: FLOOD_ANSWER_MS },
    [`/${FLAKY}`]: { failing: { share: 1, firstAttempts: 1_000, seed: 1 } },
  });
  const one = (name: string, more: Partial<SubscriberInput> = {}): SubscriberInput => ({
    ...{ name, url: endpoints.url(`/${name}/${name}`), eventTypes: [`fair.${name}`], policy: POLICY },
    ...more,
  });
  await stage
    .client(ACCOUNT)
    .addSubscribers([
      one(HEALTHY),
      one(HANGING, { maxConcurrency: CAP }),
      one(LIMITED, { ratePerSecond: RATE }),
    ]);
  await stage
    .client(FLOOD_ACCOUNT)
    .addSubscribers([
      one(FLOOD, { maxConcurrency: 1_000, policy: { ...POLICY, timeoutMs: FLOOD_TIMEOUT_MS } }),
    ]);
  await stage.client(RETRY_ACCOUNT).addSubscribers(
    Array.from({ length: FLAKY_COUNT }, (_, i) => ({
      ...{ name: `${FLAKY}-${i}`, url: endpoints.url(`/${FLAKY}/${i}`, i), eventTypes: [`fair.${FLAKY}`] },
      policy: { ...POLICY, firstRetryMs: RETRY_MS, factor: 1, ceilingMs: RETRY_MS, maxTries: 1_000 },
    })),
  );
}

/** One subscriber for each delivery of the fan-out. */
export async function castFanOut({ fanout, say, signal, stage }: PlayOptions): Promise<void> {
  const client = stage.client(FANOUT_ACCOUNT);
  for (let from = 0; from < fanout; from += BATCH) {
    signal.throwIfAborted();
    if (from % (10 * BATCH) === 0) say(`adding subscribers of the fan-out: ${from} of ${fanout}`);
    const count = Math.min(BATCH, fanout - from);
    await client.addSubscribers(
      Array.from({ length: count }, (_, n) => ({
        ...{ name: `${FANOUT}-${from + n}`, url: stage.endpoints.url(`/${FANOUT}/${from + n}`, n) },
        ...{ eventTypes: [`fair.${FANOUT}`], policy: POLICY },
      })),
    );
  }
}
