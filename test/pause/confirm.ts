import { setTimeout as sleep } from 'node:timers/promises';
import type { SubscriberActAnswer } from '../../src/client.js';
import type { Mark } from '../scale/journal.js';
import type { Stage } from '../scale/stage.js';

const ASK_EVERY_MS = 50;

export interface Confirmed {
  /** The journal's place before the pause was asked for. */
  readonly asked: Mark;
  /** And once it was confirmed. */
  readonly confirmed: Mark;
  /** Of the answer that granted it. */
  readonly first: SubscriberActAnswer;
}

/** Asks for a pause, and again under the same request id until it is confirmed: no send can be under way any more. */
export async function pauseUntilConfirmed(
  stage: Stage,
  name: string,
  pause: (word: { actor: string; reason: string; requestId: string }) => Promise<SubscriberActAnswer>,
  signal: AbortSignal,
): Promise<Confirmed> {
  const word = { actor: 'proof-operator', reason: 'to see a pause', requestId: name };
  const asked = await stage.endpoints.mark(`${name} asked`);
  const first = await pause(word);
  for (let answer = first; !answer.confirmed; answer = await pause(word))
    await sleep(ASK_EVERY_MS, undefined, { signal });
  return { asked, first, confirmed: await stage.endpoints.mark(`${name} confirmed`) };
}
