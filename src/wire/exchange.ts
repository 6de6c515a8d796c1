import type { ClientRequest, IncomingMessage } from 'node:http';
import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { isIP } from 'node:net';
import type { PeerCertificate } from 'node:tls';
import { TLSSocket } from 'node:tls';
import { bareHost } from './address-guard.js';
import { farEnd, HEAD_MAX_BYTES } from './agent.js';
import { faultCode } from './fault-code.js';
import { guardedLookup } from './resolve.js';
import type { Phase, WireDeps, WireRequest } from './send.js';
import type { Errand } from './tunnel.js';
import type { Cause, Judgement, Stage, Verdict } from './verdict.js';
import { answered, brokenOff, cutShort, cutShortByProxy, misconfigured } from './verdict.js';

/** Bytes of an answer's body that are kept. */
export const EXCERPT_MAX_BYTES = 4 * 1024;
/** Bytes of an answer's body that are read before the socket is dropped; up to here it can be used again. */
export const BODY_READ_MAX_BYTES = 64 * 1024;
/** The body goes to the socket in parts, each after the one before was taken, so that "not all of it" is certain. */
const PART_BYTES = 64 * 1024;
/** Answers of 1xx before the final one; real ones are a handful, a flood only keeps us busy. */
export const INTERIM_MAX = 1_000;
const NO_BYTES = new Uint8Array();
/** Longest delay of a node timer; a longer one would fire at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** One request over one connection, for a URL and headers that were judged; see {@link send} for the verdict. */
export function exchange(
  deps: WireDeps,
  request: WireRequest,
  url: URL,
  startedAtMs: number,
): Promise<Verdict> {
  return new Promise((resolve) => new Exchange(deps, request, url, startedAtMs, resolve).begin());
}

class Exchange {
  readonly #deps: WireDeps;
  #request: WireRequest;
  readonly #url: URL;
  readonly #startedAtMs: number;
  readonly #resolve: (verdict: Verdict) => void;
  /** What ends first, the caller's time or the lease. */
  readonly #endsAtMs: number;
  readonly #endsBy: Cause;

  #req: ClientRequest | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stage: Stage;
  /** The last part of the body was given to the socket: from here on the receiver may hold all of it. */
  #submitted = false;
  /** How many 1xx were read. */
  #interim = 0;
  #namesItsIssuer = false;
  /** Ends what is under way to and at the proxy; only where there is one. */
  #passing: AbortController | undefined;
  /** Whether the proxy that keeps us waiting has opened a tunnel to somebody else since it was asked. */
  #proxyReachesOthers: () => boolean = () => false;
  #head: IncomingMessage | undefined;
  #address: string | undefined;
  #excerpt: Buffer[] = [];
  #excerptBytes = 0;
  #responseBytes = 0;
  #done = false;

  constructor(
    deps: WireDeps,
    request: WireRequest,
    url: URL,
    startedAtMs: number,
    resolve: (verdict: Verdict) => void,
  ) {
    this.#deps = deps;
    this.#request = request;
    this.#url = url;
    this.#startedAtMs = startedAtMs;
    this.#resolve = resolve;
    const leaseEndsAtMs = request.leaseEndsAtMs ?? Infinity;
    this.#endsAtMs = Math.min(startedAtMs + request.timeoutMs, leaseEndsAtMs);
    this.#endsBy = this.#endsAtMs === leaseEndsAtMs ? 'lease_over' : 'timeout';
    this.#stage = isIP(bareHost(url)) ? 'connecting' : 'waiting in line to resolve the name';
  }

