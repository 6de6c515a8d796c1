import { setTimeout as delay } from 'node:timers/promises';
import type { ObligationRow, Published, WaybillClient } from '../client.js';
import { startProgress } from './progress.js';

const LOOK_EVERY_MS = 500;
const PAGE = 10_000;
/** A person or time moves on what is held, dead or over; these move on by themselves. */
const OPEN = ['pending', 'attempting', 'waiting'] as const;

export interface EventEnd {
  /** Null where the fan-out hasn't matched yet. */
  readonly obligations: number | null;
  readonly byDisposition: Readonly<Record<string, number>>;
  readonly interrupted: boolean;
}

/** Waits until none of the event's obligations is open any more, or until `signal`; shows how far it is. */
export async function followEvent(
  client: WaybillClient,
  event: Pick<Published, 'shipment' | 'version'>,
  quiet: boolean,
  signal: AbortSignal,
): Promise<EventEnd> {
  const progress = startProgress('following', quiet);
  try {
    let total: number | null = null;
    while (!signal.aborted) {
      total ??= (await client.events(event.shipment, event.version, 1))[0]?.obligations ?? null;
      if (total !== null) {
        const open = await countOpen(client, event);
        progress.update(total - open, total, open === 0 ? '' : `${open} open`);
        if (open === 0) break;
      }
      await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined); // an abort ends the loop
    }
    const byDisposition: Record<string, number> = {};
    for await (const { disposition } of obligationsOf(client, event)) {
      byDisposition[disposition] = (byDisposition[disposition] ?? 0) + 1;
    }
    return { obligations: total, byDisposition, interrupted: signal.aborted };
  } finally {
    progress.stop();
  }
}

async function countOpen(
  client: WaybillClient,
  event: Pick<Published, 'shipment' | 'version'>,
): Promise<number> {
  let open = 0;
  for (const disposition of OPEN) {
    // Stored as open, yet read as held while their subscriber is paused: those wait for a person.
    for await (const row of obligationsOf(client, event, disposition)) if (row.disposition !== 'held') open++;
  }
  return open;
}

async function* obligationsOf(
  client: WaybillClient,
  { shipment, version }: Pick<Published, 'shipment' | 'version'>,
  disposition?: (typeof OPEN)[number],
): AsyncGenerator<ObligationRow> {
  let after: string | undefined;
  for (;;) {
    const page = await client.find({
      shipment,
      version,
      limit: PAGE,
      ...(disposition === undefined ? {} : { disposition }),
      ...(after === undefined ? {} : { after }),
    });
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1)?.key;
  }
}
