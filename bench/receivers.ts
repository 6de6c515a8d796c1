/**
 * `receivers.ts SETTINGS.json`: the endpoints of a bench, a process of their own. Each port is an origin of its own; every
 * request is answered at once with a short body.
 *
 * A control endpoint on a plain loopback port: `GET /ready`, `GET /ports`, `POST /forget` (count anew), `GET /reached/N`
 * (answers once N keys have come, with {@link Received}) and `GET /times` (key -> epoch ms of its first receipt).
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import type { ServerIdentity } from '../test/support/tls.js';

export interface ReceiverSettings {
  readonly identity: ServerIdentity;
  readonly controlPort: number;
  readonly ports: number;
}

/** What has come since the last `forget`. */
export interface Received {
  readonly requests: number;
  readonly keys: number;
  readonly bodyBytes: number;
  /** Connections opened, that is TLS handshakes. */
  readonly connections: number;
  /** Epoch milliseconds, with fractions. */
  readonly lastAtMs: number;
}

const HOST = '127.0.0.1';
/** Longer than the sender keeps an idle connection. */
const KEEP_ALIVE_MS = 60_000;

const settings = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as ReceiverSettings;
let times = new Map<string, number>();
let received = nothing();
let waiting: { count: number; tell: () => void }[] = [];

function nothing() {
  return { requests: 0, bodyBytes: 0, connections: 0, lastAtMs: 0 };
}

function receive(request: http.IncomingMessage, response: http.ServerResponse): void {
  request.on('data', (chunk: Buffer) => (received.bodyBytes += chunk.byteLength));
  request.on('end', () => {
    const key = String(request.headers['idempotency-key']);
    const atMs = performance.timeOrigin + performance.now();
    received.requests += 1;
    received.lastAtMs = atMs;
    if (!times.has(key)) times.set(key, atMs);
    response.end('ok');
    for (const { count, tell } of waiting) if (times.size >= count) tell();
  });
}

function control(request: http.IncomingMessage, response: http.ServerResponse): void {
  const [, verb, count] = (request.url ?? '').split('/');
  const say = (what: unknown): void => void response.end(JSON.stringify(what));
  const sayReceived = (): void => say({ ...received, keys: times.size } satisfies Received);
  if (verb === 'ports') return say(ports);
  if (verb === 'times') return say(Object.fromEntries(times));
  if (verb === 'forget') {
    times = new Map();
    received = nothing();
  }
  if (verb !== 'reached' || times.size >= Number(count)) return sayReceived();
  const wait = {
    count: Number(count),
    tell: () => {
      waiting = waiting.filter((one) => one !== wait);
      sayReceived();
    },
  };
  waiting.push(wait);
  response.on('close', () => (waiting = waiting.filter((one) => one !== wait)));
}

async function open(): Promise<number> {
  const server = https.createServer({ ...settings.identity, keepAliveTimeout: KEEP_ALIVE_MS }, receive);
  server.on('connection', () => (received.connections += 1));
  server.on('tlsClientError', () => undefined);
  server.listen({ port: 0, host: HOST, backlog: 1_024 });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const ports: number[] = [];
while (ports.length < settings.ports) ports.push(await open());
http.createServer({ requestTimeout: 0 }, control).listen(settings.controlPort, HOST);
