/**
 * A subscriber's endpoint for Waybill, whole, with nothing but Node: verifies each request over its raw bytes, acts on
 * each `webhook-id` once, and acknowledges fast. Copy it and put your own effect where `act` is called.
 *
 *   node receiver.js --cert cert.pem --key key.pem --secret-file secret [--port 8443] [--journal FILE]
 *
 * The secret file holds one `whsec_...` a line: while a secret is being replaced, the old and the new one. What the
 * headers and the answers mean: docs/subscriber-protocol.md.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

/** A request that is further off than this, either way, is taken for a recorded one that somebody sends again. */
const TOLERANCE_SECONDS = 300;
/** Longer than a sender keeps an idle connection, so that it never meets one that is just closing. */
const KEEP_ALIVE_MS = 60_000;

export type Signature = 'valid' | 'invalid' | 'old';

/**
 * Judges a request by Standard Webhooks v1. One fitting signature is enough: while a secret is being replaced the
 * request brings two, and the receiver may hold two. `old` has a fitting signature and a timestamp that is too far
 * from `nowSeconds`, past or future.
 */
export function verify(
  secrets: readonly string[],
  headers: IncomingHttpHeaders,
  body: Uint8Array,
  nowSeconds: number,
): Signature {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  const signatures = headers['webhook-signature'];
  if (!id || typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') {
    return 'invalid';
  }
  if (!/^\d{1,15}$/.test(timestamp)) return 'invalid';
  const expected = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    const mac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
    return Buffer.from(`v1,${mac}`);
  });
  // Every pair is compared, each in constant time: how long it takes tells nothing about what would have fitted.
  let fits = false;
  for (const given of signatures.split(' ').map((text) => Buffer.from(text))) {
    for (const wanted of expected) {
      if (given.length === wanted.length && timingSafeEqual(given, wanted)) fits = true;
    }
  }
  if (!fits) return 'invalid';
  return Math.abs(nowSeconds - Number(timestamp)) > TOLERANCE_SECONDS ? 'old' : 'valid';
}

/** What the receiver writes down of a request, before it answers. */
export interface JournalLine {
  /** The `webhook-id`; empty where there was none. */
  readonly key: string;
  readonly attempt: number | null;
  readonly atMs: number;
  /** Hex; null where the connection broke before the body was whole. */
  readonly bodySha256: string | null;
  readonly bodyBytes: number;
  /** Null where the body was not whole or was too long, so that there was nothing to judge. */
  readonly signature: Signature | null;
  /** This key was acted on before. */
  readonly duplicate: boolean;
  /** A newer version of the same shipment was acted on before. */
  readonly older: boolean;
  /** What was answered; null where the connection was gone. */
  readonly status: number | null;
  readonly answeredAtMs: number | null;
}

export interface ReceiverOptions {
  readonly cert: string;
  readonly key: string;
  readonly secrets: readonly string[];
  /** 0, the default, takes a free one. */
  readonly port?: number;
  readonly host?: string;
  /** Appended to. What it holds at the start is what the receiver remembers. */
  readonly journal?: string;
  /** The answer to a valid request: 204 unless set. Any other than 2xx makes the sender come again. */
  readonly answer?: number;
  readonly delayMs?: number;
  /** Longest body that is read; the sender's limit is 1 MiB unless its operator raised it. */
  readonly maxBytes?: number;
  readonly onRequest?: (line: JournalLine) => void;
}

