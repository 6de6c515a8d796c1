import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../../scripts/stack/wait-until.js';
import type { SubscriberInput } from '../../src/client.js';
import { isStopped } from '../kill/stopped.js';
import { ask, type Member } from '../kill/troupe.js';
import type { Orders } from '../kill/worker.js';
import type { Mark } from '../scale/journal.js';
import { payloadOf, QUICK } from '../scale/policy.js';
import { untilOver, untilStarted } from '../scale/progress.js';
import type { Stage } from '../scale/stage.js';
import { pauseUntilConfirmed, type Confirmed } from './confirm.js';
import { inHandOf, toldBy, type InHand } from './ledger.js';
import type { Options } from './options.js';

/** What is paused; each in an account of its own. */
export const REACHES = ['subscriber', 'cohort', 'account'] as const;
export type Reach = (typeof REACHES)[number];

export const STOPPED = 'worker-b';
const WORD = { actor: 'proof-operator', reason: 'to see a pause' };
const COHORT = 'late';
/** Subscribers that are paused, and those of the same account that aren't. */
const PAUSED: Readonly<Record<Reach, number>> = { subscriber: 1, cohort: 2, account: 2 };
const OUTSIDERS: Readonly<Record<Reach, number>> = { subscriber: 1, cohort: 1, account: 0 };
const ANSWER_MS = 500;
const CONCURRENCY = 4;
/** A lease is over soon after its worker stood still: this and the margin. */
const TIMEOUT_MS = 1_500;
/** Published once all is paused. */
const MORE = 5;
/** The worker is stopped again where it had nothing in hand of one of them, at most so often. */
const TAKES = 10;
const LOOK_EVERY_MS = 100;
/** Far above what the receivers take: these resumes are no part of the proof. */
const RAMP_PER_S = 500;

export interface Halted {
  readonly reach: Reach;
  readonly pause: Confirmed;
  /** Once the worker that stood still went on and had told of all it held, and a while had passed. */
  readonly watched: Mark;
  readonly heldThen: number;
  /** Of the worker that stood still when the pause was asked for. */
  readonly inHand: number;
  /** Of those, not begun at the receiver. */
  readonly unsent: number;
  readonly owed: number;
}

export interface HaltsPlayed {
  readonly halts: readonly Halted[];
  readonly stuck: number;
}

