import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { FINAL_DISPOSITIONS, type Disposition } from '../src/contract.js';

/** How the demo's obligations stand at one moment. */
export interface View {
  /** The main event's, by disposition; one under a paused subscriber counts as held. */
  readonly main: Readonly<Partial<Record<Disposition, number>>>;
  readonly mainOpen: number;
  readonly mainTotal: number;
  /** Those of the queueing events that have not ended. */
  readonly queueingOpen: number;
  /** Held by the system: nothing happens to them until an operator comes. */
  readonly heldBySystem: number;
  /** Moves whenever anything has been written about any of them. */
  readonly changes: number;
}

/** @throws GaveUp, by the demo's own patience; its message is for people. */
export class GaveUp extends Error {
  override readonly name = 'GaveUp';
}

export interface WatchOptions {
  readonly db: pg.Pool;
  readonly account: string;
  readonly shipment: string;
  /** How many obligations the main event is to have. */
  readonly expected: number;
  readonly queueingExpected: number;
  /** Longest time in all. */
  readonly limitMs: number;
  /** Longest time in which nothing changes. */
  readonly stallMs: number;
  readonly signal: AbortSignal;
  readonly onView: (view: View) => void;
}

const LOOK_EVERY_MS = 1_000;

/**
 * Looks each second until every obligation has ended (`dead` counts as ended).
 * @throws GaveUp when the limit is over, nothing has changed for too long, or only the system's own holds are left.
 */
export async function watchUntilEnded(options: WatchOptions): Promise<View> {
  const startedAtMs = performance.now();
  let changedAtMs = startedAtMs;
  let changes = -1;
  for (;;) {
    const view = await look(options);
    options.onView(view);
    const nowMs = performance.now();
    if (view.changes !== changes) changedAtMs = nowMs;
    changes = view.changes;
    const allThere = view.mainTotal === options.expected;
    if (allThere && view.mainOpen === 0 && view.queueingOpen === 0) return view;
    const open = `${view.mainOpen + view.queueingOpen} obligations are still open`;
    if (
      view.heldBySystem > 0 &&
      view.heldBySystem + operatorsOwn(view) >= view.mainOpen + view.queueingOpen
    ) {
      throw new GaveUp(`${open}, held by the system (worker-crash): nothing more will happen to them`);
    }
    if (nowMs - changedAtMs > options.stallMs) {
      throw new GaveUp(`${open} and nothing has changed for ${Math.round(options.stallMs / 1000)} s`);
    }
    if (nowMs - startedAtMs > options.limitMs) {
      throw new GaveUp(`${open} after ${Math.round(options.limitMs / 1000)} s, which is the limit`);
    }
    await sleep(LOOK_EVERY_MS, undefined, { signal: options.signal });
  }
}

/** Held, but not by the system: by the operator of this very demo, who is waiting for the others. */
const operatorsOwn = (view: View): number => Math.max(0, (view.main.held ?? 0) - view.heldBySystem);

const ENDED: readonly string[] = [...FINAL_DISPOSITIONS, 'dead'];

interface Row {
  readonly main: boolean;
  readonly disposition: Disposition;
  readonly system: boolean;
  readonly count: number;
  readonly changes: number;
}

async function look({ db, account, shipment, queueingExpected }: WatchOptions): Promise<View> {
  const { rows } = await db.query<Row>(
    `SELECT e.shipment_id = $2 AS main, coalesce(o.held_by = 'system', false) AS system,
        CASE WHEN g.paused_at IS NOT NULL AND o.disposition IN ('pending', 'waiting') THEN 'held'
          ELSE o.disposition END AS disposition,
        count(*)::int AS count, sum(o.rev)::int AS changes
      FROM waybill.obligations o
      JOIN waybill.events e ON e.id = o.event_id
      JOIN waybill.gates g ON g.subscriber_id = o.subscriber_id
      WHERE e.account = $1 GROUP BY 1, 2, 3`,
    [account, shipment],
  );
  const main: Partial<Record<Disposition, number>> = {};
  let [mainTotal, mainOpen, queueingEnded, heldBySystem, changes] = [0, 0, 0, 0, 0];
  for (const row of rows) {
    const ended = ENDED.includes(row.disposition);
    if (row.main) {
      main[row.disposition] = (main[row.disposition] ?? 0) + row.count;
      mainTotal += row.count;
      if (!ended) mainOpen += row.count;
    } else if (ended) queueingEnded += row.count;
    if (row.system && row.disposition === 'held') heldBySystem += row.count;
    changes += row.changes + row.count;
  }
  return { main, mainOpen, mainTotal, queueingOpen: queueingExpected - queueingEnded, heldBySystem, changes };
}
