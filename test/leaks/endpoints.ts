import type { ErrorClass } from '../../src/contract.js';
import type { SubscriberInput } from '../../src/intake/subscriber-input.js';
import { startReceiver, type Received, type Receiver } from '../support/receiver.js';
import { issue, makeAuthority, type Authority } from '../support/tls.js';
import type { Plant } from './planted.js';

/** Receivers for every way in which a delivery can fail. */
export interface Endpoints {
  /** What was received, for a look at where the secrets stand on the wire. */
  readonly requests: () => readonly Received[];
  readonly subscribers: readonly (SubscriberInput & { readonly expect: ErrorClass })[];
  close(): Promise<void>;
}

/** An address that the client may save and the worker may not send to. */
export const FORBIDDEN = '127.9.9.9';

export async function openEndpoints(authority: Authority, plant: Plant): Promise<Endpoints> {
  const tls = await issue(authority, { hosts: ['127.0.0.1', 'localhost'] });
  const stranger = await makeAuthority('Waybill leaks stranger');
  const tail = `/T0/${plant.path}?key=${plant.query}`;
  const main = await startReceiver({
    tls,
    answer: ({ headers }, { response, reset }) => {
      const how = String(headers['x-how']);
      if (how === 'timeout') return;
      if (how === 'reset') return reset();
      // A command changes the headers of one of them later on.
      const status = how === 'crash' ? 200 : Number(how) || 500;
      const pointer = status === 302 ? { location: `https://127.0.0.1:1${tail}` } : {};
      response
        .writeHead(status, { 'x-answer': plant.answer.replace(/ü/g, ''), ...pointer })
        .end(plant.answer);
    },
  });
  const distrusted = await startReceiver({ tls: await issue(stranger, { hosts: ['127.0.0.1'] }) });
  const mutual = await startReceiver({
    tls: { ...tls, ca: plant.clientCa, requestCert: true, rejectUnauthorized: true } as typeof tls,
    answer: (_, { response }) => void response.writeHead(500).end(plant.answer),
  });
  const receivers: Receiver[] = [main, distrusted, mutual];

  const at = (name: string, base: string, expect: ErrorClass, more: Partial<SubscriberInput> = {}) => ({
    name,
    url: base + tail,
    secret: plant.signing,
    headers: { 'x-key': plant.header, 'x-how': name },
    auth: { type: 'bearer', token: plant.bearer } as const,
    policy: { firstRetryMs: 300, ceilingMs: 400, maxTries: 2, timeoutMs: 1_500 },
    expect,
    ...more,
  });
  const here = `https://127.0.0.1:${main.port}`;
  const basic = { auth: { type: 'basic', username: 'client', password: plant.basic } } as const;
  const mtls = { tls: { cert: plant.client.cert, key: plant.client.key } };
  return {
    requests: () => receivers.flatMap((receiver) => receiver.requests),
    subscribers: [
      at('500', here, 'server_error'),
      at('429', here, 'throttled', basic),
      at('410', here, 'gone'),
      at('401', here, 'client_error', basic),
      at('302', here, 'redirect'),
      at('timeout', here, 'timeout'),
      at('reset', here, 'reset'),
      at('crash', here, 'success'),
      at('dns', 'https://no-such-host.invalid', 'dns'),
      at('refused', 'https://127.0.0.1:9', 'network'),
      at('distrusted', `https://127.0.0.1:${distrusted.port}`, 'tls'),
      at('mutual', `https://127.0.0.1:${mutual.port}`, 'server_error', mtls),
      at('forbidden', `https://${FORBIDDEN}:1`, 'address_policy'),
      at('spoilt', here, 'configuration'),
      at('unsealed', here, 'own_fault'),
    ],
    async close() {
      await Promise.all(receivers.map((receiver) => receiver.close()));
    },
  };
}
