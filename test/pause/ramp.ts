import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { SubscriberActAnswer } from '../../src/client.js';
import type { Mark } from '../scale/journal.js';
import { payloadOf, QUICK } from '../scale/policy.js';
import { untilOver, untilStarted } from '../scale/progress.js';
import { pauseUntilConfirmed, type Confirmed } from './confirm.js';
import type { PlayOptions } from './halt.js';

export const RAMP_ACCOUNT = 'ramp';
export const BACKLOG = 'backlog';
export const OTHER = 'other';
/** Events for each of the two while the backlog drains: for the other in its first stretch, for the same in its last. */
export const FRESH = 5;

const WORD = { actor: 'proof-operator', reason: 'to see a resume' };
const AT_ONCE = 16;
const CONCURRENCY = 64;
const LOOK_EVERY_MS = 200;
/** Of what is held so much has been delivered when the second pause comes. */
const SHARE_BEFORE_PAUSE = 0.3;

/** From a resume to the next pause, or to the end. */
export interface Stretch {
  readonly from: Mark;
  readonly to: Mark;
}

export interface RampPlayed {
  /** Requests while all was held. */
  readonly sentWhileHeld: number;
  /** Two resumes that were asked for at once. */
  readonly resumes: readonly SubscriberActAnswer[];
  readonly stretches: readonly Stretch[];
  readonly second: Confirmed;
  /** A while after the second pause was confirmed. */
  readonly watched: Mark;
  readonly stuck: number;
}

/** Whether a shipment of this part was published once the backlog drained. */
export const isFresh = (shipment: string): boolean => shipment.startsWith('fresh-');

/** Holds a backlog, lets it go, pauses it on the way, and lets it go again. */
export async function playRamp(options: PlayOptions): Promise<RampPlayed> {
  const { held, patienceMs, ramp, say, signal, stage, watchMs } = options;
  const { endpoints, ledger } = stage;
  const client = stage.client(RAMP_ACCOUNT);
  await client.addSubscribers(
    [BACKLOG, OTHER].map((name) => ({
      ...{ name, url: endpoints.url(`/${name}/${name}`), eventTypes: [`pause.${name}`] },
      ...{ policy: QUICK, maxConcurrency: CONCURRENCY },
    })),
  );
  const sent = () => endpoints.requests().filter(({ path }) => path === `/${BACKLOG}/${BACKLOG}`);
  const pause = (name: string) =>
    pauseUntilConfirmed(stage, name, (word) => client.actOnSubscriber('pause', BACKLOG, word), signal);
  const resume = (requestId: string) =>
    client.actOnSubscriber('resume', BACKLOG, { ...WORD, requestId }, { rampPerSecond: ramp });

  await pause('first pause');
  say(`publishing ${held} deliveries that are held`);
  await publish(options, BACKLOG, 'held', held);
  await untilStarted({ ledger, signal, patienceMs }, RAMP_ACCOUNT);
  const sentWhileHeld = sent().length;

  say(`resuming to ${ramp} a second`);
  const resumed = await endpoints.mark('resume');
  const resumes = await Promise.all([resume('resume'), resume('resume beside')]);
  await publish(options, OTHER, 'fresh', FRESH);
  const untilMs = performance.now() + drains(held, ramp) + patienceMs;
  while (sent().length < held * SHARE_BEFORE_PAUSE && performance.now() < untilMs)
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  say('pausing on the way');
  const second = await pause('second pause');
  await sleep(watchMs, undefined, { signal });
  const watched = await endpoints.mark('second watched');

  say('resuming again');
  const again = await endpoints.mark('resume again');
  await resume('resume again');
  await publish(options, BACKLOG, 'fresh', FRESH);
  const stuck = await untilOver({ ledger, signal, patienceMs }, RAMP_ACCOUNT);
  const stretches = [
    { from: resumed, to: second.confirmed },
    { from: again, to: await endpoints.mark('end') },
  ];
  return { sentWhileHeld, resumes, stretches, second, watched, stuck };
}

/** Milliseconds that so many may take. */
const drains = (count: number, ramp: number): number => 60_000 + (count * 2_000) / ramp;

async function publish(
  { signal, stage }: PlayOptions,
  subscriber: string,
  name: 'held' | 'fresh',
  count: number,
): Promise<void> {
  const client = stage.client(RAMP_ACCOUNT);
  const limit = pLimit(AT_ONCE);
  await Promise.all(
    Array.from({ length: count }, (_, i) =>
      limit(async () => {
        signal.throwIfAborted();
        const shipment = `${name}-${subscriber}-${i}`;
        const payload = payloadOf({ shipment });
        await client.publish({ shipment, version: 1, type: `pause.${subscriber}`, payload });
      }),
    ),
  );
}
