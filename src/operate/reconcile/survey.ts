import type { WorkflowClient } from '@temporalio/client';
import pLimit from 'p-limit';
import { WORKFLOWS, eventWorkflowId, parseObligationKey, type ObligationKey } from '../../contract.js';
import {
  eventsShortOfRows,
  findingOnRecord,
  keysGoneFrom,
  keysOfOtherRuns,
  keysWithoutRow,
  openObligations,
  overdueOutbox,
  unfinishedEvents,
  type OpenObligation,
} from '../../ledger/reconcile.js';
import type { Queryable } from '../../ledger/pool.js';
import type { Finding } from './findings.js';
import { openList, type Listed } from './listed.js';
import { truthOf, type WorkflowTruth } from './workflow-truth.js';

export interface SurveyDeps {
  readonly db: Queryable;
  readonly temporal: WorkflowClient;
  readonly taskQueue: string;
  /** How long a mismatch must have stood: what is merely under way is none. */
  readonly graceMs: number;
  /** Rows that are gone are missed by counting, in events published so lately; in all where unset. */
  readonly countWithinMs?: number;
  /**
   * Where set, what Temporal lists as running and nothing speaks against is not read by its id, but for so many at random:
   * a read for each of a hundred thousand would keep Temporal from its work. Where unset each one is read.
   */
  readonly readsOfListed?: number;
  /** Called after each page with nothing to mend, with how long it took; the next page waits for it. */
  readonly rest?: (tookMs: number) => Promise<void>;
  readonly now: () => Promise<Date | null>;
  /** Told how many things have been looked at so far. */
  readonly onProgress?: (looked: number) => void;
}

const PAGE = 200;
const READS_AT_ONCE = 10;
/** Their obligations are counted in one statement, which has half a minute. */
const EVENTS_AT_ONCE = 500;

/**
 * Looks at everything that should be on its way, in bounded pages, and reads workflows by their ids. It changes nothing. A
 * list of Temporal's is never the reason for a finding; where `readsOfListed` is set it is one for not looking this time.
 */
export async function* survey(deps: SurveyDeps): AsyncGenerator<Finding> {
  let looked = 0;
  const look = (count: number): void => deps.onProgress?.((looked += count));
  for (const row of await overdueOutbox(deps.db, deps.graceMs, await deps.now(), 10_000)) {
    yield { kind: 'outbox-not-relayed', outboxId: row.id, eventId: row.event_id, key: row.key };
  }
  yield* unfinished(deps, look);
  const { readsOfListed } = deps;
  const listed = readsOfListed === undefined ? undefined : openList(readsOfListed);
  const named = new Set<string>();
  for await (const finding of recordsMissing(deps, look, listed)) {
    if (named.has(finding.key)) continue;
    named.add(finding.key);
    yield finding;
  }
  yield* open(deps, look, listed);
}

async function* unfinished(deps: SurveyDeps, look: (count: number) => void): AsyncGenerator<Finding> {
  for (let after = 0; ;) {
    const page = await unfinishedEvents(deps.db, deps.graceMs, await deps.now(), after, PAGE);
    for (const event of page) {
      const id = eventWorkflowId(event.account, event.shipment, event.version);
      if ((await truthOf(deps.temporal, id)).state === 'running') continue;
      yield { kind: event.matched ? 'event-not-fanned-out' : 'event-not-relayed', event };
    }
    look(page.length);
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.id;
  }
}

async function* open(
  deps: SurveyDeps,
  look: (count: number) => void,
  listed: Listed | undefined,
): AsyncGenerator<Finding> {
  const limit = pLimit(READS_AT_ONCE);
  for (let after = ''; ;) {
    const begunAtMs = performance.now();
    const page = await openObligations(deps.db, deps.graceMs, await deps.now(), after, PAGE);
    const read = page.filter((row) => row.leaseRanOut || listed?.vouchesFor(row.key) !== true);
    const truths = await Promise.all(read.map((row) => limit(() => truthOf(deps.temporal, row.key))));
    let well = true;
    for (const [i, row] of read.entries()) {
      const finding = await judge(deps, row, truths[i] as WorkflowTruth);
      if (!finding) continue;
      well = false;
      yield finding;
    }
    look(page.length);
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.key;
    if (well) await deps.rest?.(performance.now() - begunAtMs);
  }
}

