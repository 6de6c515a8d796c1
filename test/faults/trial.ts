import { PROCESSES } from '../kill/plan.js';
import { faultOf, type FaultName } from './catalogue.js';
import { EVERYBODY, eventsOf, FEW, playersOf, TRICKLE, type Player } from './players.js';
import { startPublisher, type Publish, type Publisher } from './publisher.js';
import type { Scene } from './scene.js';
import { addAll, clientOf, untilFinal, untilInFlight, untilPublished } from './steps.js';
import { strike } from './strike.js';
import { startWatch, type Seen } from './watch.js';

/** One fault that is over, for the checker and the report. */
export interface Trial {
  readonly name: FaultName;
  readonly account: string;
  readonly shipment: string;
  /** Obligations that are owed. */
  readonly owed: number;
  readonly players: readonly Player[];
  readonly blows: number;
  /** Epoch ms. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Answers to what was published while the fault lasted. */
  readonly published: readonly Publish[];
  /** Events published in all: before the fault, while it lasted, after it. */
  readonly events: number;
  /** Answers of the same once the fault was over: none has an error. */
  readonly repeated: readonly Publish[];
  /** From the end of the fault to the first publish that succeeds. */
  readonly secondsToFirstPublish: number;
  /** From the end of the fault until everything was final. */
  readonly secondsToEnd: number;
  readonly seen: Seen;
  /** Processes that ended although nobody told them to. */
  readonly fellAlone: number;
  /** Obligations that were not final when patience was over. */
  readonly stuck: number;
}

export interface TrialOptions {
  readonly scene: Scene;
  readonly name: FaultName;
  readonly size: number;
  readonly short: boolean;
  readonly patienceMs: number;
  readonly signal: AbortSignal;
}

/** Publishes, strikes while it is delivered, publishes on, and waits for what becomes of it all. */
export async function runTrial(options: TrialOptions): Promise<Trial> {
  const { scene, name, size, short, signal } = options;
  const { publishEveryMs, seconds, shortSeconds } = faultOf(name);
  const account = `fault-${name}`;
  const shipment = `parcel-${name}`;
  const players = playersOf(name, size);
  const looker = clientOf(account, scene.stage.env);
  const client = clientOf(account, scene.publisherEnv);
  const eventOf = eventsOf(shipment);
  try {
    await addAll(scene, looker, players);
    await untilPublished(client, eventOf(EVERYBODY), 1, signal);
    await untilInFlight(looker, signal);

    const scanned = eventOf(TRICKLE);
    const beginPublishing = (): Publisher => startPublisher(client, scanned, 2, publishEveryMs);
    const ms = (short ? shortSeconds : seconds) * 1_000;
    const { publisher, ...during } = await bring(scene, name, ms, beginPublishing, signal);
    const { toMs } = during;
    const last = 2 + publisher.count();
    await untilPublished(client, eventOf(EVERYBODY), last, signal);
    const secondsToFirstPublish = secondsSince(toMs);
    const published = await publisher.answers();
    const repeated: Publish[] = [];
    for (const { version } of published)
      repeated.push(await untilPublished(client, scanned, version, signal));

    const owed = 2 * size + published.length * FEW;
    const stuck = await untilFinal(looker, owed, options);
    return {
      ...{ name, account, shipment, owed, players, ...during },
      ...{ published, repeated, secondsToFirstPublish, stuck },
      events: 2 + published.length,
      secondsToEnd: secondsSince(toMs),
      fellAlone: await revive(scene),
    };
  } finally {
    await Promise.all([looker.close(), client.close()]);
  }
}

type During = Pick<Trial, 'blows' | 'fromMs' | 'toMs' | 'seen'> & { readonly publisher: Publisher };

/** The fault from its beginning to its end; whatever comes of it, nobody publishes or watches any more afterwards. */
async function bring(
  scene: Scene,
  name: FaultName,
  ms: number,
  beginPublishing: () => Publisher,
  signal: AbortSignal,
): Promise<During> {
  const watch = startWatch(scene.stage);
  const fromMs = Date.now();
  const publisher = beginPublishing();
  try {
    const blows = await strike(scene, name, ms, signal);
    const toMs = Date.now();
    return { blows, fromMs, toMs, publisher, seen: await watch.end() };
  } finally {
    publisher.stop();
    watch.stop();
  }
}

/** Starts everybody again who has fallen, for the trials after this one. */
async function revive({ stage }: Scene): Promise<number> {
  const fallen = PROCESSES.filter((name) => !stage.member(name).isAlive());
  await Promise.all(fallen.map((name) => stage.restart(name)));
  return fallen.length;
}

const secondsSince = (ms: number): number => Math.round((Date.now() - ms) / 100) / 10;
