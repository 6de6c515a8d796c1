import { readFileSync } from 'node:fs';
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
    ...(input.contentType ? { 'content-type': input.contentType } : {}),
    'content-length': String(input.bodyBytes),
    'user-agent': USER_AGENT,
  };
}
