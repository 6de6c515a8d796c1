import type { ErrorClass, Outcome } from '../../contract.js';
import type { SeenRequest } from './journal.js';

/** What the ledger says of one obligation. Times are epoch ms by the ledger's clock. */
export interface KeyRecord {
  readonly key: string;
  readonly disposition: string;
  /** SHA-256 of what was published, hex. */
  readonly digest: string;
  readonly attempts: readonly RecordedAttempt[];
  /** Operators' acts that let a request follow: redrives, and the end of a hold. */
  readonly acts: readonly { readonly act: string; readonly atMs: number }[];
}

export interface RecordedAttempt {
  readonly attempt: number;
  readonly startedAtMs: number;
  /** None while it runs; two where a late answer came after `unknown`. */
  readonly outcomes: readonly RecordedOutcome[];
}

export interface RecordedOutcome {
  readonly outcome: Outcome;
  readonly class: ErrorClass;
  readonly status: number | null;
  readonly sent: 'no' | 'maybe';
  readonly settledAtMs: number;
}

/** What laying the two side by side can come to; docs/operating.md says what each means. Worst last. */
export const COMPARE_VERDICTS = [
  'agreed',
  'repeat-explained',
  'under-way',
  'answer-lost',
  'not-seen',
  'answer-differs',
  'repeat-unexplained',
  'body-differs',
  'unrecorded',
] as const;
export type CompareVerdict = (typeof COMPARE_VERDICTS)[number];

/** Nothing on either side accounts for these. */
export const UNEXPLAINED: readonly CompareVerdict[] = [
  'not-seen',
  'answer-differs',
  'repeat-unexplained',
  'body-differs',
  'unrecorded',
];

/** One request that the receiver saw, one attempt that the ledger knows, or, as a rule, both. */
export interface Compared {
  readonly key: string;
  readonly disposition: string | null;
  readonly attempt: number | null;
  readonly seenAt: Date | null;
  readonly body: 'same' | 'differs' | 'broken off' | null;
  /** What the receiver answered. */
  readonly answered: number | null;
  readonly outcome: Outcome | null;
  readonly class: ErrorClass | null;
  readonly status: number | null;
  /** From the receiver's answer to the ledger's record of it; a difference of the two clocks is in it. */
  readonly windowMs: number | null;
  readonly verdict: CompareVerdict;
}

/**
 * Lays the requests of one key beside its record, by attempt. `isExpected` says whether an attempt that began then would
 * have to be in the journal. Explanations are sought by the ledger's clock alone: a receiver's may be minutes off.
 */
export function sideBySide(
  key: string,
  record: KeyRecord | undefined,
  requests: readonly SeenRequest[],
  isExpected: (startedAtMs: number) => boolean,
): Compared[] {
  const attempts = new Map(record?.attempts.map((a) => [a.attempt, a]));
  const seen = [...requests].sort(byAttempt);
  const rows = seen.map((request, i) => {
    const own = request.attempt === null ? undefined : attempts.get(request.attempt);
    const before = seen[i - 1];
    return compared(key, record, request, own, before && { request: before, attempts });
  });
  const seenAttempts = new Set(seen.map((request) => request.attempt));
  for (const own of record?.attempts ?? []) {
    if (seenAttempts.has(own.attempt) || !isExpected(own.startedAtMs)) continue;
    rows.push(unseen(key, record, own));
  }
  return rows.sort(byAttempt);
}

/** One without a number comes last; it explains nothing that follows. */
const byAttempt = (a: { attempt: number | null }, b: { attempt: number | null }): number =>
  (a.attempt ?? Number.MAX_SAFE_INTEGER) - (b.attempt ?? Number.MAX_SAFE_INTEGER);

interface Before {
  readonly request: SeenRequest;
  readonly attempts: ReadonlyMap<number, RecordedAttempt>;
}

