import type { WorkflowClient } from '@temporalio/client';
import {
  FINAL_DISPOSITIONS,
  SIGNALS,
  parseObligationKey,
  type Disposition,
  type ObligationKey,
} from '../../contract.js';
import { relayRow, type RelayDeps } from '../../intake/relay.js';
import { startEvent, startObligation, type Starter } from '../../intake/starter.js';
import { actOnObligation, lookAt } from '../../ledger/acts.js';
import { startRow } from '../../ledger/events.js';
import type { Queryable } from '../../ledger/pool.js';
import { adoptEnd, auditFinding, holdRecordLost, rebuildObligation } from '../../ledger/reconcile.js';
import { subjectOf, type Finding } from './findings.js';
import { attemptsKnownTo, type WorkflowTruth } from './workflow-truth.js';

export interface RepairDeps {
  readonly db: Queryable;
  readonly relay: RelayDeps;
  readonly temporal: WorkflowClient;
  readonly starter: Starter;
  readonly now: () => Promise<Date | null>;
  /** On whose behalf: `system` for the schedule, or the operator who ran it. */
  readonly actor: string;
}

/** Mends one finding, puts what it did on record, and answers it in a few words. Safe to repeat. */
export async function repair(deps: RepairDeps, finding: Finding): Promise<string> {
  const did = await mend(deps, finding);
  const runId = 'truth' in finding ? finding.truth.runId : undefined;
  const { db } = deps;
  await auditFinding(
    db,
    { kind: finding.kind, ...subjectOf(finding), did, runId },
    deps.actor,
    await deps.now(),
  );
  return did;
}

async function mend(deps: RepairDeps, finding: Finding): Promise<string> {
  const { db } = deps;
  switch (finding.kind) {
    case 'outbox-not-relayed':
      return (await relayRow(deps.relay, finding.outboxId)) ? 'relayed' : 'relayed meanwhile';
    case 'event-not-relayed':
    case 'event-not-fanned-out':
      await startEvent(deps.starter, { ...finding.event, eventId: finding.event.id }, 'ALLOW_DUPLICATE');
      return 'fan-out started';
    case 'workflow-missing':
      return startAnew(deps, finding.key, 'REJECT_DUPLICATE');
    case 'workflow-closed':
      return reopenOrAdopt(deps, finding);
    case 'workflow-terminated':
    case 'workflow-cancelled':
      return endAsInTemporal(deps, finding.key, finding.truth);
    case 'workflow-reset':
      return clean(
        `noted: reset by ${finding.truth.by?.identity || 'unknown'}; what is on record isn't sent again`,
        500,
      );
    case 'lease-ran-out':
      await lookAt(db, finding.key, 'reconcile', await deps.now());
      await deps.temporal.getHandle(finding.key).signal(SIGNALS.recheck);
      return 'recorded as unknown, workflow told';
    case 'record-missing':
      return rebuild(deps, finding);
  }
}

async function startAnew(
  deps: RepairDeps,
  key: ObligationKey,
  reuse: 'REJECT_DUPLICATE' | 'ALLOW_DUPLICATE' = 'ALLOW_DUPLICATE',
): Promise<string> {
  const { db } = deps;
  const row = await startRow(db, key);
  if (!row) return 'left: the record is gone';
  return (await startObligation(deps.starter, row, reuse))
    ? 'workflow started'
    : 'workflow was started meanwhile';
}

/**
 * A workflow has ended while the ledger believes that the obligation is open. Where the workflow knows of attempts that
 * the ledger doesn't, the ledger is behind (restored from an older backup): its end is adopted, or, where it had none,
 * the obligation is held, since a send can't be ruled out. Else the ledger is ahead: a new workflow goes on from it.
 */
async function reopenOrAdopt(deps: RepairDeps, finding: Extract<Finding, { row: unknown }>): Promise<string> {
  const { db } = deps;
  const { key, row, truth } = finding;
  if (truth.ended && ADOPTED.has(truth.ended)) {
    return (await adoptEnd(db, key, truth.ended, await deps.now()))
      ? `adopted as ${truth.ended}`
      : 'left: under way';
  }
  if ((await attemptsKnownTo(deps.temporal, key)) > row.attempts) {
    if (truth.ended)
      return (await adoptEnd(db, key, truth.ended, await deps.now()))
        ? `adopted as ${truth.ended}`
        : 'left: under way';
    await holdRecordLost(db, key, await deps.now());
    return `held as record-lost; ${await startAnew(deps, key)}`;
  }
  return startAnew(deps, key);
}

/** Ends that no further attempt could better; of the others the ledger may know a newer truth. */
const ADOPTED: ReadonlySet<Disposition> = new Set(['delivered', 'shadowed', 'terminated', 'removed']);

/** Somebody ended the workflow with Temporal's own tools, which is a person's decision about the obligation. */
async function endAsInTemporal(deps: RepairDeps, key: ObligationKey, truth: WorkflowTruth): Promise<string> {
  const { by, runId, state } = truth;
  const act = {
    verb: 'terminate',
    actor: clean(`temporal:${by?.identity || 'unknown'}`, 200),
    reason: clean(by?.reason || `${state} with Temporal's own tools`, 500),
    requestId: `temporal:${runId ?? ''}`,
  } as const;
  const answer = await actOnObligation(deps.db, null, key, act, 'temporal', await deps.now());
  return answer.ok ? `terminated, as ${act.actor} did in Temporal` : `left: ${answer.code ?? 'refused'}`;
}

/**
 * Writes the row anew from what is left, and brings it together with its workflow. Where there is neither a workflow nor
 * an attempt on record, one attempt that nobody knows of is assumed, so that it is held.
 */
async function rebuild(
  deps: RepairDeps,
  { key, truth }: Extract<Finding, { kind: 'record-missing' }>,
): Promise<string> {
  const { db } = deps;
  const parts = parseObligationKey(key);
  if (!parts) return 'left: no key of ours';
  const known = truth.state === 'missing' ? 1 : await attemptsKnownTo(deps.temporal, key);
  const becomes = await rebuildObligation(db, { ...parts, key }, known, await deps.now());
  if (becomes === null) return 'left: its event or subscriber is gone, too';
  const did = becomes === 'held' ? 'rebuilt and held as record-lost' : `rebuilt as ${becomes}`;
  if (truth.state === 'running') {
    await deps.temporal.getHandle(key).signal(SIGNALS.recheck);
    return did;
  }
  if (isFinal(becomes) || (becomes === 'dead' && truth.state === 'closed')) return did;
  if (truth.state === 'terminated' || truth.state === 'cancelled')
    return `rebuilt; ${await endAsInTemporal(deps, key, truth)}`;
  if (truth.ended && (await adoptEnd(db, key, truth.ended, await deps.now())))
    return `rebuilt, adopted as ${truth.ended}`;
  return `${did}; ${await startAnew(deps, key)}`;
}

const isFinal = (disposition: Disposition): boolean =>
  FINAL_DISPOSITIONS.some((final) => final === disposition);

const clean = (text: string, most: number): string =>
  text
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
    .slice(0, most)
    .toWellFormed();
