import { Context } from '@temporalio/activity';
import type { Queryable } from '../ledger/pool.js';
import { fanOutPage, markStarted } from '../ledger/events.js';
import { startObligation, type Starter } from './starter.js';
import type { Clock } from './clock.js';

const PAGE = 100;
const STARTS_AT_ONCE = 25;

interface Progress {
  /** Every subscriber up to this one has its workflow. */
  readonly after: string;
  readonly started: number;
}

/** Starts the event's workflows in pages. A repeat goes on after the last whole page; a second start is none. */
export async function startObligations(
  deps: { readonly db: Queryable; readonly starter: Starter; readonly clock: Clock },
  eventId: number,
): Promise<number> {
  const context = Context.current();
  let progress: Progress = (context.info.heartbeatDetails as Progress | undefined) ?? {
    after: '',
    started: 0,
  };
  const alive = setInterval(() => context.heartbeat(progress), 2_000);
  try {
    for (;;) {
      const page = await fanOutPage(deps.db, eventId, progress.after, PAGE);
      const last = page.at(-1);
      if (!last) break;
      for (let i = 0; i < page.length; i += STARTS_AT_ONCE) {
        await Promise.all(page.slice(i, i + STARTS_AT_ONCE).map((row) => startObligation(deps.starter, row)));
        context.cancellationSignal.throwIfAborted();
      }
      progress = { after: last.subscriber_id, started: progress.started + page.length };
      context.heartbeat(progress);
      if (page.length < PAGE) break;
    }
    await markStarted(deps.db, eventId, await deps.clock.ledgerNow());
    return progress.started;
  } finally {
    clearInterval(alive);
  }
}