export interface PlayOptions extends Options {
  readonly stage: Stage;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

export const accountOf = (reach: Reach): string => `halt-${reach}`;
/** Whoever isn't paused, though of the same account. */
export const OUTSIDE = 'outside';
const shipmentOf = (reach: Reach, i: number): string => `${accountOf(reach)}-${i}`;

/** Pauses of every reach while the given worker stands still with sends in hand; then all is resumed. */
export async function playHalts(options: PlayOptions, stoppable: Member): Promise<HaltsPlayed> {
  const { patienceMs, queued, say, signal, stage, watchMs } = options;
  const { endpoints, ledger } = stage;
  const slow = { delayMs: ANSWER_MS };
  await endpoints.behave(
    Object.fromEntries([...REACHES.map(accountOf), OUTSIDE].map((one) => [`/${one}`, slow])),
  );
  await Promise.all(REACHES.map((reach) => cast(options, reach)));
  await Promise.all(REACHES.map((reach) => publish(options, reach, 0, queued)));
  say(`stopping ${STOPPED} with sends in hand, and pausing a subscriber, a cohort and an account`);
  const { inHand, unsent } = await stopWithSends(options, stoppable);
  const pauses = await Promise.all(
    REACHES.map((reach) =>
      pauseUntilConfirmed(stage, `pause of ${reach}`, actOf(stage, reach, 'pause'), signal),
    ),
  );
  await Promise.all(REACHES.map((reach) => publish(options, reach, queued, MORE)));
  say(`all confirmed; ${STOPPED} goes on`);
  stoppable.process.signal('SIGCONT');
  await untilTold(options, inHand);
  await untilStarted({ ledger, signal, patienceMs }, ...REACHES.map(accountOf));
  await sleep(watchMs, undefined, { signal });
  const watched = await endpoints.mark('watched');
  const of = (some: readonly InHand[], reach: Reach): number =>
    some.filter(({ subscriber }) => subscriber.startsWith(reach)).length;
  const halts: Halted[] = [];
  for (const [i, reach] of REACHES.entries()) {
    const open = await openOf(stage, reach);
    halts.push({
      ...{
        reach,
        pause: pauses[i] as Confirmed,
        watched,
        heldThen: open,
        owed: (queued + MORE) * (PAUSED[reach] + OUTSIDERS[reach]),
      },
      ...{ inHand: of(inHand, reach), unsent: of(unsent, reach) },
    });
  }
  for (const reach of REACHES) await actOf(stage, reach, 'resume')(WORD);
  return { halts, stuck: await untilOver({ ledger, signal, patienceMs }, ...REACHES.map(accountOf)) };
}

async function cast({ stage }: PlayOptions, reach: Reach): Promise<void> {
  const client = stage.client(accountOf(reach));
  const subscriber = (name: string, path: string, more: Partial<SubscriberInput> = {}): SubscriberInput => ({
    ...{ name, url: stage.endpoints.url(`/${path}/${name}`), maxConcurrency: CONCURRENCY },
    ...{ policy: { ...QUICK, timeoutMs: TIMEOUT_MS }, ...more },
  });
  if (reach === 'cohort') await client.addCohort(COHORT, {});
  const cohort = reach === 'cohort' ? { cohort: COHORT } : {};
  await client.addSubscribers([
    ...Array.from({ length: PAUSED[reach] }, (_, i) => subscriber(`${reach}-${i}`, accountOf(reach), cohort)),
    ...Array.from({ length: OUTSIDERS[reach] }, () => subscriber(`${OUTSIDE}-${reach}`, OUTSIDE)),
  ]);
}

async function publish(
  { signal, stage }: PlayOptions,
  reach: Reach,
  from: number,
  count: number,
): Promise<void> {
  const client = stage.client(accountOf(reach));
  for (let i = from; i < from + count; i += 1) {
    signal.throwIfAborted();
    const payload = payloadOf({ reach, i });
    await client.publish({ shipment: shipmentOf(reach, i), version: 1, type: 'pause.halt', payload });
  }
}

type Word = Parameters<ReturnType<Stage['client']>['actOnSubscriber']>[2];

function actOf(stage: Stage, reach: Reach, verb: 'pause' | 'resume') {
  const client = stage.client(accountOf(reach));
  const terms = verb === 'pause' ? {} : { rampPerSecond: RAMP_PER_S };
  return (word: Word) => {
    if (reach === 'subscriber') return client.actOnSubscriber(verb, `${reach}-0`, word, terms);
    if (reach === 'cohort') return client.actOnCohort(verb, COHORT, word, terms);
    return client.actOnAccount(verb, word, terms);
  };
}

/** Stops the worker between the grant of a send and its beginning, with sends in hand of each that will be paused. */
async function stopWithSends(
  { patienceMs, signal, stage }: PlayOptions,
  { port, process: worker }: Member,
): Promise<{ readonly inHand: readonly InHand[]; readonly unsent: readonly InHand[] }> {
  const orders: Orders = { point: 'claim.granted', nth: 1, signal: 'SIGSTOP' };
  const held = async (): Promise<InHand[]> =>
    (await inHandOf(stage.ledger, STOPPED)).filter(({ subscriber }) => !subscriber.startsWith(OUTSIDE));
  const ofEach = (inHand: readonly InHand[]): boolean =>
    REACHES.every((reach) => inHand.some(({ subscriber }) => subscriber.startsWith(reach)));
  for (let take = 1; ; take += 1) {
    await waitUntil(`${STOPPED} sends to each`, patienceMs, async () => ofEach(await held()), signal);
    await ask(port, 'arm', orders);
    await waitUntil(`${STOPPED} stands still`, patienceMs, () => isStopped(worker.pid), signal);
    const inHand = await held();
    const begun = new Set(stage.endpoints.requests().map(({ attempt, key }) => `${key} ${attempt}`));
    const unsent = inHand.filter(({ attempt, key }) => !begun.has(`${key} ${attempt}`));
    if ((ofEach(inHand) && unsent.length > 0) || take === TAKES) return { inHand, unsent };
    worker.signal('SIGCONT');
    await waitUntil(`${STOPPED} goes on`, patienceMs, () => !isStopped(worker.pid), signal);
  }
}

/** Waits until the worker has told of every send it held; one that nobody asks about any more is not waited for. */
async function untilTold({ signal, stage, watchMs }: PlayOptions, inHand: readonly InHand[]): Promise<void> {
  const untilMs = performance.now() + 2 * watchMs;
  while ((await toldBy(stage.ledger, STOPPED, inHand)) < inHand.length && performance.now() < untilMs)
    await sleep(LOOK_EVERY_MS, undefined, { signal });
}

/** Deliveries that are paused and not over. */
async function openOf({ ledger }: Stage, reach: Reach): Promise<number> {
  const { rows } = await ledger.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM waybill.obligations o JOIN waybill.subscribers s ON s.id = o.subscriber_id
       WHERE s.account = $1 AND s.name LIKE $2 AND o.finished_at IS NULL`,
    [accountOf(reach), `${reach}-%`],
  );
  return rows[0]?.count ?? 0;
}
