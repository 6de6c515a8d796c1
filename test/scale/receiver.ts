/**
 * `receiver.ts SETTINGS.json`: a process of its own that plays any number of endpoints by path (`/<group>/<name>`) on a few
 * ports, and writes a line when a request begins and one when it ends. It knows nothing of Waybill but what stands in the
 * requests.
 *
 * A control endpoint on a plain loopback port: `GET /ready`; `POST /behave` with {@link Behaviours}, which hold from now on
 * beside those told before; `POST /release` (what hangs is answered 200); `GET /open` (requests that have begun and not
 * ended, by group); `GET /mark/<name>` ({@link Mark}, written into the journal).
 */
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { openJournal } from '../../demo/journal.js';
import type { ServerIdentity } from '../support/tls.js';
import { answerTo, groupOf, type Behaviours } from './behaviour.js';
import type { BeginLine, Mark, ScaleLine } from './journal.js';

export interface ReceiverSettings {
  readonly ports: readonly number[];
  readonly identity: ServerIdentity;
  readonly controlPort: number;
  readonly journal: string;
}

const HOST = '127.0.0.1';
/** Longer than the sender keeps an idle connection: who closes first is then no matter of luck. */
const KEEP_ALIVE_MS = 60_000;
const BACKLOG = 2_048;

const settings = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as ReceiverSettings;
const write = openJournal<ScaleLine>(settings.journal);
const behaviours: Record<string, Behaviours[string]> = {};
const open = new Map<string, number>();
const hanging = new Set<() => void>();
let place = 0;

function receive(request: http.IncomingMessage, response: http.ServerResponse): void {
  const path = request.url ?? '';
  const group = groupOf(path);
  const line: BeginLine = {
    ...{ begin: (place += 1), atMs: Date.now(), path },
    key: header(request, 'idempotency-key') ?? '',
    shipment: header(request, 'waybill-shipment') ?? '',
    version: numberIn(request, 'waybill-version'),
    attempt: numberIn(request, 'waybill-attempt'),
    order: header(request, 'waybill-order'),
  };
  write(line);
  count(group, 1);
  let ended = false;
  const end = (status: number | null): void => {
    if (ended) return;
    ended = true;
    count(group, -1);
    write({ endOf: line.begin, end: (place += 1), atMs: Date.now(), status });
  };
  const reply = (status: number): void => {
    if (response.destroyed) return end(null);
    // On record before it is on the wire: nothing that follows from this answer can look earlier than it.
    end(status);
    response.writeHead(status, { 'content-type': 'text/plain' }).end(`${status}\n`);
  };
  response.on('close', () => end(null));
  request.resume();
  request.on('end', () => {
    const answer = answerTo(behaviours, path, line.key, line.attempt ?? 0);
    if (answer.hangs) hang(response, () => reply(200));
    else if (answer.delayMs === 0) reply(answer.status);
    else setTimeout(() => reply(answer.status), answer.delayMs);
  });
}

function hang(response: http.ServerResponse, release: () => void): void {
  hanging.add(release);
  response.on('close', () => hanging.delete(release));
}

function count(group: string, by: 1 | -1): void {
  open.set(group, (open.get(group) ?? 0) + by);
}

function header(request: http.IncomingMessage, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' ? value : null;
}

function numberIn(request: http.IncomingMessage, name: string): number | null {
  const value = Number.parseInt(header(request, name) ?? '', 10);
  return Number.isNaN(value) ? null : value;
}

async function control(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const [, verb, name = ''] = (request.url ?? '').split('/');
  if (verb === 'behave')
    Object.assign(behaviours, JSON.parse(Buffer.concat(chunks).toString('utf8')) as Behaviours);
  else if (verb === 'release') for (const release of hanging) release();
  else if (verb === 'open') response.write(JSON.stringify(Object.fromEntries(open)));
  else if (verb === 'mark') response.write(JSON.stringify(marked(decodeURIComponent(name))));
  else if (verb !== 'ready') response.statusCode = 404;
  response.end();
}

function marked(name: string): Mark {
  const mark: Mark = { mark: name, place: (place += 1), atMs: Date.now() };
  write(mark);
  return mark;
}

for (const port of settings.ports)
  https
    .createServer({ ...settings.identity, keepAliveTimeout: KEEP_ALIVE_MS }, receive)
    .listen({ port, host: HOST, backlog: BACKLOG });
http.createServer((request, response) => void control(request, response)).listen(settings.controlPort, HOST);
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(0));
