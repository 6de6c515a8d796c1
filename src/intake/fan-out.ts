import type { LimitFunction } from 'p-limit';
import { fanOutPage, matchSmallEvent } from '../ledger/events.js';
import type { OutboxRow } from '../ledger/outbox.js';
import type { RelayDeps } from './relay.js';
import { startEvent, startObligation } from './starter.js';

/**
 * Up to so many obligations are started by the relay itself: a workflow for their fan-out would cost as much as one of
 * their deliveries. More would keep the relay from what stands behind them.
 */
export const SMALL_FAN_OUT = 20;

type EventRow = Extract<OutboxRow, { kind: 'event' }>;

/**
 * Fans out a small event here and now, and answers true: nothing is left to do but to mark it started. A larger one is
 * handed to a workflow of its own: false. Safe to repeat; one obligation that can't be started keeps no other from it, and
 * then the failure is thrown.
 */
export async function fanOut(deps: RelayDeps, row: EventRow, starts: LimitFunction): Promise<boolean> {
  const { event_id: eventId, account, shipment, version } = row;
  const matched = await matchSmallEvent(deps.pool, eventId, SMALL_FAN_OUT, await deps.clock.ledgerNow());
  if (matched === 'lost') {
    deps.log.error({ eventId }, 'relay.record_lost');
    return false;
  }
  // A subscriber that was added meanwhile may have made it large.
  if (matched === 'large' || matched > SMALL_FAN_OUT) {
    await startEvent(deps.starter, { eventId, account, shipment, version });
    return false;
  }
  deps.reached?.('relay.matched');
  const page = matched === 0 ? [] : await fanOutPage(deps.pool, eventId, '', SMALL_FAN_OUT);
  const ends = await Promise.allSettled(page.map((one) => starts(() => startObligation(deps.starter, one))));
  const failure = ends.find((end) => end.status === 'rejected');
  if (failure) throw failure.reason;
  deps.reached?.('relay.fanned-out');
  return true;
}
