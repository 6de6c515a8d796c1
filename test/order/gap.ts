import { obligationKey } from '../../src/contract.js';
import { waitUntil } from '../../scripts/stack/wait-until.js';
import { payloadOf, QUICK } from '../scale/policy.js';
import { standingsOf, untilOver } from '../scale/progress.js';
import type { PlayOptions } from './play.js';

export const GAP_ACCOUNT = 'order-gap';
const WAIT_MS = 1_500;
const NAME = 'gap';
const WORD = { actor: 'proof-operator', reason: 'to see a lane move on' };

export interface GapPlayed {
  /** Shipments whose first version was held for longer than the longest wait. */
  readonly held: readonly string[];
  /** Shipments whose first version was dead before the second came. */
  readonly dead: readonly string[];
  readonly stuck: number;
}

/** A lane whose head is held, and one whose head is dead: both move on. */
export async function playGaps({ patienceMs, seed, signal, stage }: PlayOptions): Promise<GapPlayed> {
  const client = stage.client(GAP_ACCOUNT);
  const { endpoints, ledger } = stage;
  const dead = [`dead-${seed}-0`, `dead-${seed}-1`];
  const held = [`held-${seed}-0`, `held-${seed}-1`, `held-${seed}-2`];
  const publish = async (shipments: readonly string[], version: number): Promise<void> => {
    for (const shipment of shipments)
      await client.publish({ shipment, version, type: 'order.gap', payload: payloadOf({ version }) });
  };
  const until = (what: string, count: number, ...dispositions: readonly string[]): Promise<unknown> =>
    waitUntil(
      what,
      patienceMs,
      async () => {
        const { byDisposition } = await standingsOf(ledger, GAP_ACCOUNT);
        const of = dispositions.length === 0 ? Object.keys(byDisposition) : dispositions;
        return of.reduce((sum, one) => sum + (byDisposition[one] ?? 0), 0) >= count;
      },
      signal,
    );
  const { id } = (
    await client.addSubscriber({
      ...{ name: NAME, url: endpoints.url(`/gap/${NAME}`), policy: QUICK },
      ...{ order: 'serialize', orderWaitMs: WAIT_MS },
    })
  ).subscriber;

  await endpoints.behave({ '/gap': { status: 400 } });
  await publish(dead, 1);
  await until('first versions are dead', dead.length, 'dead');
  await endpoints.behave({ '/gap': {} });
  await publish(dead, 2);
  await until('the lanes of the dead ones move on', dead.length, 'delivered');

  await client.actOnSubscriber('pause', id, WORD);
  await publish(held, 1);
  await until('first versions are there', 2 * dead.length + held.length);
  for (const shipment of held) await client.pause(obligationKey(shipment, id, 1), WORD);
  await publish(held, 2);
  await until('second versions are there', 2 * dead.length + 2 * held.length);
  await client.actOnSubscriber('resume', id, WORD);
  await until('the lanes of the held ones move on', dead.length + held.length, 'delivered');
  for (const shipment of held) await client.resume(obligationKey(shipment, id, 1), WORD);
  return { held, dead, stuck: await untilOver({ ledger, signal, patienceMs }, GAP_ACCOUNT) };
}
