/**
 * A subscriber's endpoint for Waybill, whole, with nothing but Node: verifies each request over its raw bytes, acts on
 * each `webhook-id` once, and acknowledges fast. Copy it and put your own effect where `act` is called.
 *
 *   node receiver.js --cert cert.pem --key key.pem --secret-file secret [--host ADDRESS] [--port 8443] [--journal FILE]
 *
 * It listens on this machine alone unless `--host` is given. The secret file holds one `whsec_...` a line: while a secret is being replaced, the old and the new one. What the
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
 * The keys of `whsec_...` secrets. Throws where there is none, or where one is not the base64 of 24 to 64 bytes: a
 * lenient decoder makes a short or an empty key of it, and then anybody can sign. The message never repeats a secret.
 */
export function keysOf(secrets: readonly string[]): Buffer[] {
  if (secrets.length === 0) throw new Error('there is no secret');
  return secrets.map((secret, i) => {
    const encoded = secret.startsWith('whsec_') ? secret.slice('whsec_'.length) : '';
    const key = Buffer.from(encoded, 'base64');
    if (key.toString('base64') !== encoded || key.length < 24 || key.length > 64) {
      throw new Error(`secret ${i + 1} is not whsec_ and the base64 of 24 to 64 bytes`);
    }
    return key;
  });
}

/**
 * Judges a request by Standard Webhooks v1. One fitting signature is enough: while a secret is being replaced the
 * request brings two, and the receiver may hold two. `old` has a fitting signature and a timestamp that is too far
 * from `nowSeconds`, past or future.
 */
export function verify(
  keys: readonly Uint8Array[],
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
  const expected = keys.map((key) => {
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
  /** Hex; null where the connection broke before the body was whole, or where it was too long. */
  readonly bodySha256: string | null;
  readonly bodyBytes: number;
  /** Null where the body was not whole or was too long, so that there was nothing to judge. */
  readonly signature: Signature | null;
  /** This key was acted on before. */
  readonly duplicate: boolean;
  /** A newer version of the same shipment was acted on before. */
  readonly older: boolean;
  /** What was answered, whether it arrived or not; null where the connection was gone before. */
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
  const { answer = 204, delayMs = 0, maxBytes = 1_048_576, host = '127.0.0.1' } = options;
  const keys = keysOf(options.secrets);
  const memory = new Memory();
  if (options.journal !== undefined) for (const key of keysActedOn(options.journal)) memory.remember(key);
  const file = options.journal === undefined ? undefined : openSync(options.journal, 'a', 0o600);
  const write = (line: JournalLine): void => {
    if (file !== undefined) writeSync(file, `${JSON.stringify(line)}\n`);
    options.onRequest?.(line);
  };

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const read = await readBody(request, maxBytes);
    const key = one(request.headers, 'webhook-id');
    const attempt = /^[1-9]\d{0,8}$/.exec(one(request.headers, 'waybill-attempt'));
    const seen = {
      key,
      attempt: attempt && Number(attempt[0]),
      atMs: Date.now(),
      bodySha256: read.whole ? createHash('sha256').update(read.body).digest('hex') : null,
      bodyBytes: read.bytes,
    };
    const signature = read.whole ? verify(keys, request.headers, read.body, Date.now() / 1000) : null;
    const genuine = signature === 'valid' && request.method === 'POST';
    if (genuine && delayMs > 0) await delay(delayMs);
    const gone = read.broken || response.destroyed;
    const known = genuine ? memory.find(key) : { duplicate: false, older: false };
    let status = read.tooLong ? 413 : request.method !== 'POST' ? 405 : genuine ? answer : 401;
    if (genuine && !gone && status >= 200 && status < 300) {
      if (!(await memory.accept(key, read.body))) status = 503;
    }
    // On record before it is on the wire: nothing that follows from an answer can look earlier than the answer.
    const answered = gone ? { status: null, answeredAtMs: null } : { status, answeredAtMs: Date.now() };
    write({ ...seen, signature, ...known, ...answered });
    if (gone || response.destroyed) return;
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

/**
 * Here the effect takes place: once for each key, and not for a version that a newer one has overtaken. Where it throws
 * or rejects, the request is answered with 503 and comes again. Two versions of a shipment may be in here at once.
 */
function act(_key: string, _body: Uint8Array): void | Promise<void> {}

/** A drill of the sender: four parts, where a delivery's key has three, whatever its shipment is called. */
const DRILL = /^drill:[^:]+:[^:]+:\d+$/;

/**
 * Which keys were acted on, and which are being handled. In a service: a table with the key as its primary key, written
 * in the same transaction as the effect, so that the database lets only one of two requests through.
 */
class Memory {
  readonly #done = new Set<string>();
  readonly #newest = new Map<string, number>();
  readonly #inHand = new Set<string>();

  /** Whether the key was acted on before; or else a newer version of its shipment. */
  find(key: string): { duplicate: boolean; older: boolean } {
    const { shipment, version } = partsOf(key);
    const duplicate = this.#done.has(key);
    return { duplicate, older: !duplicate && version < (this.#newest.get(shipment) ?? -1) };
  }

  remember(key: string): void {
    const { shipment, version } = partsOf(key);
    this.#done.add(key);
    this.#newest.set(shipment, Math.max(version, this.#newest.get(shipment) ?? -1));
  }

  /**
   * Has the effect, where one is due, and remembers the key. False is "not now": `act` failed, or the sender has come
   * again while an earlier request with this key is still being handled.
   */
  async accept(key: string, body: Uint8Array): Promise<boolean> {
    if (this.#inHand.has(key)) return false;
    this.#inHand.add(key);
    try {
      const { duplicate, older } = this.find(key);
      if (!duplicate && !older && !DRILL.test(key)) await act(key, body);
      this.remember(key);
      return true;
    } catch (error) {
      console.error('receiver: act failed:', error);
      return false;
    } finally {
      this.#inHand.delete(key);
    }
  }
}

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

const USAGE =
  'usage: receiver --cert FILE --key FILE --secret-file FILE [--host ADDRESS] [--port N] [--journal FILE]\n';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      cert: { type: 'string' },
      key: { type: 'string' },
      'secret-file': { type: 'string' },
      host: { type: 'string', default: '127.0.0.1' },
      port: { type: 'string', default: '0' },
      journal: { type: 'string' },
    },
  });
  const { cert, key, 'secret-file': secretFile, host, port, journal } = values;
  if (!cert || !key || !secretFile) {
    process.stderr.write(USAGE);
    process.exit(2);
  }
  const running = await startReceiver({
    cert: readFileSync(cert, 'utf8'),
    key: readFileSync(key, 'utf8'),
    secrets: readFileSync(secretFile, 'utf8').split(/\s+/).filter(Boolean),
    host,
    port: Number(port),
    ...(journal === undefined ? {} : { journal }),
    onRequest: (line) => void process.stdout.write(`${JSON.stringify(line)}\n`),
  });
  process.stdout.write(`listening on ${running.url}\n`);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void running.close());
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main().catch((error: unknown) => {
    process.stderr.write(`receiver: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
}
