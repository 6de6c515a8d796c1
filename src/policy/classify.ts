import type { ErrorClass, Outcome } from '../contract.js';

/** What a status says about an attempt. */
export interface StatusVerdict {
  outcome: Outcome;
  class: ErrorClass;
}

/** The statuses from `from` to `to`, and what they say. */
export interface StatusRow extends StatusVerdict {
  from: number;
  to: number;
}

/**
 * The table that docs/answers.md publishes: of the rows that hold a status the first counts. The 4xx that a later
 * try can mend are RFC 9110 15.5.9 (408), RFC 8470 5.2 (425) and RFC 6585 4 (429); 410 (RFC 9110 15.5.11) alone
 * says that the whole destination is over; a 404 may be a deploy. Codes
 * without a name of their own follow their class (RFC 9110 15).
 */
export const STATUS_TABLE: readonly StatusRow[] = [
  { from: 200, to: 299, outcome: 'delivered', class: 'success' },
  { from: 300, to: 399, outcome: 'failed', class: 'redirect' },
  { from: 408, to: 408, outcome: 'failed', class: 'request_timeout' },
  { from: 410, to: 410, outcome: 'rejected', class: 'gone' },
  { from: 425, to: 425, outcome: 'failed', class: 'too_early' },
  { from: 429, to: 429, outcome: 'failed', class: 'throttled' },
  { from: 400, to: 499, outcome: 'rejected', class: 'client_error' },
  { from: 500, to: 599, outcome: 'failed', class: 'server_error' },
];

/**
 * The verdict of a final status code; total over all numbers. What is no final HTTP status (1xx, 600 and above, no
 * integer) is `unknown`: the request went out and the answer can't be understood.
 */
export function classify(status: number): StatusVerdict {
  const row = Number.isInteger(status)
    ? STATUS_TABLE.find(({ from, to }) => from <= status && status <= to)
    : undefined;
  return row ? { outcome: row.outcome, class: row.class } : { outcome: 'unknown', class: 'protocol' };
}
