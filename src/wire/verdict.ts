import type { IncomingMessage } from 'node:http';
import type { ErrorClass, Outcome } from '../contract.js';
import { classify } from '../policy/classify.js';
import { ProxyFault } from './egress-proxy.js';
import { causeOf } from './fault-code.js';
import { AddressRefused, NameUnresolved } from './resolve.js';
import { tlsFault } from './tls-fault.js';

/** What came of one send. */
export interface Verdict {
  outcome: Outcome;
  class: ErrorClass;
  /** Of the head, where one was read. */
  status?: number;
  /** Short and safe: our own words, never a path, a query, a header's value or bytes of a body. */
  error?: string;
  /** The raw `Retry-After`, at most 100 characters, printable ASCII. */
  retryAfter?: string;
  /** Where a redirect points to: the origin, and `/…` where there is more. None where that is too long to be one. */
  location?: string;
  /** `maybe`: the receiver may hold the whole request. `no`: it certainly doesn't. */
  sent: 'no' | 'maybe';
  /** The first bytes of the answer's body, as they came over the wire, at most 4 KiB. */
  excerpt?: Uint8Array;
  /** The answer's `Content-Encoding`, where it isn't plain: nothing is decompressed. */
  excerptEncoding?: string;
  /** Bytes of the body that were read, at most 128 KiB. */
  responseBytes: number;
  /** The IP address that was dialled. */
  address?: string;
  tookMs: number;
}

/** A verdict but for what only the exchange knows. */
export type Judgement = Omit<Verdict, 'responseBytes' | 'address' | 'tookMs' | 'excerpt'>;

/** How far an exchange has come; the words are those of its error texts. */
export type Stage =
  | 'waiting in line to resolve the name'
  | 'resolving the name'
  | 'connecting'
  | 'connecting to the egress proxy'
  | 'waiting for the egress proxy'
  | "reading the egress proxy's answer"
  | 'shaking hands (TLS)'
  | 'sending'
  | 'waiting for the answer';

/** Why we ended an exchange ourselves. */
export type Cause = 'timeout' | 'lease_over' | 'called_off' | 'shutdown';

const CAUSES: Readonly<Record<Cause, string>> = {
  timeout: 'the deadline passed',
  lease_over: 'the lease ended',
  called_off: 'called off',
  shutdown: 'the worker shut down',
};

/** Of a text that the receiver decides. */
const TEXT_MAX_LENGTH = 100;
/** Longest name there is (RFC 1035 2.3.4, without the trailing dot). */
const HOST_MAX_LENGTH = 253;

/** Nothing was sent since the request itself can't be used. */
export function misconfigured(error: string): Judgement {
  return { outcome: 'blocked', class: 'configuration', sent: 'no', error };
}

/**
 * We ended it. A deadline is the receiver's doing unless it passed in our own line, all else is ours and uses up no try. Where the request may have
 * arrived and will be made again, that is `unknown`; what was called off isn't made again and is `cancelled`.
 */
export function cutShort(cause: Cause, stage: Stage, sent: 'no' | 'maybe'): Judgement {
  const error = `${CAUSES[cause]} while ${stage}`;
  if (cause === 'timeout' && stage === 'waiting in line to resolve the name') return ownFault(error);
  if (cause === 'timeout')
    return { outcome: sent === 'no' ? 'failed' : 'unknown', class: cause, sent, error };
  if (cause !== 'called_off' && sent === 'maybe') return { outcome: 'unknown', class: cause, sent, error };
  return { outcome: 'cancelled', class: cause, sent, error };
}

/**
 * The deadline passed at the operator's proxy: our fault, except where it is silent and reaches others meanwhile; then,
 * and in all other stages, undefined: {@link cutShort} judges.
 */
export function cutShortByProxy(cause: Cause, stage: Stage, reachesOthers: boolean): Judgement | undefined {
  const waiting = stage === 'waiting for the egress proxy';
  const atProxy = stage === 'connecting to the egress proxy' || stage === "reading the egress proxy's answer";
  if (cause !== 'timeout' || !(atProxy || (waiting && !reachesOthers))) return undefined;
  return ownFault(`${CAUSES.timeout} while ${stage}`);
}

function ownFault(error: string): Judgement {
  return { outcome: 'cancelled', class: 'own_fault', sent: 'no', error };
}

/** The connection broke, or never came about, before a head was read. What this host lacks is no fault of the receiver. */
export function brokenOff(
  fault: unknown,
  stage: Stage,
  sent: 'no' | 'maybe',
  namesItsIssuer = false,
): Judgement {
  const outcome = sent === 'no' ? 'failed' : 'unknown';
  if (fault instanceof AddressRefused) {
    return {
      outcome: 'blocked',
      class: 'address_policy',
      sent: 'no',
      error: `${fault.reason}: ${fault.message}`,
    };
  }
  if (fault instanceof ProxyFault) {
    return fault.blames === 'proxy'
      ? ownFault(fault.message)
      : { outcome: 'failed', class: 'network', sent: 'no', error: fault.message };
  }
  const { code, ours } = causeOf(fault);
  if (ours && sent === 'no') return ownFault(`this host has run out of resources while ${stage} (${code})`);
  if (fault instanceof NameUnresolved) return { outcome, class: 'dns', sent, error: fault.message };
  const tls = tlsFault(code, stage === 'shaking hands (TLS)', namesItsIssuer);
  if (tls) return { outcome, class: 'tls', sent, error: tls };
  if (code.startsWith('HPE_')) {
    return { outcome, class: 'protocol', sent, error: `the answer is not valid HTTP (${code})` };
  }
  const begun = stage === 'sending' || stage === 'waiting for the answer';
  const reset = begun && ['ECONNRESET', 'EPIPE', 'ECONNABORTED'].includes(code);
  return {
    outcome,
    class: reset ? 'reset' : 'network',
    sent,
    error: reset
      ? `the connection was closed while ${stage}`
      : `the connection failed while ${stage} (${code})`,
  };
}

/** A head was read: it decides, whatever becomes of the body. */
export function answered(head: IncomingMessage, url: URL): Judgement {
  const status = head.statusCode ?? 0;
  const verdict = classify(status);
  const retryAfter = head.headers['retry-after'];
  const encoding = head.headers['content-encoding'];
  const judgement: Judgement = { ...verdict, status, sent: 'maybe' };
  if (verdict.class === 'redirect') judgement.error = `answered ${status}; redirects are not followed`;
  else if (verdict.outcome !== 'delivered') judgement.error = `answered ${status}`;
  if (retryAfter !== undefined) judgement.retryAfter = printable(retryAfter, TEXT_MAX_LENGTH);
  if (encoding && encoding !== 'identity') judgement.excerptEncoding = printable(encoding, TEXT_MAX_LENGTH);
  const location = verdict.class === 'redirect' ? pointer(head.headers.location, url) : undefined;
  if (location) judgement.location = location;
  return judgement;
}

/** The origin a `Location` leads to; its path and query may hold tokens. */
function pointer(location: string | undefined, base: URL): string | undefined {
  if (location === undefined || !URL.canParse(location, base.href)) return undefined;
  const target = new URL(location, base.href);
  if (target.hostname.length > HOST_MAX_LENGTH || target.protocol.length > TEXT_MAX_LENGTH) return undefined;
  if (target.origin === 'null') return `${target.protocol}…`;
  return target.href === `${target.origin}/` ? target.origin : `${target.origin}/…`;
}

function printable(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replace(/[^\x20-\x7e]/g, '?');
}
