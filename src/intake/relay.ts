import type pg from 'pg';
import pLimit from 'p-limit';
import { nudgeObligation, startEvent, type Starter } from './starter.js';
import { startRow } from '../ledger/events.js';
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
 * Carries the outbox to Temporal: fan-outs to start, words for running workflows. Nudged by NOTIFY, polling
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

/** One batch; answers how many rows were taken. A row that fails stays and comes due again. */
export async function relayDue(deps: RelayDeps): Promise<number> {
  const rows = await takeDue(deps.pool, BATCH, HOLD_MS, await deps.clock.ledgerNow());
  if (rows.length > 0) deps.reached?.('relay.taken');
  const limit = pLimit(AT_ONCE);
  const done: number[] = [];
  await Promise.all(
    rows.map((row) =>
      limit(async () => {
        try {
          await relayOne(deps, row);
          done.push(row.id);
        } catch (error) {
          deps.log.warn({ err: error, outbox: row.id, kind: row.kind, tries: row.tries }, 'relay.failed');
        }
      }),
    ),
  );
  if (done.length > 0) deps.reached?.('relay.started');
  await markRelayed(deps.pool, done);
  return rows.length;
}

/** Relays one row now, whoever holds it; false where it is gone. A second relay of it is harmless. */
export async function relayRow(deps: RelayDeps, id: number): Promise<boolean> {
  const row = await outboxRow(deps.pool, id);
  if (!row) return false;
  await relayOne(deps, row);
  await markRelayed(deps.pool, [id]);
  return true;
}

async function relayOne(deps: RelayDeps, row: OutboxRow): Promise<void> {
  if (row.kind === 'event') {
    await startEvent(deps.starter, {
      eventId: row.event_id,
      account: row.account,
      shipment: row.shipment,
      version: row.version,
    });
    return;
  }
  const start = await startRow(deps.pool, row.key);
  if (start) await nudgeObligation(deps.starter, start, row.message);
  else deps.log.error({ key: row.key }, 'relay.record_lost');
}
