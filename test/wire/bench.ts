import { onTestFinished } from 'vitest';
import { parseAllowList } from '../../src/wire/allow-list.js';
import type { Verdict, Wire, WireOptions, WireRequest } from '../../src/wire/send.js';
import { makeWire } from '../../src/wire/send.js';
import type { Receiver, ReceiverOptions } from '../support/receiver.js';
import { startReceiver } from '../support/receiver.js';
import { issue, makeAuthority } from '../support/tls.js';

export const HOST = 'hooks.example.com';
/** The authority every bench trusts, and one certificate of it. */
export const authority = await makeAuthority();
export const identity = await issue(authority, { hosts: [HOST, 'localhost', '127.0.0.1'] });

/** For deadlines that must not be met: long enough for a slow machine. */
export const AMPLE_MS = 20_000;

/** One receiver over real TLS, and a wire for which every name leads to it. */
export interface Bench {
  receiver: Receiver;
  wire: Wire;
  url(path?: string, host?: string): string;
  /** Sends a small body to `hooks.example.com` unless told otherwise. */
  send(over?: Partial<WireRequest>): Promise<Verdict>;
}

/** Starts both; the end of the test stops them. */
export async function startBench(
  receiving: ReceiverOptions = {},
  sending: Partial<WireOptions> = {},
): Promise<Bench> {
  const receiver = await startReceiver({ tls: identity, ...receiving });
  const wire = makeWire({
    allow: parseAllowList('127.0.0.1'),
    extraCa: authority.cert,
    resolver: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
    ...sending,
  });
  onTestFinished(async () => {
    wire.close();
    await receiver.close();
  });
  const url = (path = '/hook', host = HOST): string => `https://${host}:${receiver.port}${path}`;
  return { receiver, wire, url, send: (over = {}) => wire.send({ ...request(url()), ...over }) };
}

export function request(url: string): WireRequest {
  return {
    url,
    headers: { 'webhook-id': 'k', 'content-type': 'application/json' },
    body: new TextEncoder().encode('{"a":1}'),
    timeoutMs: AMPLE_MS,
    sign: () => ({ 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' }),
  };
}
