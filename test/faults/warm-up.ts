import { EVERYBODY, eventsOf, playersOf } from './players.js';
import type { Scene } from './scene.js';
import { addAll, clientOf, untilFinal, untilPublished } from './steps.js';

const EVENTS = 4;
const PATIENCE_MS = 60_000;

/** Deliveries without any fault: a process that has just begun grows for a while, whatever happens. */
export async function warmUp(scene: Scene, size: number, signal: AbortSignal): Promise<void> {
  const client = clientOf('warm-up', scene.stage.env);
  try {
    await addAll(scene, client, playersOf('warm-up', size));
    const eventOf = eventsOf('parcel-warm-up')(EVERYBODY);
    for (let version = 1; version <= EVENTS; version += 1)
      await untilPublished(client, eventOf, version, signal);
    const left = await untilFinal(client, EVENTS * size, { patienceMs: PATIENCE_MS, signal });
    if (left > 0) throw new Error(`${left} deliveries of the warm-up did not come to an end`);
  } finally {
    await client.close();
  }
}
