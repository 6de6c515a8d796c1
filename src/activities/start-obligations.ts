import { setTimeout as delay } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import type { Queryable } from '../ledger/pool.js';
import { countUntaken, fanOutPage, markStarted, othersPublish, type StartRow } from '../ledger/events.js';
import { OWN_TURNS_ABOVE } from '../intake/fairness.js';
import { startObligation, type Starter } from '../intake/starter.js';
import type { Clock } from '../clock.js';
import type { Reached } from '../watch/points.js';
import { ShiftOver } from './faults.js';
import type { Pacer } from './pacer.js';
import type { TakeUps } from './take-ups.js';

const PAGE = 100;
const STARTS_AT_ONCE = 25;
/** What has been started and no worker has taken up: more would only fill Temporal's queues. */
export const MOST_UNTAKEN = 100;
/** What isn't taken up so long after its page was started waits for something else, and holds nothing up. */
const UNTAKEN_FOR_MS = 30_000;
/** While nobody else has published for so long, there is nobody to make room for. */
const ALONE_AFTER_MS = 60_000;
const LOOK_EVERY_MS = 100;
const BEAT_EVERY_MS = 2_000;
/** After this a fan-out goes to the end of the queue: operators' words and a worker's end wait for it no longer. */
const SHIFT_MS = 10_000;

interface Progress {
  /** Every subscriber up to this one has its workflow. */
  readonly after: string;
  readonly started: number;
  /** Those after this one were started lately, the last of them so long ago. */
  readonly lately?: { readonly after: string; readonly forMs: number };
}

/** A page whose starts are over. */
interface Page {
  readonly after: string;
  readonly overAtMs: number;
}

export interface FanOutDeps {
  readonly db: Queryable;
  readonly starter: Starter;
  /** Of what has turns of its own; an event below that is over in one page. */
  readonly pacer: Pacer;
  readonly takeUps: TakeUps;
  readonly clock: Clock;
  readonly reached?: Reached | undefined;
  /** Tests have shorter ones. */
  readonly shiftMs?: number;
  /** Tests without workers have no bound. */
  readonly mostUntaken?: number;
}

/**
 * Starts the event's workflows in pages, at the pacer's pace and no faster than workers take them up; a second start is
 * none. One that can't be started doesn't keep the ones behind it from theirs: all are tried, then the failure is thrown,
 * and a repeat goes on from the page that had it. A long one is done in shifts.
 * @throws ShiftOver at the end of one that is not the last
 */
export async function startObligations(deps: FanOutDeps, eventId: number): Promise<number> {
  const { clock, shiftMs = SHIFT_MS } = deps;
  const context = Context.current();
  const signal = context.cancellationSignal;
  const begunAtMs = clock.monotonicMs();
  let done = (context.info.heartbeatDetails as Progress | undefined) ?? { after: '', started: 0 };
  let at = done;
  let failure: PromiseRejectedResult | undefined;
  let lately: readonly Page[] = done.lately
    ? [{ after: done.lately.after, overAtMs: begunAtMs - done.lately.forMs }]
    : [];
  const alive = setInterval(() => context.heartbeat(done), BEAT_EVERY_MS);
  const unwatch = deps.takeUps.watch();
  try {
    for (;;) {
      const page = await fanOutPage(deps.db, eventId, at.after, PAGE);
      const last = page.at(-1);
      if (!last) break;
      const paced =
        (last.obligations ?? 0) > OWN_TURNS_ABOVE &&
        (await othersPublish(deps.db, eventId, ALONE_AFTER_MS, await clock.ledgerNow()));
      const refused = await startPage(deps, page, paced, signal);
      failure ??= refused;
      lately = [...lately, { after: at.after, overAtMs: clock.monotonicMs() }];
      at = { after: last.subscriber_id, started: at.started + page.length };
      if (!failure) done = at;
      context.heartbeat(done);
      deps.reached?.('fanout.page');
      if (page.length < PAGE) break;
      const endsAtMs = failure ? Infinity : begunAtMs + shiftMs;
      lately = await untilTakenUp(deps, eventId, { pages: lately, upTo: at.after, endsAtMs }, signal);
      if (clock.monotonicMs() < endsAtMs) continue;
      done = { ...done, ...latelyOf(lately, clock.monotonicMs()) };
      context.heartbeat(done);
      throw new ShiftOver(done.started);
    }
    if (failure) throw failure.reason;
    await markStarted(deps.db, [eventId], await clock.ledgerNow());
    return done.started;
  } finally {
    clearInterval(alive);
    unwatch();
  }
}

/** Tries all of the page, at the pacer's pace where there are others to make room for; answers the first failure, if any. */
async function startPage(
  { pacer, starter, takeUps }: FanOutDeps,
  page: readonly StartRow[],
  paced: boolean,
  signal: AbortSignal,
): Promise<PromiseRejectedResult | undefined> {
  let failure: PromiseRejectedResult | undefined;
  const open = new Set<Promise<void>>();
  try {
    for (const row of page) {
      if (paced) await pacer.turn(signal);
      signal.throwIfAborted();
      if (paced) takeUps.started(row.key);
      if (open.size >= STARTS_AT_ONCE) await Promise.race(open);
      const starting = (): Promise<boolean> => startObligation(starter, row);
      const start = (paced ? pacer.timed(starting) : starting())
        .then(
          () => undefined,
          (reason: unknown) => void (failure ??= { status: 'rejected', reason }),
        )
        .finally(() => open.delete(start));
      open.add(start);
    }
  } finally {
    await Promise.all(open);
  }
  return failure;
}

/** For the next shift, which has another clock. */
function latelyOf(pages: readonly Page[], nowMs: number): Pick<Progress, 'lately'> {
  const [oldest] = pages;
  const newest = pages.at(-1);
  return oldest && newest ? { lately: { after: oldest.after, forMs: nowMs - newest.overAtMs } } : {};
}

/** Waits while too much of what these pages started isn't taken up, or the shift ends; answers those that still count. */
async function untilTakenUp(
  { db, clock, mostUntaken = MOST_UNTAKEN }: FanOutDeps,
  eventId: number,
  { pages, upTo, endsAtMs }: { pages: readonly Page[]; upTo: string; endsAtMs: number },
  signal: AbortSignal,
): Promise<readonly Page[]> {
  for (;;) {
    const left = pages.filter(({ overAtMs }) => clock.monotonicMs() - overAtMs < UNTAKEN_FOR_MS);
    const [oldest] = left;
    if (!oldest) return left;
    const untaken = await countUntaken(db, eventId, { after: oldest.after, upTo }, await clock.ledgerNow());
    if (untaken < mostUntaken || clock.monotonicMs() >= endsAtMs) return left;
    await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}
