import { setTimeout as sleep } from 'node:timers/promises';
import { WaybillClient } from '../../src/client.js';
import { loadConfig } from '../../src/config.js';
import { isDatabaseTrouble } from '../../src/ledger/pool.js';
import { subscriberOf, type Player } from './players.js';
import { publishOnce, type EventOf, type Publish } from './publisher.js';
import type { Scene } from './scene.js';

const LOOK_EVERY_MS = 250;
const IN_FLIGHT_TIMEOUT_MS = 30_000;

export const clientOf = (account: string, env: Readonly<Record<string, string>>): WaybillClient =>
  new WaybillClient({ account, actor: 'proof-faults', config: loadConfig(env) });

export async function addAll(scene: Scene, client: WaybillClient, players: readonly Player[]): Promise<void> {
  await client.addSubscribers(players.map((player, i) => subscriberOf(player, i, scene.toReceiver.port)));
  await scene.stage.tellSecrets(Object.fromEntries(players.map(({ name, secret }) => [name, secret])));
}

/** Again and again until it succeeds. @throws what no later call could mend. */
export async function untilPublished(
  client: WaybillClient,
  eventOf: EventOf,
  version: number,
  signal: AbortSignal,
): Promise<Publish> {
  for (;;) {
    const answer = await publishOnce(client, eventOf(version));
    if (answer.eventId !== undefined) return answer;
    if (answer.code !== 'database_unavailable')
      throw new Error(`version ${version}: ${answer.code ?? answer.uncoded ?? ''}`);
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
}

export async function untilInFlight(client: WaybillClient, signal: AbortSignal): Promise<void> {
  const deadlineMs = performance.now() + IN_FLIGHT_TIMEOUT_MS;
  while (!(await client.find()).some((row) => row.attempts > 0)) {
    if (performance.now() > deadlineMs) throw new Error('nothing is under way: the workers are idle');
    await sleep(40, undefined, { signal });
  }
}

export interface Patience {
  readonly patienceMs: number;
  readonly signal: AbortSignal;
}

/** Waits until everything owed is delivered; answers how much isn't when for so long nothing more was. */
export async function untilFinal(client: WaybillClient, owed: number, options: Patience): Promise<number> {
  let most = 0;
  for (let deadlineMs = Infinity; ;) {
    const delivered = await countDelivered(client);
    if (delivered >= owed) return 0;
    if (delivered > most || deadlineMs === Infinity) deadlineMs = performance.now() + options.patienceMs;
    if (performance.now() > deadlineMs) return owed - delivered;
    most = Math.max(most, delivered);
    await sleep(LOOK_EVERY_MS, undefined, { signal: options.signal });
  }
}

const PAGE = 1_000;

async function countDelivered(client: WaybillClient): Promise<number> {
  try {
    let count = 0;
    for (let after: string | undefined; ;) {
      const page = await client.find({ disposition: 'delivered', limit: PAGE, ...(after ? { after } : {}) });
      count += page.length;
      if (page.length < PAGE) return count;
      after = page.at(-1)?.key;
    }
  } catch (error) {
    if (isDatabaseTrouble(error)) return 0;
    throw error;
  }
}