  begin(): void {
    const leftMs = this.#endsAtMs - performance.now();
    if (this.#request.signal?.aborted) return this.#calledOff();
    if (!(leftMs > 0)) return this.#cut(this.#endsBy);
    this.#timer = setTimeout(() => this.#cut(this.#endsBy), Math.min(leftMs, TIMER_MAX_MS));
    this.#request.signal?.addEventListener('abort', this.#calledOff, { once: true });
    this.#deps.running.add(this.#cut);
    let req: ClientRequest;
    try {
      req = this.#create();
    } catch (fault) {
      const error = `the request could not be made of its URL and headers (${faultCode(fault)})`;
      return this.#conclude(misconfigured(error));
    }
    this.#req = req;
    // The listeners stay for good: an error that comes after the verdict must still find one.
    req.on('socket', (socket) => this.#onSocket(socket));
    req.on('information', () => this.#onInterim());
    req.on('response', (head) => this.#onHead(head));
    req.on('upgrade', (_head, socket) => {
      socket.destroy();
      this.#onLost(silentFault('HPE_UNEXPECTED_UPGRADE'));
    });
    req.on('error', (fault) => this.#onLost(fault));
    req.on('close', () => this.#onLost(silentFault('ECONNRESET')));
    // The name is asked for while the request is made, and what answers may have ended it already.
    if (this.#done) req.destroy();
  }

  #create(): ClientRequest {
    const { agents, allow, lookups } = this.#deps;
    const host = bareHost(this.#url);
    const secure = this.#url.protocol === 'https:';
    if (isIP(host)) this.#address = host;
    return (secure ? https : http).request(this.#url, {
      method: 'POST',
      agent: secure ? agents.https : agents.http,
      headers: {
        ...this.#request.headers,
        'accept-encoding': 'identity',
        'content-length': this.#request.body.byteLength,
      },
      lookup: guardedLookup(
        allow,
        (name) => lookups.resolve(name, this.#onLookup),
        (address) => {
          this.#address = address;
          this.#stage = 'connecting';
        },
      ),
      maxHeaderSize: HEAD_MAX_BYTES,
      ...(secure ? { servername: isIP(host) ? '' : host } : {}),
      ...(agents.proxied ? { errand: this.#errand() } : {}),
    });
  }

  #errand(): Errand {
    this.#passing = new AbortController();
    return {
      endsAtMs: this.#endsAtMs,
      signal: this.#passing.signal,
      onStage: (stage) => (this.#stage = stage),
      onAsking: (address, reachesOthers) => {
        this.#address = address;
        this.#proxyReachesOthers = reachesOthers;
      },
    };
  }

  readonly #onLookup = (): boolean => {
    if (!this.#done) this.#stage = 'resolving the name';
    return !this.#done;
  };

  #onSocket(socket: Socket): void {
    if (this.#done) return;
    if (this.#req?.reusedSocket) return this.#onConnected(socket);
    const secure = this.#url.protocol === 'https:';
    // Before node looks at the certificate itself and, where it's at fault, forgets it.
    if (secure) socket.prependOnceListener('secure', () => (this.#namesItsIssuer = namesItsIssuer(socket)));
    // A tunnel in plain http stands already. A direct socket that isn't connecting has failed at once.
    else if (this.#deps.agents.proxied && !socket.connecting && !socket.destroyed) {
      return this.#onConnected(socket);
    }
    socket.once('connect', () => {
      this.#address = farEnd(socket);
      this.#stage = 'shaking hands (TLS)';
    });
    socket.once(secure ? 'secureConnect' : 'connect', () => this.#onConnected(socket));
  }

  /** The last moment at which nothing has been sent: deadline and lease are looked at, then it is signed. */
  #onConnected(socket: Socket): void {
    if (this.#done || !this.#req) return;
    this.#address = farEnd(socket);
    this.#stage = 'sending';
    this.#phase('connected');
    if (performance.now() >= this.#endsAtMs) return this.#cut(this.#endsBy);
    try {
      for (const [name, value] of Object.entries(this.#request.sign())) this.#req.setHeader(name, value);
    } catch (fault) {
      const name = fault instanceof Error ? fault.name : typeof fault;
      const error = `the request could not be signed (${name})`;
      return this.#conclude({ outcome: 'cancelled', class: 'own_fault', sent: 'no', error });
    }
    this.#sendFrom(this.#req, 0);
  }

  /**
   * Looks at the time before each part: a process that stood still over its lease goes on here before any timer, and
   * whoever waited may be sending by now.
   */
  #sendFrom(req: ClientRequest, offset: number): void {
    if (performance.now() >= this.#endsAtMs) return this.#cut(this.#endsBy);
    const { body } = this.#request;
    const half = this.#deps.onPhase && offset === 0 && body.byteLength > 1 ? body.byteLength >> 1 : Infinity;
    const part = body.subarray(offset, offset + Math.min(PART_BYTES, half));
    const end = offset + part.byteLength;
    const last = end === body.byteLength;
    const taken = (fault?: Error | null) => {
      if (fault || this.#done || this.#head) return;
      if (offset === 0 && !last) this.#phase('body-half');
      if (last) this.#onSent();
      else this.#sendFrom(req, end);
    };
    this.#submitted = last;
    if (part.byteLength === 0) req.end(taken);
    else req.write(part, taken);
    if (last && part.byteLength > 0) req.end();
  }

  #onSent(): void {
    this.#stage = 'waiting for the answer';
    this.#phase('body-sent');
  }

  #onInterim(): void {
    this.#interim += 1;
    if (this.#interim > INTERIM_MAX) this.#onLost(silentFault('HPE_TOO_MANY_INTERIM'));
  }

  #onHead(head: IncomingMessage): void {
    head.on('error', () => this.#onBodyOver());
    if (this.#done) return void head.destroy();
    this.#head = head;
    this.#phase('head');
    // A 101 that nobody asked for: what comes next on this socket isn't HTTP, whatever node thinks of it.
    if ((head.statusCode ?? 0) < 200) return this.#conclude(answered(head, this.#url));
    head.on('data', (chunk: Buffer) => this.#onData(chunk));
    head.on('end', () => this.#onBodyOver());
    head.on('close', () => this.#onBodyOver());
  }

  #onData(chunk: Buffer): void {
    if (this.#done) return;
    this.#responseBytes += chunk.byteLength;
    const kept = chunk.subarray(0, EXCERPT_MAX_BYTES - this.#excerptBytes);
    if (kept.byteLength > 0) this.#excerpt.push(kept);
    this.#excerptBytes += kept.byteLength;
    if (this.#responseBytes >= BODY_READ_MAX_BYTES) this.#onBodyOver();
  }

  #onBodyOver(): void {
    if (this.#head) this.#conclude(answered(this.#head, this.#url));
  }

  #onLost(fault: unknown): void {
    if (this.#done) return;
    if (this.#head) return this.#onBodyOver();
    const refusedByKernel = fault instanceof Error && 'syscall' in fault && fault.syscall === 'write';
    const handed = this.#submitted && !(refusedByKernel && this.#stage === 'sending');
    const judgement = brokenOff(fault, this.#stage, handed ? 'maybe' : 'no', this.#namesItsIssuer);
    if (this.#interim > 0 && judgement.class === 'reset') {
      judgement.class = 'protocol';
      judgement.error = 'the connection was closed after an interim answer';
    }
    this.#conclude(judgement);
  }

  readonly #calledOff = (): void => {
    this.#cut(this.#request.signal?.reason === 'shutdown' ? 'shutdown' : 'called_off');
  };

  readonly #cut = (cause: Cause): void => {
    if (this.#head) return this.#onBodyOver();
    const byProxy = cutShortByProxy(cause, this.#stage, this.#proxyReachesOthers());
    this.#conclude(byProxy ?? cutShort(cause, this.#stage, this.#submitted ? 'maybe' : 'no'));
  };

  #conclude(judgement: Judgement): void {
    if (this.#done) return;
    this.#done = true;
    clearTimeout(this.#timer);
    this.#request.signal?.removeEventListener('abort', this.#calledOff);
    this.#passing?.abort();
    this.#deps.running.delete(this.#cut);
    // A socket goes back to the pool only after a whole answer to a whole request.
    const whole = this.#head?.complete && this.#stage === 'waiting for the answer';
    if (!whole) this.#req?.destroy();
    const excerpt = Buffer.concat(this.#excerpt);
    // A pooled socket keeps the options it was opened with, and through them this exchange: let go of the bytes.
    this.#excerpt = [];
    this.#request = { ...this.#request, body: NO_BYTES };
    this.#resolve({
      ...judgement,
      responseBytes: this.#responseBytes,
      tookMs: Math.round(performance.now() - this.#startedAtMs),
      ...(excerpt.byteLength > 0 ? { excerpt: new Uint8Array(excerpt) } : {}),
      ...(this.#address === undefined ? {} : { address: this.#address }),
    });
  }

  #phase(phase: Phase): void {
    this.#deps.onPhase?.(phase);
  }
}

/** Whether the endpoint's certificate says where its issuer's is found. */
function namesItsIssuer(socket: Socket): boolean {
  if (!(socket instanceof TLSSocket)) return false;
  const { infoAccess } = socket.getPeerCertificate() as Partial<PeerCertificate>;
  return infoAccess?.['CA Issuers - URI'] !== undefined;
}

/** A fault that node reports by silence. */
function silentFault(code: string): Error {
  return Object.assign(new Error('the connection ended'), { code });
}
