import { PROCESSES } from '../kill/plan.js';
import { faultOf, type FaultName } from './catalogue.js';
import { EVERYBODY, eventsOf, FEW, playersOf, TRICKLE, type Player } from './players.js';
import { startPublisher, type Publish } from './publisher.js';
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

    const watch = startWatch(scene.stage);
    const fromMs = Date.now();
    const publisher = startPublisher(client, eventOf(TRICKLE), 2, publishEveryMs);
    const blows = await strike(scene, name, (short ? shortSeconds : seconds) * 1_000, signal).finally(() => {
      publisher.stop();
    });
    const toMs = Date.now();
    const seen = await watch.end();
    const last = 2 + publisher.count();
    await untilPublished(client, eventOf(EVERYBODY), last, signal);
    const secondsToFirstPublish = secondsSince(toMs);
    const published = await publisher.answers();
    const repeated: Publish[] = [];
    for (const { version } of published)
      repeated.push(await untilPublished(client, eventOf(TRICKLE), version, signal));

    const owed = 2 * size + published.length * FEW;
    const stuck = await untilFinal(looker, owed, options);
    return {
      ...{ name, account, shipment, owed, players, blows, fromMs, toMs },
      ...{ published, repeated, secondsToFirstPublish, seen, stuck },
      secondsToEnd: secondsSince(toMs),
      fellAlone: await revive(scene),
    };
  } finally {
    await Promise.all([looker.close(), client.close()]);
  }
}

/** Starts everybody again who has fallen, for the trials after this one. */
async function revive({ stage }: Scene): Promise<number> {
  const fallen = PROCESSES.filter((name) => !stage.member(name).isAlive());
  await Promise.all(fallen.map((name) => stage.restart(name)));
  return fallen.length;
}

const secondsSince = (ms: number): number => Math.round((Date.now() - ms) / 100) / 10;
