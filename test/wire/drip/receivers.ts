/**
 * `receivers.ts SETTINGS.json`: the endpoints of the drip proof, a process of their own. Each that drips has a port of its
 * own; the healthy ones share some. By path: `/healthy/...` is answered at once, `/head/...` and `/body/...` get one byte
 * a second, before the end of the head or after it, until somebody closes the connection.
 *
 * A control endpoint on a plain loopback port: `GET /ready`, `GET /ports` ({@link Ports}), `GET /seen` ({@link Seen}, since
 * the last `POST /forget`).
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import type { ServerIdentity } from '../../support/tls.js';
import { watchLateness } from './lateness.js';

export interface ReceiverSettings {
  readonly identity: ServerIdentity;
  readonly controlPort: number;
  readonly drips: number;
}

export interface Ports {
  readonly drips: readonly number[];
  readonly healthy: readonly number[];
}

export interface Seen {
  /** Connections open now, of every kind. */
  readonly sockets: number;
  readonly dripping: number;
  readonly mostDripping: number;
  readonly dripRequests: number;
  /** From the end of a request to the end of its connection, in milliseconds, of each that dripped. */
  readonly heldMs: readonly number[];
  readonly healthyRequests: number;
  /** Answers of healthy endpoints while at least one other dripped. */
  readonly healthyBeside: number;
  /** How late this process's own timers were at most. */
  readonly lateMs: number;
}

const HOST = '127.0.0.1';
const HEALTHY_PORTS = 50;
const EVERY_MS = 1_000;
/** Longer than the sender keeps an idle connection. */
const KEEP_ALIVE_MS = 60_000;

const settings = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as ReceiverSettings;
const lateness = watchLateness();
let sockets = 0;
let dripping = 0;
let seen = nothingSeen();

function nothingSeen() {
  return {
    mostDripping: dripping,
    dripRequests: 0,
    heldMs: [] as number[],
    healthyRequests: 0,
    healthyBeside: 0,
  };
}

function receive(request: http.IncomingMessage, response: http.ServerResponse): void {
  const [, kind = ''] = (request.url ?? '').split('/');
  request.resume();
  request.on('end', () => {
    if (kind === 'head' || kind === 'body') return drip(kind, response);
    seen.healthyRequests += 1;
    if (dripping > 0) seen.healthyBeside += 1;
    response.end('ok');
  });
}

function drip(kind: 'head' | 'body', { socket }: http.ServerResponse): void {
  if (!socket || socket.destroyed) return;
  const sinceMs = performance.now();
  dripping += 1;
  seen.dripRequests += 1;
  seen.mostDripping = Math.max(seen.mostDripping, dripping);
  socket.write(kind === 'head' ? 'HTTP/1.1 200 OK\r\nx: ' : 'HTTP/1.1 200 OK\r\n\r\n');
  const timer = setInterval(() => socket.write('x'), EVERY_MS);
  socket.once('close', () => {
    clearInterval(timer);
    dripping -= 1;
    seen.heldMs.push(Math.round(performance.now() - sinceMs));
  });
}

async function open(): Promise<number> {
  const server = https.createServer({ ...settings.identity, keepAliveTimeout: KEEP_ALIVE_MS }, receive);
  server.on('connection', (socket) => {
    sockets += 1;
    socket.once('close', () => (sockets -= 1)).on('error', () => socket.destroy());
  });
  server.on('tlsClientError', () => undefined);
  server.listen({ port: 0, host: HOST, backlog: 2_048 });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const shown = (): Seen => ({ ...seen, sockets, dripping, lateMs: lateness.lateMs() });

async function openAll(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await open());
  return ports;
}

const ports: Ports = { drips: await openAll(settings.drips), healthy: await openAll(HEALTHY_PORTS) };
http
  .createServer((request, response) => {
    if (request.url === '/forget') {
      seen = nothingSeen();
      lateness.reset();
    }
    response.end(JSON.stringify(request.url === '/ports' ? ports : shown()));
  })
  .listen(settings.controlPort, HOST);
