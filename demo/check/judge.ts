import type { JournalRequest } from '../journal.js';
import { firstKnownAfter, heldIntervals, terminatedFrom, type Times } from './acts.js';
import type { AttemptFact, LedgerView, ObligationFact } from './ledger.js';

/** What came of laying journal and ledger side by side. Counts of faults, but for the last. */
export interface Judgement {
  /** Made without a recorded reason to; see {@link isExplained}. */
  readonly requestsUnexplained: number;
  readonly sentWhileHeld: number;
  readonly sentAfterTerminate: number;
  /** Beginnings of requests that found their subscriber's cap used up. */
  readonly overConcurrencyCap: number;
  readonly badSignatures: number;
  readonly alteredBodies: number;
  /** Attempts that began and have nothing on record, although no lease runs. */
  readonly attemptsWithoutOutcome: number;
  /** `delivered` on record, yet the receiver never answered that attempt with a 2xx. */
  readonly deliveredUnseen: number;
  /** Keys to which the receiver answered a 2xx, and no attempt of theirs is on record as `delivered`. */
  readonly answersUnrecorded: number;
  /** Most requests open at once, by subscriber. */
  readonly mostOpen: ReadonlyMap<string, number>;
}

/**
 * The receiver's clock counts whole milliseconds and rounds down, the ledger's counts microseconds: what follows
 * an act or an outcome may look earlier than it by up to this.
 */
export const CLOCK_GRAIN_MS = 1;

export function judge(journal: readonly JournalRequest[], ledger: LedgerView, nowMs: number): Judgement {
  const obligations = new Map(ledger.obligations.map((o) => [o.key, o]));
  const attempts = new Map(ledger.attempts.map((a) => [attemptId(a.key, a.attempt), a]));
  const times: Times = { ledger, attemptsByKey: groupBy(ledger.attempts, (a) => a.key) };
  const held = heldIntervals(times);
  const terminated = terminatedFrom(times);
  const open = mostOpen(journal, obligations);

  const whole = journal.filter((r) => r.bodySha256 !== null);
  return {
    requestsUnexplained: countUnexplained(journal, ledger, attempts, obligations),
    sentWhileHeld: journal.filter((r) =>
      (held.get(r.key) ?? []).some(
        ({ fromMs, toMs }) => r.headAtMs > fromMs && r.headAtMs + CLOCK_GRAIN_MS <= toMs,
      ),
    ).length,
    sentAfterTerminate: journal.filter((r) => r.headAtMs > (terminated.get(r.key) ?? Infinity)).length,
    overConcurrencyCap: open.over,
    badSignatures: whole.filter((r) => r.signature !== 'good').length,
    alteredBodies: whole.filter((r) => r.bodySha256 !== obligations.get(r.key)?.digest).length,
    attemptsWithoutOutcome: ledger.attempts.filter((a) => a.outcomes.length === 0 && a.leaseUntilMs < nowMs)
      .length,
    ...contradictions(journal, ledger),
    mostOpen: open.most,
  };
}

function countUnexplained(
  journal: readonly JournalRequest[],
  ledger: LedgerView,
  attempts: ReadonlyMap<string, AttemptFact>,
  obligations: ReadonlyMap<string, ObligationFact>,
): number {
  const redrives = groupBy(
    ledger.acts.filter((a) => a.act === 'redrive' && a.key !== null),
    (a) => a.key ?? '',
  );
  const attemptsByKey = groupBy(ledger.attempts, (a) => a.key);
  let unexplained = 0;
  for (const [key, requests] of groupBy(journal, (r) => r.key)) {
    requests.forEach((request, i) => {
      const own = attempts.get(attemptId(key, request.attempt ?? -1));
      const known = obligations.has(key) && own !== undefined && firstKnownAfter(request, own.startedAtMs);
      const before = requests[i - 1];
      const explained =
        known &&
        (before === undefined ||
          isExplained({
            request,
            before,
            own,
            attempts: attemptsByKey.get(key) ?? [],
            redrivesAtMs: (redrives.get(key) ?? []).map((a) => a.atMs),
          }));
      if (!explained) unexplained += 1;
    });
  }
  return unexplained;
}

interface Repeat {
  readonly request: JournalRequest;
  /** The request for the same key before it. */
  readonly before: JournalRequest;
  readonly own: AttemptFact;
  readonly attempts: readonly AttemptFact[];
  readonly redrivesAtMs: readonly number[];
}

/**
 * A further request for a key has a reason if an operator redrove it since the request before, or if the attempt
 * of the request before was on record as `failed` or `unknown` when this one came, it is another attempt than that
 * one, and no attempt was on record as `delivered` when this one began.
 */
function isExplained({ request, before, own, attempts, redrivesAtMs }: Repeat): boolean {
  const redriven = redrivesAtMs.some((atMs) => atMs >= before.headAtMs && firstKnownAfter(request, atMs));
  if (redriven) return true;
  if (before.attempt === request.attempt) return false;
  const delivered = attempts.some((a) =>
    a.outcomes.some((o) => o.outcome === 'delivered' && o.settledAtMs < own.startedAtMs),
  );
  if (delivered) return false;
  const previous = attempts.find((a) => a.attempt === before.attempt);
  return (previous?.outcomes ?? []).some(
    (o) => (o.outcome === 'failed' || o.outcome === 'unknown') && firstKnownAfter(request, o.settledAtMs),
  );
}

function mostOpen(
  journal: readonly JournalRequest[],
  obligations: ReadonlyMap<string, ObligationFact>,
): { over: number; most: Map<string, number> } {
  const moments = journal
    .flatMap((r) => {
      const begins = { place: r.begin, key: r.key, step: 1 };
      return r.ended ? [begins, { place: r.ended.end, key: r.key, step: -1 }] : [begins];
    })
    .sort((a, b) => a.place - b.place);
  const now = new Map<string, number>();
  const most = new Map<string, number>();
  let over = 0;
  for (const { key, step } of moments) {
    const obligation = obligations.get(key);
    if (!obligation) continue;
    const { subscriberId, cap } = obligation;
    const open = (now.get(subscriberId) ?? 0) + step;
    now.set(subscriberId, open);
    most.set(subscriberId, Math.max(open, most.get(subscriberId) ?? 0));
    if (step > 0 && open > cap) over += 1;
  }
  return { over, most };
}

function contradictions(
  journal: readonly JournalRequest[],
  ledger: LedgerView,
): Pick<Judgement, 'deliveredUnseen' | 'answersUnrecorded'> {
  const answered = journal.filter((r) => isSuccess(r.ended?.status ?? 0));
  const answeredAttempts = new Set(answered.map((r) => attemptId(r.key, r.attempt ?? -1)));
  const recorded = ledger.attempts.filter((a) => a.outcomes.some((o) => o.outcome === 'delivered'));
  const recordedKeys = new Set(recorded.map((a) => a.key));
  return {
    deliveredUnseen: recorded.filter((a) => !answeredAttempts.has(attemptId(a.key, a.attempt))).length,
    answersUnrecorded: new Set(answered.map((r) => r.key).filter((key) => !recordedKeys.has(key))).size,
  };
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;
const attemptId = (key: string, attempt: number): string => `${key}#${attempt}`;

export function groupBy<T>(rows: readonly T[], by: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const group = groups.get(by(row));
    if (group) group.push(row);
    else groups.set(by(row), [row]);
  }
  return groups;
}
