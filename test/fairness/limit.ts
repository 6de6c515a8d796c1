import { setTimeout as sleep } from 'node:timers/promises';
import { ACCOUNT, LIMITED, RAISED_RATE, RATE, type PlayOptions } from './cast.js';
import type { Span } from './judge.js';

export interface LimitPlayed {
  /** From the answer to the change until the change back was asked for. */
  readonly raised: Span;
  /** From the answer to the change back on. */
  readonly lowered: Span;
}

/** How long each limit is watched. */
const WATCH_MS = 15_000;

/** Raises the limit while deliveries wait, and lowers it again. */
export async function playLimit({ requests, say, signal, stage }: PlayOptions): Promise<LimitPlayed> {
  const { endpoints } = stage;
  const watchMs = Math.min(WATCH_MS, requests * 250);
  const change = (ratePerSecond: number) =>
    stage.client(ACCOUNT).updateSubscriber(LIMITED, { ratePerSecond });
  say(`the limit becomes ${RAISED_RATE} a second, and ${RATE} again`);
  await change(RAISED_RATE);
  const raised = await endpoints.mark('raised');
  await sleep(watchMs, undefined, { signal });
  const lowering = await endpoints.mark('lowering');
  await change(RATE);
  const lowered = await endpoints.mark('lowered');
  await sleep(watchMs, undefined, { signal });
  const end = await endpoints.mark('end');
  return {
    raised: { fromMs: raised.atMs, toMs: lowering.atMs },
    lowered: { fromMs: lowered.atMs, toMs: end.atMs },
  };
}