async function judge(
  deps: SurveyDeps,
  row: OpenObligation,
  truth: WorkflowTruth,
): Promise<Finding | undefined> {
  const about = { key: row.key, row, truth };
  switch (truth.state) {
    case 'missing':
      return { kind: 'workflow-missing', ...about };
    case 'terminated':
      return { kind: 'workflow-terminated', ...about };
    case 'cancelled':
      return { kind: 'workflow-cancelled', ...about };
    case 'closed':
      // It may have ended between the page and this read; then the row has, too.
      return (await stillOpen(deps, row)) ? { kind: 'workflow-closed', ...about } : undefined;
    case 'running':
      if (truth.reset && !(await findingOnRecord(deps.db, row.key, 'workflow-reset', truth.runId ?? ''))) {
        return { kind: 'workflow-reset', ...about };
      }
      return row.leaseRanOut ? { kind: 'lease-ran-out', ...about } : undefined;
  }
}

async function stillOpen(deps: SurveyDeps, row: OpenObligation): Promise<boolean> {
  const { rows } = await deps.db.query<{ rev: number }>(
    'SELECT rev FROM waybill.obligations WHERE key = $1',
    [row.key],
  );
  return rows[0]?.rev === row.rev;
}

type RecordMissing = Extract<Finding, { kind: 'record-missing' }>;

/** By counting, which sees what has no workflow either; and by the workflows that run. May name a key twice. */
async function* recordsMissing(
  deps: SurveyDeps,
  look: (count: number) => void,
  listed: Listed | undefined,
): AsyncGenerator<RecordMissing> {
  const within = deps.countWithinMs ?? null;
  for (let before: number | null = Number.MAX_SAFE_INTEGER; before !== null;) {
    const { db, graceMs } = deps;
    const begunAtMs = performance.now();
    const page = await eventsShortOfRows(db, graceMs, within, await deps.now(), before, EVENTS_AT_ONCE);
    for (const event of page.events) {
      for (const key of await keysGoneFrom(deps.db, event)) {
        yield { kind: 'record-missing', key, truth: await truthOf(deps.temporal, key) };
      }
    }
    look(page.events.length);
    before = page.lowestId;
    if (page.events.length === 0) await deps.rest?.(performance.now() - begunAtMs);
  }
  yield* runningWithoutRow(deps, look, listed);
}

/** Goes through what Temporal lists as running, and notes in `listed` what nothing speaks against. */
async function* runningWithoutRow(
  deps: SurveyDeps,
  look: (count: number) => void,
  listed: Listed | undefined,
): AsyncGenerator<RecordMissing> {
  const query = `WorkflowType = '${WORKFLOWS.obligation}' AND TaskQueue = '${deps.taskQueue}' AND ExecutionStatus = 'Running'`;
  let page: { key: string; runId: string }[] = [];
  let begunAtMs = performance.now();
  const lost = async (): Promise<RecordMissing[]> => {
    const missing = await keysWithoutRow(
      deps.db,
      page.map(({ key }) => key),
    );
    if (listed) {
      const others = new Set(await keysOfOtherRuns(deps.db, page));
      for (const { key } of page) if (!others.has(key)) listed.add(key);
    }
    look(page.length);
    page = [];
    const found: RecordMissing[] = [];
    for (const key of missing) {
      if (!parseObligationKey(key)) continue;
      const truth = await truthOf(deps.temporal, key);
      if (truth.state === 'running') found.push({ kind: 'record-missing', key: key as ObligationKey, truth });
    }
    if (found.length === 0) await deps.rest?.(performance.now() - begunAtMs);
    begunAtMs = performance.now();
    return found;
  };
  for await (const { runId, workflowId } of deps.temporal.list({ query, pageSize: PAGE })) {
    page.push({ key: workflowId, runId });
    if (page.length >= PAGE) yield* await lost();
  }
  yield* await lost();
}
