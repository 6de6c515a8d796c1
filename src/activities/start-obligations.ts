import { Context } from '@temporalio/activity';
import type { Queryable } from '../ledger/pool.js';
import { fanOutPage, markStarted } from '../ledger/events.js';
import { startObligation, type Starter } from '../intake/starter.js';
import type { Clock } from '../clock.js';
import type { Reached } from '../watch/points.js';

const PAGE = 100;
const STARTS_AT_ONCE = 25;

interface Progress {
  /** Every subscriber up to this one has its workflow. */
  readonly after: string;
  readonly started: number;
}

export interface FanOutDeps {
  readonly db: Queryable;
  readonly starter: Starter;
  readonly clock: Clock;
  readonly reached?: Reached | undefined;
}

/**
 * Starts the event's workflows in pages; a second start is none. One that can't be started doesn't keep the ones behind
 * it from theirs: all are tried, then the failure is thrown, and a repeat goes on from the page that had it.
 */
export async function startObligations(deps: FanOutDeps, eventId: number): Promise<number> {
  const context = Context.current();
  let done = (context.info.heartbeatDetails as Progress | undefined) ?? { after: '', started: 0 };
  let at = done;
  let failure: PromiseRejectedResult | undefined;
  const alive = setInterval(() => context.heartbeat(done), 2_000);
  try {
    for (;;) {
      const page = await fanOutPage(deps.db, eventId, at.after, PAGE);
      const last = page.at(-1);
      if (!last) break;
      for (let i = 0; i < page.length; i += STARTS_AT_ONCE) {
        const rows = page.slice(i, i + STARTS_AT_ONCE);
        const starts = await Promise.allSettled(rows.map((row) => startObligation(deps.starter, row)));
        failure ??= starts.find((start) => start.status === 'rejected');
        context.cancellationSignal.throwIfAborted();
      }
      at = { after: last.subscriber_id, started: at.started + page.length };
      if (!failure) done = at;
      context.heartbeat(done);
      deps.reached?.('fanout.page');
      if (page.length < PAGE) break;
    }
    if (failure) throw failure.reason;
    await markStarted(deps.db, [eventId], await deps.clock.ledgerNow());
    return done.started;
  } finally {
    clearInterval(alive);
  }
}
