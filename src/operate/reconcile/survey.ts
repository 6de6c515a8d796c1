import type { WorkflowClient } from '@temporalio/client';
import pLimit from 'p-limit';
import { WORKFLOWS, eventWorkflowId, parseObligationKey, type ObligationKey } from '../../contract.js';
import {
  eventsShortOfRows,
  findingOnRecord,
  keysGoneFrom,
  keysWithoutRow,
  openObligations,
  overdueOutbox,
  unfinishedEvents,
  type OpenObligation,
} from '../../ledger/reconcile.js';
import type { Queryable } from '../../ledger/pool.js';
import type { Finding } from './findings.js';
import { truthOf, type WorkflowTruth } from './workflow-truth.js';

export interface SurveyDeps {
  readonly db: Queryable;
  readonly temporal: WorkflowClient;
  readonly taskQueue: string;
  /** How long a mismatch must have stood: what is merely under way is none. */
  readonly graceMs: number;
  /** Rows that are gone are missed by counting, in events published so lately; in all where unset. */
  readonly countWithinMs?: number;
  readonly now: () => Promise<Date | null>;
  /** Told how many things have been looked at so far. */
  readonly onProgress?: (looked: number) => void;
}

const PAGE = 200;
const READS_AT_ONCE = 10;
/** Their obligations are counted in one statement, which has half a minute. */
const EVENTS_AT_ONCE = 500;

/**
 * Looks at everything that should be on its way, in bounded pages, and reads each workflow by its id. It changes
 * nothing. Only what it finds below is a finding; a list of Temporal's is never the reason for one.
 */
export async function* survey(deps: SurveyDeps): AsyncGenerator<Finding> {
  let looked = 0;
  const look = (count: number): void => deps.onProgress?.((looked += count));
  for (const row of await overdueOutbox(deps.db, deps.graceMs, await deps.now(), 10_000)) {
    yield { kind: 'outbox-not-relayed', outboxId: row.id, eventId: row.event_id, key: row.key };
  }
  yield* unfinished(deps, look);
  yield* open(deps, look);
  const named = new Set<string>();
  for await (const finding of recordsMissing(deps, look)) {
    if (named.has(finding.key)) continue;
    named.add(finding.key);
    yield finding;
  }
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

async function* open(deps: SurveyDeps, look: (count: number) => void): AsyncGenerator<Finding> {
  const limit = pLimit(READS_AT_ONCE);
  for (let after = ''; ;) {
    const page = await openObligations(deps.db, deps.graceMs, await deps.now(), after, PAGE);
    const truths = await Promise.all(page.map((row) => limit(() => truthOf(deps.temporal, row.key))));
    for (const [i, row] of page.entries()) {
      const finding = await judge(deps, row, truths[i] as WorkflowTruth);
      if (finding) yield finding;
    }
    look(page.length);
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.key;
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
): AsyncGenerator<RecordMissing> {
  const within = deps.countWithinMs ?? null;
  for (let before: number | null = Number.MAX_SAFE_INTEGER; before !== null;) {
    const { db, graceMs } = deps;
    const page = await eventsShortOfRows(db, graceMs, within, await deps.now(), before, EVENTS_AT_ONCE);
    for (const event of page.events) {
      for (const key of await keysGoneFrom(deps.db, event)) {
        yield { kind: 'record-missing', key, truth: await truthOf(deps.temporal, key) };
      }
    }
    look(page.events.length);
    before = page.lowestId;
  }
  yield* runningWithoutRow(deps, look);
}

async function* runningWithoutRow(
  deps: SurveyDeps,
  look: (count: number) => void,
): AsyncGenerator<RecordMissing> {
  const query = `WorkflowType = '${WORKFLOWS.obligation}' AND TaskQueue = '${deps.taskQueue}' AND ExecutionStatus = 'Running'`;
  let page: string[] = [];
  const lost = async (): Promise<RecordMissing[]> => {
    const missing = await keysWithoutRow(deps.db, page);
    look(page.length);
    page = [];
    const found: RecordMissing[] = [];
    for (const key of missing) {
      if (!parseObligationKey(key)) continue;
      const truth = await truthOf(deps.temporal, key);
      if (truth.state === 'running') found.push({ kind: 'record-missing', key: key as ObligationKey, truth });
    }
    return found;
  };
  for await (const { workflowId } of deps.temporal.list({ query, pageSize: PAGE })) {
    page.push(workflowId);
    if (page.length >= PAGE) yield* await lost();
  }
  yield* await lost();
}
