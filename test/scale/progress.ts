import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { FINAL_DISPOSITIONS } from '../../src/contract.js';

const LOOK_EVERY_MS = 200;

/** How an account's work stands, by the ledger. */
export interface Standings {
  /** Obligations by disposition. */
  readonly byDisposition: Readonly<Record<string, number>>;
  /** Published events that nobody has matched with subscribers yet. */
  readonly unmatched: number;
  /** Obligations that aren't over; a dead one is. */
  readonly open: number;
  /** Moves with each change. */
  readonly pulse: number;
}

const OVER: readonly string[] = [...FINAL_DISPOSITIONS, 'dead'];

export async function standingsOf(ledger: pg.Pool, account: string): Promise<Standings> {
  const { rows } = await ledger.query<{ disposition: string | null; count: number; pulse: number }>(
    `SELECT o.disposition, count(*)::int AS count, coalesce(sum(o.rev), 0)::int AS pulse
       FROM waybill.events e LEFT JOIN waybill.obligations o ON o.event_id = e.id
       WHERE e.account = $1 AND (o.key IS NOT NULL OR e.matched_at IS NULL) GROUP BY 1`,
    [account],
  );
  const made = rows.flatMap(({ disposition, count }) =>
    disposition === null ? [] : [[disposition, count] as const],
  );
  return {
    byDisposition: Object.fromEntries(made),
    unmatched: rows.find(({ disposition }) => disposition === null)?.count ?? 0,
    open: made
      .filter(([disposition]) => !OVER.includes(disposition))
      .reduce((sum, [, count]) => sum + count, 0),
    pulse: rows.reduce((sum, { count, pulse }) => sum + count + pulse, 0),
  };
}

export interface Patience {
  readonly ledger: pg.Pool;
  readonly signal: AbortSignal;
  /** Without any change for so long nothing more is waited for. */
  readonly patienceMs: number;
}

/** Waits until nothing is left, as long as anything moves; answers what is left. */
export async function untilNoneLeft(
  { patienceMs, signal }: Omit<Patience, 'ledger'>,
  look: () => Promise<{ readonly left: number; readonly pulse: number }>,
): Promise<number> {
  let last = -1;
  let untilMs = 0;
  for (;;) {
    const { left, pulse } = await look();
    if (left === 0) return 0;
    if (pulse !== last) untilMs = performance.now() + patienceMs;
    last = pulse;
    if (performance.now() > untilMs) return left;
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
}

/** Waits until all that these accounts published is over; answers how much is not where nothing moves any more. */
export const untilOver = (patience: Patience, ...accounts: string[]): Promise<number> =>
  untilNoneLeft(patience, async () => {
    const all = await Promise.all(accounts.map((account) => standingsOf(patience.ledger, account)));
    return {
      left: all.reduce((sum, { open, unmatched }) => sum + open + unmatched, 0),
      pulse: all.reduce((sum, { pulse }) => sum + pulse, 0),
    };
  });

/**
 * Waits until each event of these accounts is matched and each of its deliveries has its workflow.
 * @throws where nothing moves any more before that.
 */
export async function untilStarted(patience: Patience, ...accounts: string[]): Promise<void> {
  const left = await untilNoneLeft(patience, async () => {
    const { rows } = await patience.ledger.query<{ left: number }>(
      'SELECT count(*)::int AS left FROM waybill.events WHERE account = ANY ($1) AND started_at IS NULL',
      [accounts],
    );
    const waiting = rows[0]?.left ?? 0;
    return { left: waiting, pulse: waiting };
  });
  if (left > 0) throw new Error(`nothing moves any more, and ${left} events have not been started`);
}
