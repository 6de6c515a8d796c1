import { payloadOf, QUICK } from '../scale/policy.js';
import { untilOver } from '../scale/progress.js';
import type { PlayOptions } from './halt.js';

/** What is paused with an end; each in an account of its own. */
export const ENDING = ['subscriber', 'account'] as const;
export const endingAccount = (reach: (typeof ENDING)[number]): string => `ending-${reach}`;

const PAUSED_MS = 5_000;
const EVENTS = 5;

export interface EndsPlayed {
  /** When the pauses end by themselves, in epoch ms. */
  readonly untilMs: number;
  readonly events: number;
  readonly stuck: number;
}

/** Pauses that nobody resumes: each names its end. */
export async function playEnds({ patienceMs, signal, stage }: PlayOptions): Promise<EndsPlayed> {
  const word = { actor: 'proof-operator', reason: 'to see a pause end' };
  const until = new Date(Date.now() + PAUSED_MS);
  for (const reach of ENDING) {
    const account = endingAccount(reach);
    const client = stage.client(account);
    const url = stage.endpoints.url(`/${account}/${account}`);
    await client.addSubscriber({ name: account, url, policy: QUICK });
    if (reach === 'subscriber') await client.actOnSubscriber('pause', account, word, { until });
    else await client.actOnAccount('pause', word, { until });
    for (let i = 0; i < EVENTS; i += 1)
      await client.publish({
        ...{ shipment: `${account}-${i}`, version: 1, type: 'pause.ending' },
        payload: payloadOf({ i }),
      });
  }
  const stuck = await untilOver({ ledger: stage.ledger, signal, patienceMs }, ...ENDING.map(endingAccount));
  return { untilMs: until.getTime(), events: EVENTS, stuck };
}
