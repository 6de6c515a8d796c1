import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { payloadOf, QUICK } from '../scale/policy.js';
import { standingsOf, untilNoneLeft, untilOver } from '../scale/progress.js';
import type { Stage } from '../scale/stage.js';
import { pauseAndResume, type Acts } from './operator.js';
import type { Options } from './options.js';
import { planOf, type Plan, type Step } from './plan.js';

export const ACCOUNT = 'order';
export const ORDERS = ['serialize', 'skip-stale'] as const;
export type Ordered = (typeof ORDERS)[number];

const AT_ONCE = 8;
const LOOK_EVERY_MS = 50;
const ANSWER_MS = 20;
/** Of the first attempts so many are refused. */
const REFUSED_SHARE = 0.4;
const REFUSED_ATTEMPTS = 2;
/** Versions of a shipment that are open before the next are published: some begin, some wait. */
const OPEN_VERSIONS = 2;

export interface Played {
  readonly plan: Plan;
  readonly acts: Acts;
  /** When the publisher had its answer, by `shipment version`, in epoch ms. */
  readonly publishedAtMs: ReadonlyMap<string, number>;
  /** What wasn't over when patience was. */
  readonly stuck: number;
}

export interface PlayOptions extends Options {
  readonly stage: Stage;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

export const namesOf = (order: Ordered, subscribers: number): string[] =>
  Array.from({ length: subscribers }, (_, i) => `${order}-${i}`);

/** Publishes the plan to both kinds of subscribers while an operator pauses and resumes, and waits for the end. */
export async function play(options: PlayOptions): Promise<Played> {
  const { patienceMs, say, seed, shipments, signal, stage, subscribers, versions } = options;
  const plan = planOf(seed, shipments, versions);
  const names = ORDERS.flatMap((order) => namesOf(order, subscribers));
  const failing = { share: REFUSED_SHARE, firstAttempts: REFUSED_ATTEMPTS, seed };
  await stage.endpoints.behave({ '/main': { delayMs: ANSWER_MS, failing } });
  await stage.client(ACCOUNT).addSubscribers(
    names.map((name, i) => ({
      name,
      url: stage.endpoints.url(`/main/${name}`, i),
      order: name.startsWith('serialize') ? 'serialize' : 'skip-stale',
      ...{ policy: QUICK, maxConcurrency: 64 },
    })),
  );
  const over = new AbortController();
  const operator = pauseAndResume({
    ...{ stage, seed, account: ACCOUNT, subscribers: names },
    until: AbortSignal.any([signal, over.signal]),
  });
  operator.catch(() => undefined); // awaited below
  const publishedAtMs = new Map<string, number>();
  try {
    say(`publishing ${plan.steps.length} versions of ${shipments} shipments, ${plan.late.length} more later`);
    await publishAll(options, plan.steps, publishedAtMs);
    say('waiting until a newer one than each late version has begun');
    await untilBegun(options, plan, names);
    await publishAll(options, plan.late, publishedAtMs);
  } finally {
    over.abort();
    await operator.catch(() => undefined);
  }
  const acts = await operator;
  say('waiting for the end of all');
  const stuck = await untilOver({ ledger: stage.ledger, signal, patienceMs }, ACCOUNT);
  return { plan, acts, publishedAtMs, stuck };
}

/** In this order, some at once; a plan that is far ahead of the sends waits for them. */
async function publishAll(
  { patienceMs, shipments, signal, stage, subscribers }: PlayOptions,
  steps: readonly Step[],
  publishedAtMs: Map<string, number>,
): Promise<void> {
  const client = stage.client(ACCOUNT);
  const limit = pLimit(AT_ONCE);
  const each = subscribers * ORDERS.length;
  const most = OPEN_VERSIONS * shipments * each;
  const ahead = async (): Promise<number> => {
    const { open, unmatched } = await standingsOf(stage.ledger, ACCOUNT);
    return open + unmatched * each;
  };
  for (let i = 0; i < steps.length; i += AT_ONCE * 2) {
    const untilMs = performance.now() + patienceMs;
    while ((await ahead()) > most && performance.now() < untilMs)
      await sleep(LOOK_EVERY_MS, undefined, { signal });
    signal.throwIfAborted();
    await Promise.all(
      steps.slice(i, i + AT_ONCE * 2).map(({ shipment, version }) =>
        limit(async () => {
          const payload = payloadOf({ shipment, version });
          await client.publish({ shipment, version, type: 'order.main', payload });
          publishedAtMs.set(`${shipment} ${version}`, Date.now());
        }),
      ),
    );
  }
}

async function untilBegun(options: PlayOptions, plan: Plan, names: readonly string[]): Promise<void> {
  const owed = plan.late.flatMap(({ shipment }) => names.map((name) => `/main/${name} ${shipment}`));
  await untilNoneLeft(options, () => {
    const requests = options.stage.endpoints.requests();
    const begun = new Set(
      requests
        .filter(({ shipment, version }) => version === plan.newest.get(shipment))
        .map(({ path, shipment }) => `${path} ${shipment}`),
    );
    const left = owed.filter((one) => !begun.has(one)).length;
    return Promise.resolve({ left, pulse: requests.length });
  });
}
