import { groupBy, judge } from '../../demo/check/judge.js';
import type { AttemptFact, LedgerView } from '../../demo/check/ledger.js';
import type { JournalRequest } from '../../demo/journal.js';

/** What a round came to. Counts; down to `wrongState` they must be 0. */
export interface Finding {
  readonly account: string;
  /** Owed and not in the ledger, or delivered on record and never answered well by the receiver. */
  readonly lost: number;
  /** Not final, or with a workflow that closed while the ledger is open. */
  readonly stuck: number;
  /** Requests without a reason on record. */
  readonly unexplained: number;
  readonly wrongState: number;
  /** What `wrongState` is made of, where it isn't 0. */
  readonly wrong: Readonly<Record<string, number>>;
  /** Further requests after an attempt that is on record as `unknown`. */
  readonly sentTwice: number;
  /** Further requests for another reason on record: the receiver's refusal, or a redrive. */
  readonly retried: number;
  /** Attempts that the receiver answered well and whose answer was lost with its worker. */
  readonly answeredUnknown: number;
  /** Answer to settle, ms, of each delivery that was answered around the blow. */
  readonly windowsMs: readonly number[];
  readonly requests: number;
  /** Obligations, or where there is none their event, that reconciliation found and mended. */
  readonly reconciled: number;
}

export const OPEN: readonly string[] = ['pending', 'attempting', 'waiting', 'held', 'dead'];
/** An answer this long before the blow, and after it, lies around it. */
const BEFORE_MS = 1_000;
const AFTER_MS = 5_000;
/** What a busy receiver may need to see what was sent in time. */
const LATE_MS = 1_000;

export interface RoundEvidence {
  readonly account: string;
  readonly size: number;
  readonly struckAtMs: number;
  readonly published: number;
  /** In the ledger. */
  readonly events: number;
  /** Request ids of acts that were granted more than once. */
  readonly actsTwice: number;
  readonly reconciled: number;
}

/** Lays journal, ledger and workflows of one round side by side. `workflows`: status by obligation key. */
export function judgeRound(
  round: RoundEvidence,
  journal: readonly JournalRequest[],
  ledger: LedgerView,
  workflows: ReadonlyMap<string, string>,
  nowMs: number,
): Finding {
  const { requestsUnexplained, ...judged } = judge(journal, ledger, nowMs);
  const attempts = new Map(ledger.attempts.map((a) => [idOf(a.key, a.attempt), a]));
  const attemptOf = (r: JournalRequest): AttemptFact | undefined => attempts.get(idOf(r.key, r.attempt));
  const answered = journal.filter((r) => isGood(r.ended?.status));
  const answeredKeys = new Set(answered.map((r) => r.key));
  const unseen = ledger.obligations.filter(
    (o) => o.disposition === 'delivered' && !answeredKeys.has(o.key),
  ).length;
  const isOpen = (key: string): boolean =>
    OPEN.includes(ledger.obligations.find((o) => o.key === key)?.disposition ?? '');
  const repeats = repeatsIn(journal, attemptOf);

  const wrong = {
    eventsTwice: Math.max(0, round.events - round.published),
    obligationsTwice: Math.max(0, ledger.obligations.length - round.size),
    actsTwice: round.actsTwice,
    sentAfterLease: journal.filter((r) => isAfterLease(r, attemptOf(r))).length,
    sentWhileHeld: judged.sentWhileHeld,
    sentAfterTerminate: judged.sentAfterTerminate,
    deliveredUnseen: judged.deliveredUnseen,
    attemptsWithoutOutcome: judged.attemptsWithoutOutcome,
    alteredBodies: judged.alteredBodies,
    badSignatures: judged.badSignatures,
    answersUnrecorded: answered.filter((r) => !isTruthful(attemptOf(r))).length,
    sideBySide: sideBySide(journal, attemptOf),
    notTerminated: notTerminated(ledger),
    deliveredWithoutOutcome: deliveredWithoutOutcome(ledger),
    workflowsOpen: ledger.obligations.filter((o) => {
      const status = workflows.get(o.key);
      return !OPEN.includes(o.disposition) && status !== 'COMPLETED' && status !== 'FAILED';
    }).length,
  };
  const closed = [...workflows].filter(([key, status]) => status !== 'RUNNING' && isOpen(key)).length;
  return {
    account: round.account,
    lost: Math.max(0, round.size - ledger.obligations.length) + unseen,
    stuck: Math.max(closed, ledger.obligations.filter((o) => OPEN.includes(o.disposition)).length),
    unexplained: requestsUnexplained,
    wrongState: Object.values(wrong).reduce((a, b) => a + b),
    wrong: Object.fromEntries(Object.entries(wrong).filter(([, count]) => count > 0)),
    ...repeats,
    answeredUnknown: answered.filter((r) => attemptOf(r)?.outcomes[0]?.outcome === 'unknown').length,
    windowsMs: windowsOf(answered, attemptOf, round.struckAtMs),
    requests: journal.length,
    reconciled: round.reconciled,
  };
}

