import { obligationKey } from '../../src/contract.js';
import { deliveryHeaders } from '../../src/wire/headers.js';
import type { Verdict, Wire } from '../../src/wire/send.js';
import { parseSecret, sign } from '../../src/wire/sign.js';

/** A delivery as Waybill makes it, and how it differs from a good one. */
export interface Delivery {
  readonly shipment?: string;
  readonly version?: number;
  /** Instead of the one that shipment and version give. */
  readonly key?: string;
  readonly attempt?: number;
  readonly secrets: readonly string[];
  readonly body?: Uint8Array;
  readonly signedBody?: Uint8Array;
  readonly ageSeconds?: number;
  readonly signature?: string;
  readonly timeoutMs?: number;
}

export const BODY = Buffer.from('{"b": 1,  "a":"é🙂", "c":[1, 2] }\n');

/** Sends it over the very wire that deliveries go over. */
export function deliverTo(wire: Wire, url: string, delivery: Delivery): Promise<Verdict> {
  const { shipment = 'ORDER-42', version = 7, attempt = 1, body = BODY, secrets } = delivery;
  const key = delivery.key ?? obligationKey(shipment, 'sub_aB3dE6gH9jK2mN5pQ8sT', version);
  const [eventType, contentType] = ['shipment.delivered', 'application/json'];
  const timestampSeconds = Math.floor(Date.now() / 1000) - (delivery.ageSeconds ?? 0);
  const signed = { id: key, timestampSeconds, body: delivery.signedBody ?? body };
  return wire.send({
    url,
    body,
    timeoutMs: delivery.timeoutMs ?? 20_000,
    headers: deliveryHeaders({
      ...{ key, attempt, eventType, shipment, version, contentType },
      bodyBytes: body.byteLength,
    }),
    sign: () => ({
      'webhook-timestamp': String(timestampSeconds),
      'webhook-signature': delivery.signature ?? sign({ ...signed, secrets: secrets.map(parseSecret) }),
    }),
  });
}
