/**
 * `receiver.ts SETTINGS.json`: a process of its own that plays every subscriber's endpoint, by path
 * (`/<role>/<name>`), and writes down what it sees. It knows nothing of Waybill but what stands in the requests
 * and each subscriber's signing secret.
 *
 * A control endpoint on a plain loopback port: `GET /ready`, `POST /secrets` (read the file again),
 * `POST /mend/<name>` (that one behaves from now on).
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import type { ServerIdentity } from '../test/support/tls.js';
import { answerOf } from './answers.js';
import { ROLES, type Role } from './cast.js';
import { openJournal } from './journal.js';

export interface ReceiverSettings {
  readonly port: number;
  readonly identity: ServerIdentity;
  /** Shows a certificate for another name. */
  readonly strangerPort: number;
  readonly strangerIdentity: ServerIdentity;
  readonly controlPort: number;
  readonly journal: string;
  /** `{ "<name>": "whsec_..." }`, written before the first request. */
  readonly secretsFile: string;
}

const HOST = '127.0.0.1';
/** Longer than the sender keeps an idle connection: who closes first is then no matter of luck. */
const KEEP_ALIVE_MS = 60_000;

const settings = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as ReceiverSettings;
const write = openJournal(settings.journal);
const verifiers = new Map<string, Webhook>();
const mended = new Set<string>();
const seen = new Map<string, number>();
let place = 0;

function receive(request: http.IncomingMessage, response: http.ServerResponse): void {
  const begin = (place += 1);
  const headAtMs = Date.now();
  const path = request.url ?? '';
  const key = header(request, 'idempotency-key');
  const attempt = Number.parseInt(header(request, 'waybill-attempt'), 10);
  const hash = createHash('sha256');
  const chunks: Buffer[] = [];
  let bodyBytes = 0;
  let written = false;
  let ended = false;
  const line = { begin, headAtMs, path, key, attempt: Number.isNaN(attempt) ? null : attempt };

  const end = (status: number | null): void => {
    if (ended) return;
    ended = true;
    if (!written) write({ ...line, bodySha256: null, bodyBytes, signature: 'not judged' });
    write({ endOf: begin, end: (place += 1), atMs: Date.now(), status });
  };

  request.on('data', (chunk: Buffer) => {
    bodyBytes += chunk.byteLength;
    hash.update(chunk);
    chunks.push(chunk);
  });
  request.on('end', () => {
    const [, roleName = '', name = ''] = path.split('/');
    const signature = isGenuine(name, request, Buffer.concat(chunks)) ? 'good' : 'bad';
    write({ ...line, bodySha256: hash.digest('hex'), bodyBytes, signature });
    written = true;
    const nth = (seen.get(key) ?? 0) + 1;
    seen.set(key, nth);
    play(
      ROLES.find((role) => role === roleName),
      nth,
      name,
      response,
      end,
    );
  });
  response.on('close', () => end(null));
}

function play(
  role: Role | undefined,
  nth: number,
  name: string,
  response: http.ServerResponse,
  end: (status: number | null) => void,
): void {
  const reply = (status: number, retryAfter?: string): void => {
    if (response.destroyed) return end(null);
    // On record before it is on the wire: nothing that follows from this answer can look earlier than it.
    end(status);
    response.writeHead(status, {
      'content-type': 'text/plain',
      ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
    });
    response.end(`${status}\n`);
  };
  if (!role) return reply(404);
  const answer = answerOf(role, nth, mended.has(name));
  switch (answer.does) {
    case 'hangs':
      return;
    case 'drops':
      response.socket?.destroy();
      return;
    case 'answers':
      if (answer.afterMs === 0) reply(answer.status, answer.retryAfter);
      else setTimeout(() => reply(answer.status, answer.retryAfter), answer.afterMs);
  }
}

function isGenuine(name: string, request: http.IncomingMessage, body: Buffer): boolean {
  const verifier = verifiers.get(name);
  if (!verifier) return false;
  try {
    verifier.verify(
      body,
      {
        'webhook-id': header(request, 'webhook-id'),
        'webhook-timestamp': header(request, 'webhook-timestamp'),
        'webhook-signature': header(request, 'webhook-signature'),
      },
      { jsonParse: false },
    );
    return true;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false;
    throw error;
  }
}

function header(request: http.IncomingMessage, name: string): string {
  const value = request.headers[name];
  return typeof value === 'string' ? value : '';
}

function control(request: http.IncomingMessage, response: http.ServerResponse): void {
  const [, verb, name] = (request.url ?? '').split('/');
  if (request.method === 'POST' && verb === 'secrets') readSecrets();
  else if (request.method === 'POST' && verb === 'mend' && name) mended.add(name);
  else if (!(request.method === 'GET' && verb === 'ready')) response.statusCode = 404;
  response.end();
}

function readSecrets(): void {
  const secrets = JSON.parse(readFileSync(settings.secretsFile, 'utf8')) as Record<string, string>;
  for (const [name, secret] of Object.entries(secrets)) verifiers.set(name, new Webhook(secret));
}

for (const [identity, port] of [
  [settings.identity, settings.port],
  [settings.strangerIdentity, settings.strangerPort],
] as const) {
  const server = https.createServer({ ...identity, keepAliveTimeout: KEEP_ALIVE_MS }, receive);
  server.listen(port, HOST);
}
http.createServer(control).listen(settings.controlPort, HOST);
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(0));
