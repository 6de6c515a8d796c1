import {
  DEFAULT_ACCOUNT,
  EVENT_TYPE,
  KEY_MAX_BYTES,
  SUBSCRIBER_ID_LENGTH,
  obligationKey,
} from '../contract.js';
import { WaybillError, invalid } from '../errors.js';
import { parseInstant } from './instant.js';
import { assertFields, assertLabels, assertText } from './text.js';

/** One version of a shipment's story, as its publisher tells it. */
export interface EventInput {
  /** The tenant; `default` when unset. */
  readonly account?: string;
  readonly shipment: string;
  /** 0 to 2^53-1. Gaps and any order are fine. */
  readonly version: number;
  /** Such as `shipment.delivered`: dot-separated words of `A-Z a-z 0-9 _ -`. */
  readonly type: string;
  /** The exact bytes that subscribers receive. A string is sent as its UTF-8. May be empty. */
  readonly payload: Uint8Array | string;
  /** Sent as published; none is sent when unset. */
  readonly contentType?: string;
  /** Up to 10 pairs, such as `{ merchant: 'm7' }`, that subscribers' filters match by equality. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Times are Dates or ISO 8601 texts with a zone. */
  readonly occurredAt?: Date | string;
  /** No attempt before it. */
  readonly notBefore?: Date | string;
  /** No attempt after it; the subscriber's own validity may end earlier. */
  readonly validUntil?: Date | string;
}

export interface CheckedEvent {
  readonly account: string;
  readonly shipment: string;
  readonly version: number;
  readonly type: string;
  readonly payload: Buffer;
  readonly contentType: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly occurredAt: Date | null;
  readonly notBefore: Date | null;
  readonly validUntil: Date | null;
}

export const DEFAULT_MAX_PAYLOAD_BYTES = 1_048_576;
const EVENT_FIELDS: readonly (keyof EventInput)[] = [
  'account',
  'shipment',
  'version',
  'type',
  'payload',
  'contentType',
  'labels',
  'occurredAt',
  'notBefore',
  'validUntil',
];
const MAX_TYPE_LENGTH = 128;
/** RFC 9110 5.5: visible ASCII, blanks inside; anything else could not be sent as a header. */
const HEADER_TEXT = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;

/**
 * The event, checked and normalised; nothing is stored yet.
 * @throws WaybillError `invalid_field`, `id_too_long`, `payload_too_large`, each naming the field.
 */
export function checkEvent(event: EventInput, maxPayloadBytes = DEFAULT_MAX_PAYLOAD_BYTES): CheckedEvent {
  assertFields('event', event, EVENT_FIELDS);
  const account = event.account ?? DEFAULT_ACCOUNT;
  assertText('account', account, 1, 100);
  assertText('shipment', event.shipment, 1, 255);
  if (!Number.isSafeInteger(event.version) || event.version < 0) {
    throw invalid('version', 'must be a whole number from 0 to 9007199254740991');
  }
  assertText('type', event.type, 1, MAX_TYPE_LENGTH);
  if (!EVENT_TYPE.test(event.type)) throw invalid('type', 'must be words of A-Z a-z 0-9 _ - joined by dots');
  if (event.contentType !== undefined) {
    assertText('contentType', event.contentType, 1, 255);
    if (!HEADER_TEXT.test(event.contentType)) throw invalid('contentType', 'must be printable ASCII');
  }
  const labels = event.labels ?? {};
  assertLabels('labels', labels);
  const keyLength = obligationKey(event.shipment, 'x'.repeat(SUBSCRIBER_ID_LENGTH), event.version).length;
  if (keyLength > KEY_MAX_BYTES) {
    throw new WaybillError(
      'id_too_long',
      `shipment: its obligation keys would have ${keyLength} bytes, the limit is ${KEY_MAX_BYTES}`,
      { field: 'shipment' },
    );
  }
  const times = {
    occurredAt: parseInstant('occurredAt', event.occurredAt),
    notBefore: parseInstant('notBefore', event.notBefore),
    validUntil: parseInstant('validUntil', event.validUntil),
  };
  if (times.validUntil && times.notBefore && times.validUntil <= times.notBefore) {
    throw invalid('validUntil', 'must be later than notBefore');
  }
  return {
    account,
    shipment: event.shipment,
    version: event.version,
    type: event.type,
    payload: payloadBytes(event.payload, maxPayloadBytes),
    contentType: event.contentType ?? null,
    labels,
    ...times,
  };
}

function payloadBytes(payload: Uint8Array | string, maxBytes: number): Buffer {
  if (typeof payload !== 'string' && !(payload instanceof Uint8Array)) {
    throw invalid('payload', 'must be bytes or a string');
  }
  if (typeof payload === 'string' && !payload.isWellFormed()) {
    throw invalid('payload', 'holds a lone surrogate, which has no UTF-8; pass bytes instead');
  }
  const bytes =
    typeof payload === 'string'
      ? Buffer.from(payload, 'utf8')
      : Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
  if (bytes.byteLength > maxBytes) {
    throw new WaybillError(
      'payload_too_large',
      `payload: ${bytes.byteLength} bytes, the limit is ${maxBytes}`,
      {
        field: 'payload',
      },
    );
  }
  return bytes;
}
