import type pg from 'pg';
import pLimit, { type LimitFunction } from 'p-limit';
import { fanOut } from './fan-out.js';
import { nudgeObligation, type Starter } from './starter.js';
import { markStarted, startRow } from '../ledger/events.js';
import { markRelayed, outboxRow, takeDue, type OutboxRow } from '../ledger/outbox.js';
import { letGoDue } from '../ledger/wakes.js';
import type { Log } from '../watch/log.js';
import type { Reached } from '../watch/points.js';
import type { Clock } from '../clock.js';
import { listenForNudges } from './nudges.js';

export interface RelayDeps {
  readonly pool: pg.Pool;
  readonly databaseUrl: string;
  readonly starter: Starter;
  readonly clock: Clock;
  readonly log: Log;
  readonly reached?: Reached | undefined;
}

const POLL_MS = 100;
/**
 * Rows in trouble are looked at again after this; also how long a dead relay's rows stay taken. A batch that takes
 * longer is relayed twice, which is harmless: a start finds what runs, a word is known by its request id.
 */
const HOLD_MS = 10_000;
const BATCH = 100;
const AT_ONCE = 20;
const TROUBLE_WAIT_MAX_MS = 5_000;

export interface Relay {
  /** Ends after the batch in hand. */
  stop(): Promise<void>;
}

/**
 * Carries the outbox to Temporal: what is published to fan out, words for running workflows. Nudged by NOTIFY, polling
 * besides, so that a lost notification costs a poll period. Any number may run: each row is taken by one.
 */
export function startRelay(deps: RelayDeps): Relay {
  const stopping = new AbortController();
  const nudges = listenForNudges(deps.databaseUrl, deps.log);
  const loop = run();

  async function run(): Promise<void> {
    let troubleMs = 0;
    while (!stopping.signal.aborted) {
      let taken = 0;
      try {
        // Each round of a relay does these in turn.
        taken = await relayDue(deps);
        await letGoDue(deps.pool, await deps.clock.ledgerNow());
        troubleMs = 0;
      } catch (error) {
        troubleMs = Math.min(Math.max(troubleMs * 2, POLL_MS), TROUBLE_WAIT_MAX_MS);
        deps.log.warn({ err: error, waitMs: troubleMs }, 'relay.waiting');
      }
      if (taken < BATCH) await nudges.within(Math.max(POLL_MS, troubleMs), stopping.signal);
    }
  }

  return {
    async stop() {
      stopping.abort();
      await loop;
      await nudges.close();
    },
  };
}

/**
 * One batch; answers how many rows were taken. A row that fails stays and comes due again: it goes only once all that it
 * stands for is done, and each part of that is safe to repeat.
 */
export async function relayDue(deps: RelayDeps): Promise<number> {
  const rows = await takeDue(deps.pool, BATCH, HOLD_MS, await deps.clock.ledgerNow());
  if (rows.length > 0) deps.reached?.('relay.taken');
  const limit = pLimit(AT_ONCE);
  const starts = pLimit(AT_ONCE);
  const done: number[] = [];
  const fannedOut: number[] = [];
  await Promise.all(
    rows.map((row) =>
      limit(async () => {
        try {
          if ((await relayOne(deps, row, starts)) && row.kind === 'event') fannedOut.push(row.event_id);
          done.push(row.id);
        } catch (error) {
          deps.log.warn({ err: error, outbox: row.id, kind: row.kind, tries: row.tries }, 'relay.failed');
        }
      }),
    ),
  );
  await markStarted(deps.pool, fannedOut, await deps.clock.ledgerNow());
  if (done.length > 0) deps.reached?.('relay.started');
  await markRelayed(deps.pool, done);
  return rows.length;
}

/** Relays one row now, whoever holds it; false where it is gone. A second relay of it is harmless. */
export async function relayRow(deps: RelayDeps, id: number): Promise<boolean> {
  const row = await outboxRow(deps.pool, id);
  if (!row) return false;
  if ((await relayOne(deps, row, pLimit(AT_ONCE))) && row.kind === 'event')
    await markStarted(deps.pool, [row.event_id], await deps.clock.ledgerNow());
  await markRelayed(deps.pool, [id]);
  return true;
}

/** True where the row was an event's and its obligations all have their workflows now. */
async function relayOne(deps: RelayDeps, row: OutboxRow, starts: LimitFunction): Promise<boolean> {
  if (row.kind === 'event') return fanOut(deps, row, starts);
  const start = await startRow(deps.pool, row.key);
  if (start) await nudgeObligation(deps.starter, start, row.message);
  else deps.log.error({ key: row.key }, 'relay.record_lost');
  return false;
}
