import type {
  ActFact,
  AttemptFact,
  LedgerView,
  ObligationFact,
  OutcomeFact,
} from '../../demo/check/ledger.js';
import type { JournalRequest } from '../../demo/journal.js';

export const KEY = 'parcel:sub_a:1';
export const DIGEST = 'd1';

export const obligation = (over: Partial<ObligationFact> = {}): ObligationFact => ({
  key: KEY,
  subscriberId: 'sub_a',
  shipment: 'parcel',
  disposition: 'delivered',
  digest: DIGEST,
  cap: 16,
  ...over,
});

/** Attempt `n` from `fromMs`, with a lease of 1,000 ms. */
export const attempt = (n: number, fromMs: number, ...outcomes: OutcomeFact[]): AttemptFact => ({
  key: KEY,
  attempt: n,
  startedAtMs: fromMs,
  leaseUntilMs: fromMs + 1_000,
  outcomes,
});

export const outcome = (word: string, settledAtMs: number, status: number | null = null): OutcomeFact => ({
  outcome: word,
  status,
  settledAtMs,
});

let place = 0;

/** A whole request at `atMs` that is answered at once; `status` null: the connection went away. */
export const request = (
  n: number,
  atMs: number,
  status: number | null = 200,
  over: Partial<JournalRequest> = {},
): JournalRequest => {
  const begin = (place += 1);
  return {
    begin,
    headAtMs: atMs,
    path: '/healthy/healthy-0001',
    key: KEY,
    attempt: n,
    bodySha256: DIGEST,
    bodyBytes: 2,
    signature: 'good',
    ended: { endOf: begin, end: (place += 1), atMs, status },
    ...over,
  };
};

export const act = (word: string, atMs: number, over: Partial<ActFact> = {}): ActFact => ({
  act: word,
  key: KEY,
  subscriberId: 'sub_a',
  atMs,
  ...over,
});

export const ledger = (over: Partial<LedgerView> = {}): LedgerView => ({
  obligations: [obligation()],
  attempts: [],
  acts: [],
  subscribers: 1,
  ...over,
});