function compared(
  key: string,
  record: KeyRecord | undefined,
  request: SeenRequest,
  own: RecordedAttempt | undefined,
  before: Before | undefined,
): Compared {
  const body = bodyOf(record, request);
  const word = own && wordOf(own);
  const heard = word?.status === request.status && request.answeredAtMs !== null ? word : undefined;
  return {
    ...ofLedger(key, record, own),
    attempt: request.attempt,
    seenAt: new Date(request.atMs),
    body,
    answered: request.status,
    windowMs: heard && request.status !== null ? heard.settledAtMs - (request.answeredAtMs ?? 0) : null,
    verdict: verdictOf(record, request, own, before, body),
  };
}

function verdictOf(
  record: KeyRecord | undefined,
  request: SeenRequest,
  own: RecordedAttempt | undefined,
  before: Before | undefined,
  body: Compared['body'],
): CompareVerdict {
  if (!record || !own) return 'unrecorded';
  if (body === 'differs') return 'body-differs';
  const explained = before && isExplained(record, own, before);
  if (explained === false) return 'repeat-unexplained';
  const answer = answerVerdict(request, wordOf(own));
  return answer === 'agreed' && explained ? 'repeat-explained' : answer;
}

/** The receiver's answer against the recorded outcome. */
function answerVerdict(
  { bodySha256, status }: SeenRequest,
  word: RecordedOutcome | undefined,
): CompareVerdict {
  if (!word) return 'under-way';
  // On record as not sent: it can have been seen in part.
  if (word.sent === 'no') return bodySha256 === null && status === null ? 'agreed' : 'answer-differs';
  if (word.status !== null) return word.status === status ? 'agreed' : 'answer-differs';
  return status === null ? 'agreed' : 'answer-lost';
}

function unseen(key: string, record: KeyRecord | undefined, own: RecordedAttempt): Compared {
  const word = wordOf(own);
  // Without an answer on record it may never have arrived; with one, somebody gave it.
  const verdict = !word ? 'under-way' : word.status === null ? 'agreed' : 'not-seen';
  return {
    ...ofLedger(key, record, own),
    ...{ attempt: own.attempt, seenAt: null, body: null, answered: null, windowMs: null, verdict },
  };
}

/**
 * Why a request could follow the one before it: that one's attempt was on record as `failed` or `unknown`, or an
 * operator had spoken, before this one's attempt began, and none was on record as `delivered`.
 */
function isExplained(record: KeyRecord, own: RecordedAttempt, { request, attempts }: Before): boolean {
  if (request.attempt === own.attempt) return false;
  const previous = request.attempt === null ? undefined : attempts.get(request.attempt);
  const since = previous?.startedAtMs ?? -Infinity;
  const acted = (act: string): boolean =>
    record.acts.some((a) => a.act === act && a.atMs > since && a.atMs <= own.startedAtMs);
  if (acted('redrive')) return true;
  // Its record is lost; such a one is held until a person lets it go.
  if (!previous) return acted('resume');
  const before = (o: RecordedOutcome): boolean => o.settledAtMs <= own.startedAtMs;
  if (record.attempts.some((a) => a.outcomes.some((o) => o.outcome === 'delivered' && before(o))))
    return false;
  return previous.outcomes.some((o) => ['failed', 'unknown'].includes(o.outcome) && before(o));
}

function bodyOf(record: KeyRecord | undefined, { bodySha256 }: SeenRequest): Compared['body'] {
  if (bodySha256 === null) return 'broken off';
  if (!record) return null;
  return bodySha256 === record.digest ? 'same' : 'differs';
}

/** The outcome that knows an answer, where two are on record. */
const wordOf = ({ outcomes }: RecordedAttempt): RecordedOutcome | undefined =>
  outcomes.find((o) => o.status !== null) ?? outcomes[0];

function ofLedger(key: string, record: KeyRecord | undefined, own: RecordedAttempt | undefined) {
  const word = own && wordOf(own);
  return {
    key,
    disposition: record?.disposition ?? null,
    outcome: word?.outcome ?? null,
    class: word?.class ?? null,
    status: word?.status ?? null,
  };
}
