import type { ErrorClass, Outcome } from '../contract.js';

/** What a status says about an attempt. */
export interface StatusVerdict {
  outcome: Outcome;
  class: ErrorClass;
}

/** The 4xx that a later try can mend: RFC 9110 15.5.9 (408), RFC 8470 5.2 (425), RFC 6585 4 (429). */
const TRANSIENT_4XX: ReadonlyMap<number, ErrorClass> = new Map([
  [408, 'request_timeout'],
  [425, 'too_early'],
  [429, 'throttled'],
]);

/**
 * The verdict of a final status code. Of the permanent ones 410 alone says that the whole destination is over (RFC
 * 9110 15.5.11); a 404 may be a deploy. Total over all numbers. Codes without a name of their own follow their
 * class (RFC 9110 15). What is no final HTTP status (1xx, 600 and above, no integer) is `unknown`: the request
 * went out and the answer can't be understood.
 */
export function classify(status: number): StatusVerdict {
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    return { outcome: 'unknown', class: 'protocol' };
  }
  if (status < 300) return { outcome: 'delivered', class: 'success' };
  if (status < 400) return { outcome: 'failed', class: 'redirect' };
  if (status >= 500) return { outcome: 'failed', class: 'server_error' };
  if (status === 410) return { outcome: 'rejected', class: 'gone' };
  const transient = TRANSIENT_4XX.get(status);
  return transient ? { outcome: 'failed', class: transient } : { outcome: 'rejected', class: 'client_error' };
}