export interface RunningReceiver {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts it, and resolves once it listens. */
export async function startReceiver(options: ReceiverOptions): Promise<RunningReceiver> {
  const { secrets, answer = 204, delayMs = 0, maxBytes = 1_048_576, host = '127.0.0.1' } = options;
  // In a service these two are a table with the key as its primary key, written in the same transaction as the effect.
  const done = new Set<string>();
  const newest = new Map<string, number>();
  const remember = (key: string): void => {
    const { shipment, version } = partsOf(key);
    done.add(key);
    newest.set(shipment, Math.max(version, newest.get(shipment) ?? -1));
  };
  if (options.journal !== undefined) for (const key of keysActedOn(options.journal)) remember(key);
  const file = options.journal === undefined ? undefined : openSync(options.journal, 'a', 0o600);
  const write = (line: JournalLine): void => {
    if (file !== undefined) writeSync(file, `${JSON.stringify(line)}\n`);
    options.onRequest?.(line);
  };

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const read = await readBody(request, maxBytes);
    const key = one(request.headers, 'webhook-id');
    const attempt = /^\d{1,9}$/.exec(one(request.headers, 'waybill-attempt'));
    const seen = {
      key,
      attempt: attempt && Number(attempt[0]),
      atMs: Date.now(),
      bodySha256: read.whole ? createHash('sha256').update(read.body).digest('hex') : null,
      bodyBytes: read.bytes,
    };
    const signature = read.whole ? verify(secrets, request.headers, read.body, Date.now() / 1000) : null;
    const genuine = signature === 'valid' && request.method === 'POST';
    if (genuine && delayMs > 0) await delay(delayMs);
    const duplicate = genuine && done.has(key);
    const { shipment, version } = partsOf(key);
    const older = genuine && !duplicate && version < (newest.get(shipment) ?? -1);
    const status = read.tooLong ? 413 : request.method !== 'POST' ? 405 : genuine ? answer : 401;
    const gone = read.broken || response.destroyed;
    if (genuine && !gone && status >= 200 && status < 300) {
      if (!duplicate && !older) act(read.body);
      remember(key);
    }
    // On record before it is on the wire: nothing that follows from an answer can look earlier than the answer.
    const answered = gone ? { status: null, answeredAtMs: null } : { status, answeredAtMs: Date.now() };
    write({ ...seen, signature, duplicate, older, ...answered });
    if (gone) return;
    response.writeHead(status, read.tooLong ? { connection: 'close' } : {}).end();
  }

  const server = https.createServer(
    { cert: options.cert, key: options.key, minVersion: 'TLSv1.2', keepAliveTimeout: KEEP_ALIVE_MS },
    (request, response) => {
      receive(request, response).catch((error: unknown) => {
        process.stderr.write(`receiver: ${String(error)}\n`);
        response.destroy();
      });
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port ?? 0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://${host.includes(':') ? `[${host}]` : host}:${port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Here the effect takes place: once for each key, and not for a version that a newer one has overtaken. */
function act(_body: Uint8Array): void {}

/** A key is `shipment:subscriber:version`. It is signed, the headers that repeat its parts are not. */
function partsOf(key: string): { shipment: string; version: number } {
  const at = key.lastIndexOf(':');
  return { shipment: key.slice(0, Math.max(at, 0)), version: Number(key.slice(at + 1)) };
}

function one(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}

interface Read {
  readonly body: Buffer;
  readonly bytes: number;
  readonly whole: boolean;
  readonly tooLong: boolean;
  readonly broken: boolean;
}

async function readBody(request: IncomingMessage, maxBytes: number): Promise<Read> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const read = (tooLong: boolean, broken: boolean): Read => {
    return { body: Buffer.concat(chunks), bytes, whole: !tooLong && !broken, tooLong, broken };
  };
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) return read(true, false);
      chunks.push(chunk);
    }
    return read(false, !request.complete);
  } catch {
    return read(false, true);
  }
}

/** The keys that an earlier run acknowledged. */
function keysActedOn(journal: string): string[] {
  if (!existsSync(journal)) return [];
  const lines = readFileSync(journal, 'utf8').split('\n').slice(0, -1);
  return lines
    .map((line) => JSON.parse(line) as JournalLine)
    .filter(({ signature, status }) => signature === 'valid' && Math.floor((status ?? 0) / 100) === 2)
    .map(({ key }) => key);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values } = parseArgs({
    options: {
      cert: { type: 'string' },
      key: { type: 'string' },
      'secret-file': { type: 'string' },
      port: { type: 'string', default: '0' },
      journal: { type: 'string' },
    },
  });
  const { cert, key, 'secret-file': secretFile, port, journal } = values;
  if (!cert || !key || !secretFile) {
    process.stderr.write(
      'usage: receiver --cert FILE --key FILE --secret-file FILE [--port N] [--journal FILE]\n',
    );
    process.exit(2);
  }
  const running = await startReceiver({
    cert: readFileSync(cert, 'utf8'),
    key: readFileSync(key, 'utf8'),
    secrets: readFileSync(secretFile, 'utf8').split(/\s+/).filter(Boolean),
    port: Number(port),
    ...(journal === undefined ? {} : { journal }),
    onRequest: (line) => void process.stdout.write(`${JSON.stringify(line)}\n`),
  });
  process.stdout.write(`listening on ${running.url}\n`);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void running.close());
}