type AttemptOf = (r: JournalRequest) => AttemptFact | undefined;

/** The ledger knows the answer, or says truthfully that nobody can know. */
const isTruthful = (attempt: AttemptFact | undefined): boolean =>
  attempt?.outcomes.some(({ outcome }) => ['delivered', 'unknown', 'cancelled'].includes(outcome)) ?? false;

function repeatsIn(journal: readonly JournalRequest[], attemptOf: AttemptOf) {
  let sentTwice = 0;
  let retried = 0;
  for (const requests of groupBy(journal, (r) => r.key).values()) {
    for (const before of requests.slice(0, -1)) {
      if (attemptOf(before)?.outcomes[0]?.outcome === 'unknown') sentTwice += 1;
      else retried += 1;
    }
  }
  return { sentTwice, retried };
}

/** Requests that came while another of the same key was open, and before the lease of that other was over. */
function sideBySide(journal: readonly JournalRequest[], attemptOf: AttemptOf): number {
  let found = 0;
  for (const requests of groupBy(journal, (r) => r.key).values()) {
    requests.forEach((request, i) => {
      const crowded = requests
        .slice(0, i)
        .some(
          (other) =>
            (other.ended?.end ?? Infinity) > request.begin &&
            request.headAtMs < (attemptOf(other)?.leaseUntilMs ?? Infinity),
        );
      if (crowded) found += 1;
    });
  }
  return found;
}

/**
 * Its head, or so much of it that it was answered, came when its own lease was over. A wire's deadline is a second before
 * that: what is later has been sent by somebody who stood still in between.
 */
function isAfterLease(request: JournalRequest, attempt: AttemptFact | undefined): boolean {
  const overMs = (attempt?.leaseUntilMs ?? Infinity) + LATE_MS;
  const { ended } = request;
  return request.headAtMs > overMs || ((ended?.status ?? null) !== null && (ended?.atMs ?? 0) > overMs);
}

function notTerminated(ledger: LedgerView): number {
  const asked = new Set(ledger.acts.filter((a) => a.act === 'terminate').map((a) => a.key));
  return ledger.obligations.filter((o) => asked.has(o.key) && o.disposition !== 'terminated').length;
}

function deliveredWithoutOutcome(ledger: LedgerView): number {
  const recorded = new Set(
    ledger.attempts.filter((a) => a.outcomes.some((o) => o.outcome === 'delivered')).map((a) => a.key),
  );
  return ledger.obligations.filter((o) => o.disposition === 'delivered' && !recorded.has(o.key)).length;
}

function windowsOf(answered: readonly JournalRequest[], attemptOf: AttemptOf, struckAtMs: number): number[] {
  return answered.flatMap((r) => {
    const atMs = r.ended?.atMs ?? 0;
    const settled = attemptOf(r)?.outcomes.find((o) => o.outcome === 'delivered');
    if (!settled || atMs < struckAtMs - BEFORE_MS || atMs > struckAtMs + AFTER_MS) return [];
    return [Math.max(0, settled.settledAtMs - atMs)];
  });
}

const isGood = (status: number | null | undefined): boolean => Math.floor((status ?? 0) / 100) === 2;
const idOf = (key: string, attempt: number | null): string => `${key}#${attempt ?? 'none'}`;
