import { setTimeout as delay } from 'node:timers/promises';
import type { EventProgress, Published, WaybillClient } from '../client.js';
import { startProgress } from './progress.js';

const LOOK_EVERY_MS = 500;
/** Following costs the database a small share of its time, however many obligations there are to count. */
const RESTS_TIMES_A_LOOK = 20;

export interface EventEnd extends EventProgress {
  readonly interrupted: boolean;
}

/** Waits until none of the event's obligations is open any more, or until `signal`; shows how far it is. */
export async function followEvent(
  client: WaybillClient,
  { shipment, version }: Pick<Published, 'shipment' | 'version'>,
  quiet: boolean,
  signal: AbortSignal,
): Promise<EventEnd> {
  const progress = startProgress('following', quiet);
  try {
    for (;;) {
      const fromMs = performance.now();
      const now = await client.eventProgress(shipment, version);
      const { obligations, open } = now;
      if (obligations !== null) progress.update(obligations - open, obligations, noteOf(now));
      if (signal.aborted || (obligations !== null && open === 0))
        return { ...now, interrupted: signal.aborted };
      const restMs = Math.max(LOOK_EVERY_MS, (performance.now() - fromMs) * RESTS_TIMES_A_LOOK);
      await delay(restMs, undefined, { signal }).catch(() => undefined); // an abort ends the rest
    }
  } finally {
    progress.stop();
  }
}

/** `20000 recorded, 12000 delivered, 7990 open, 10 held, 5 left out`; what is none is not named. */
function noteOf({ obligations, delivered, open, held, leftOut }: EventProgress): string {
  const out = Object.values(leftOut).reduce((sum, n) => sum + n, 0);
  return [
    `${obligations ?? 0} recorded`,
    ...(delivered > 0 ? [`${delivered} delivered`] : []),
    ...(open > 0 ? [`${open} open`] : []),
    ...(held > 0 ? [`${held} held`] : []),
    ...(out > 0 ? [`${out} left out`] : []),
  ].join(', ');
}
