import { readFileSync } from 'node:fs';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { encodePart } from '../contract.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** What Waybill calls itself on the wire. */
export const USER_AGENT = `waybill/${version}`;

/** What the headers of one attempt are made of. */
export interface DeliveryHeadersInput {
  /** The obligation key: the same over all attempts. */
  key: string;
  /** Counted from 1 over the obligation's life. */
  attempt: number;
  eventType: string;
  shipment: string;
  /** The event's version. */
  version: number;
  /** As published; no header where there was none. */
  contentType?: string | null | undefined;
  bodyBytes: number;
  /** Its place among the shipment's versions, where it is not the plain one. */
  orderMark?: 'gap' | 'out-of-order' | null | undefined;
}

/**
 * The headers of one attempt but for `webhook-timestamp` and `webhook-signature`, which are made when the
 * connection stands (Standard Webhooks; draft-ietf-httpapi-idempotency-key-header). The shipment is
 * percent-encoded as in the key, so that any Unicode id is safe in a header.
 */
export function deliveryHeaders(input: DeliveryHeadersInput): Record<string, string> {
  return {
    'webhook-id': input.key,
    'idempotency-key': input.key,
    'waybill-event-type': input.eventType,
    'waybill-shipment': encodePart(input.shipment),
    'waybill-version': String(input.version),
    'waybill-attempt': String(input.attempt),
    ...(input.orderMark ? { 'waybill-order': input.orderMark } : {}),
    ...(input.contentType ? { 'content-type': input.contentType } : {}),
    'content-length': String(input.bodyBytes),
    'user-agent': USER_AGENT,
  };
}

/** What the wire sets itself, or what would change how a message is framed or routed (RFC 9110 7.6.1). */
const WIRE_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'accept-encoding',
]);

/** Beginnings of names that are ours, or that say what the body is. */
const RESERVED_PREFIXES = ['webhook-', 'waybill-', 'content-', 'proxy-'];
const RESERVED: ReadonlySet<string> = new Set([...WIRE_HEADERS, 'idempotency-key', 'user-agent', 'date']);

/** Whether a header of this lower-case name is not a subscriber's to set. */
export const isReservedHeader = (name: string): boolean =>
  RESERVED.has(name) || RESERVED_PREFIXES.some((prefix) => name.startsWith(prefix));

/** Why a subscriber's own header can't go out, or undefined; like {@link headerFault}, never its value. */
export function ownHeaderFault(name: string, value: unknown): string | undefined {
  if (isReservedHeader(name.toLowerCase()))
    return `the header ${name.toLowerCase().slice(0, 64)} is reserved`;
  return headerFault({ [name]: value }, 0);
}

/**
 * Why these headers can't go out with a body of this length, or undefined. Names the header where its name can be
 * shown, never its value. Looked at before each send, since what is stored may be older than the rules.
 */
export function headerFault(
  headers: Readonly<Record<string, unknown>>,
  bodyBytes: number,
): string | undefined {
  for (const [name, value] of Object.entries(headers)) {
    try {
      validateHeaderName(name);
    } catch {
      return 'a header has an unusable name';
    }
    const lower = name.toLowerCase();
    if (typeof value !== 'string') return `the header ${lower} is not a text`;
    if (WIRE_HEADERS.has(lower)) return `the header ${lower} is not a caller's to set`;
    if (lower === 'content-length' && value !== String(bodyBytes))
      return 'content-length is not that of the body';
    try {
      validateHeaderValue(name, value);
    } catch {
      return `the header ${lower} has an unusable value`;
    }
  }
  return undefined;
}
