import type { ObligationKey } from '../contract.js';
import type { Go, OrderMark } from '../ledger/claim.js';
import { deliveryHeaders } from '../wire/headers.js';
import { SealBroken, secretContext, urlContext } from '../wire/seal.js';
import type { Verdict, WireRequest } from '../wire/send.js';
import { SecretInvalid, parseSecret, sign } from '../wire/sign.js';
import { StoredBadly, ownHeaders, ownTls } from '../wire/stored.js';
import type { AttemptDeps } from './attempt.js';

/** What a request is made with, and of. */
export type PrepareDeps = Pick<AttemptDeps, 'open' | 'payload' | 'clock' | 'log'>;

export type Prepared = Pick<WireRequest, 'url' | 'headers' | 'body' | 'tls' | 'sign'>;

/**
 * Everything a request needs, or the verdict where there can be none: `blocked` where the payload is gone or a
 * stored text is broken (waiting won't mend it), `own_fault` where a key is missing or a store in trouble.
 */
export async function prepare(
  deps: PrepareDeps,
  key: ObligationKey,
  go: Pick<Go, 'attempt' | 'event' | 'subscriber'> & { readonly orderMark?: OrderMark | null },
): Promise<Prepared | Verdict> {
  const { event, subscriber } = go;
  let body: Uint8Array | null;
  let url: string;
  let secrets: Uint8Array[];
  let own: Record<string, string>;
  let tls: WireRequest['tls'];
  try {
    url = deps.open(subscriber.urlSealed, urlContext(subscriber.id));
    secrets = subscriber.secrets.map((s) => parseSecret(deps.open(s.sealed, secretContext(s.id))));
    own = ownHeaders(subscriber, deps.open);
    tls = ownTls(subscriber, deps.open);
    if (secrets.length === 0)
      return nothingSent('blocked', 'configuration', 'the subscriber has no live secret');
    body = await deps.payload(event);
  } catch (error) {
    if (error instanceof StoredBadly) return nothingSent('blocked', 'configuration', error.message);
    if (error instanceof SealBroken) {
      return nothingSent(
        'blocked',
        'configuration',
        'a stored URL, secret, header or TLS text does not open',
      );
    }
    if (error instanceof SecretInvalid) {
      return nothingSent('blocked', 'configuration', 'a stored secret is not usable');
    }
    const what = error instanceof Error ? error.name : 'error';
    deps.log.error({ key, attempt: go.attempt, err: error }, 'attempt.unprepared');
    return nothingSent('cancelled', 'own_fault', `the request could not be made ready (${what})`);
  }
  if (body === null) return nothingSent('blocked', 'payload_unavailable', 'the payload is gone or changed');

  const bytes = body;
  const startMs = await deps.clock.epochMs();
  const startedAtMs = deps.clock.monotonicMs();
  return {
    url,
    body: bytes,
    tls,
    headers: {
      ...own,
      ...deliveryHeaders({
        key,
        attempt: go.attempt,
        eventType: event.type,
        shipment: event.shipment,
        version: event.version,
        contentType: event.contentType,
        bodyBytes: bytes.byteLength,
        orderMark: go.orderMark,
      }),
    },
    sign: () => {
      const timestampSeconds = Math.floor((startMs + deps.clock.monotonicMs() - startedAtMs) / 1000);
      return {
        'webhook-timestamp': String(timestampSeconds),
        'webhook-signature': sign({ id: key, timestampSeconds, body: bytes, secrets }),
      };
    },
  };
}

/** The verdict on an attempt of which no byte left. */
export function nothingSent(
  outcome: 'blocked' | 'cancelled' | 'shadow',
  cls: Verdict['class'],
  error?: string,
): Verdict {
  return {
    outcome,
    class: cls,
    ...(error === undefined ? {} : { error }),
    sent: 'no',
    responseBytes: 0,
    tookMs: 0,
  };
}
