import { setTimeout as sleep } from 'node:timers/promises';
import { ACCOUNT, burstOf, LIMITED, RAISED_RATE, RATE, type PlayOptions } from './cast.js';
import { fullestSecond, type Span } from './judge.js';

export interface LimitPlayed {
  /** From the answer to the change until the change back was asked for. */
  readonly raised: Span;
  /** From the answer to the change back on. */
  readonly lowered: Span;
}

/** A changed limit is to show at the receiver within. */
export const CHANGE_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 500;
/** How long each limit is watched besides. */
const WATCH_MS = 12_000;
/** More than this in a second is more than the lower limit lets through. */
export const MORE_THAN = RATE + burstOf(RATE);

/** Raises the limit while deliveries wait, and lowers it again. */
export async function playLimit({ requests, say, signal, stage }: PlayOptions): Promise<LimitPlayed> {
  const { endpoints } = stage;
  const watchMs = Math.min(WATCH_MS, requests * 200);
  const change = (ratePerSecond: number) =>
    stage.client(ACCOUNT).updateSubscriber(LIMITED, { ratePerSecond });
  say(`the limit becomes ${RAISED_RATE} a second, and ${RATE} again`);
  await change(RAISED_RATE);
  const raised = await endpoints.mark('raised');
  const shows = (): boolean =>
    fullestSecond(
      endpoints
        .requests()
        .filter(({ atMs, path }) => path === `/${LIMITED}/${LIMITED}` && atMs > raised.atMs)
        .map(({ atMs }) => atMs),
    ) > MORE_THAN;
  while (!shows() && Date.now() < raised.atMs + CHANGE_WITHIN_MS)
    await sleep(LOOK_EVERY_MS, undefined, { signal });
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
