import type { LookupFunction, Socket } from 'node:net';
import { isIP } from 'node:net';
import type { SecureContext } from 'node:tls';
import { authority, ProxyFault, type EgressProxy } from './egress-proxy.js';
import { faultCode } from './fault-code.js';
import { Openings } from './openings.js';
import { dialProxy, readyEvent, unreachable } from './proxy-dial.js';
import type { Stage } from './verdict.js';

/** Of one name, so that a long answer of a resolver doesn't keep the proxy busy. */
const ADDRESSES_MAX = 8;
/** How long "could not reach" waits for evidence that the proxy reaches others. */
export const EVIDENCE_WAIT_MS = 5_000;
/** Left of the deadline for the verdict itself where evidence is waited for. */
const VERDICT_MS = 20;
/** Of the proxy's answer; as much as of a receiver's. */
const HEAD_MAX_BYTES = 16 * 1024;
const HEAD_END = '\r\n\r\n';
const STATUS_LINE = /^HTTP\/1\.[01] (\d{3})(?: |\r\n)/;
/** With these a proxy says that it couldn't reach the receiver, or is in trouble itself. */
const AMBIGUOUS: ReadonlySet<number> = new Set([502, 503, 504]);

/** What one exchange tells a tunnel, and hears of it. */
export interface Errand {
  /** Monotonic (`performance.now()`). */
  readonly endsAtMs: number;
  /** Fires when the exchange is over: what is under way is dropped. */
  readonly signal: AbortSignal;
  onStage(stage: Stage): void;
  /** The proxy is about to be asked for this address. `reachesOthers`: whether it has opened a tunnel elsewhere since. */
  onAsking(address: string, reachesOthers: () => boolean): void;
}

export interface Destination {
  /** An address that was judged, or a name whose addresses `lookup` judges. */
  readonly host: string;
  readonly port: number;
  readonly lookup: LookupFunction;
}

/** A connection through the proxy to the address. */
export interface Tunnel {
  readonly socket: Socket;
  readonly address: string;
}

/** What came of one CONNECT: a tunnel, or in words that this address couldn't be reached. */
type Answer = { readonly socket: Socket } | { readonly refusal: string };

/** Tunnels through one proxy (CONNECT, RFC 9110 9.3.6); made by one wire, so that what it learns of the proxy is kept. */
export class Tunnels {
  readonly #proxy: EgressProxy;
  readonly #trust: SecureContext;
  readonly #openings = new Openings();

  constructor(proxy: EgressProxy, trust: SecureContext) {
    this.#proxy = proxy;
    this.#trust = trust;
  }

  /**
   * Resolves and judges as without a proxy, then asks for the judged addresses one after the other: for the next one
   * where the proxy can't reach one, or is silent for its share of the time left. The proxy never hears a name.
   * Rejects with what `lookup` says, or with a {@link ProxyFault}. The fault is the receiver's only where the proxy has
   * opened a tunnel to somebody else since it was asked, or does so within 5 s.
   */
  async open(to: Destination, errand: Errand): Promise<Tunnel> {
    const addresses = (await addressesOf(to)).slice(0, ADDRESSES_MAX);
    let refusal = '';
    let askedAtMs = 0;
    for (const [index, address] of addresses.entries()) {
      const left = addresses.length - index;
      const shareMs = left > 1 ? (errand.endsAtMs - performance.now()) / left : undefined;
      const answer = await this.#ask(authority(address, to.port), errand, shareMs, () => {
        askedAtMs = performance.now();
        errand.onAsking(address, () => this.#openings.elsewhere(addresses, askedAtMs));
      });
      if ('socket' in answer) {
        this.#openings.note(address);
        return { ...answer, address };
      }
      refusal = answer.refusal;
    }
    const waitMs = Math.min(EVIDENCE_WAIT_MS, errand.endsAtMs - performance.now() - VERDICT_MS);
    const reachesOthers = await this.#openings.awaitElsewhere(addresses, askedAtMs, waitMs, errand.signal);
    if (reachesOthers) throw new ProxyFault(`${refusal}, and it reaches others`, 'receiver');
    throw new ProxyFault(`${refusal}, and it reaches nobody else either`);
  }

  /** One connection to the proxy and one CONNECT over it. Rejects with a {@link ProxyFault}. */
  #ask(target: string, errand: Errand, shareMs: number | undefined, onAsking: () => void): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (errand.signal.aborted) return reject(new ProxyFault('called off'));
      errand.onStage('connecting to the egress proxy');
      const socket = dialProxy(this.#proxy, this.#trust);
      let asked = false;
      let held = Buffer.alloc(0);
      const settle = (end: () => void, keep = false): void => {
        clearTimeout(timer);
        errand.signal.removeEventListener('abort', onAbort);
        socket
          .off(ready, ask)
          .off('readable', read)
          .off('end', onEnd)
          .off('close', onEnd)
          .off('error', onError);
        // What comes later is seen by whoever holds the socket then; node wants a listener all the same.
        socket.on('error', () => undefined);
        if (!keep) socket.destroy();
        end();
      };
      const refuse = (fault: ProxyFault): void => settle(() => reject(fault));
      const fail = (message: string): void => refuse(new ProxyFault(message));
      const ask = (): void => {
        asked = true;
        onAsking();
        errand.onStage('waiting for the egress proxy');
        socket.write(this.#request(target));
      };
      const read = (): void => {
        for (let chunk = socket.read() as Buffer | null; chunk; chunk = socket.read() as Buffer | null) {
          held = Buffer.concat([held, chunk]);
        }
        if (held.byteLength === 0) return;
        errand.onStage("reading the egress proxy's answer");
        const head = headOf(held);
        if (head === 'partial') return;
        if (typeof head === 'string') return fail(head);
        const { status, bytes } = head;
        if (AMBIGUOUS.has(status)) {
          const refusal = `the egress proxy could not reach the receiver (${status})`;
          return settle(() => resolve({ refusal }));
        }
        if (status < 200 || status > 299) return fail(refusalText(status));
        if (held.byteLength > bytes) return fail('the egress proxy sent bytes of its own into the tunnel');
        settle(() => resolve({ socket }), true);
      };
      const onEnd = (): void => fail('the egress proxy closed the connection before its answer was whole');
      const onError = (fault: Error): void => {
        if (asked) fail(`the connection to the egress proxy failed (${faultCode(fault)})`);
        else refuse(unreachable(fault));
      };
      const onAbort = (): void => fail('called off');
      const onShareOver = (): void => {
        if (!asked) return fail('the egress proxy could not be reached in time');
        if (held.byteLength > 0) return fail('the egress proxy did not finish its answer in time');
        settle(() =>
          resolve({ refusal: 'the egress proxy did not say in time whether it reaches the receiver' }),
        );
      };
      const ready = readyEvent(this.#proxy);
      const timer = shareMs === undefined ? undefined : setTimeout(onShareOver, Math.max(shareMs, 0));
      socket
        .once(ready, ask)
        .on('readable', read)
        .once('end', onEnd)
        .once('close', onEnd)
        .once('error', onError);
      errand.signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  #request(target: string): string {
    const authorization = this.#proxy.authorization();
    const lines = [`CONNECT ${target} HTTP/1.1`, `Host: ${target}`];
    if (authorization !== undefined) lines.push(`Proxy-Authorization: ${authorization}`);
    return lines.join('\r\n') + HEAD_END;
  }
}

function addressesOf({ host, lookup }: Destination): Promise<string[]> {
  if (isIP(host)) return Promise.resolve([host]);
  return new Promise((resolve, reject) => {
    lookup(host, { all: true }, (fault, addresses) => {
      if (fault) reject(fault);
      else resolve(typeof addresses === 'string' ? [addresses] : addresses.map(({ address }) => address));
    });
  });
}

/** The answer's status and how many bytes its head has; `partial` where more must come; else what is wrong with it. */
function headOf(held: Buffer): { status: number; bytes: number } | 'partial' | (string & {}) {
  const end = held.indexOf(HEAD_END);
  const text = held.subarray(0, 64).toString('latin1');
  if (!text.startsWith('HTTP/1.'.slice(0, text.length)))
    return 'the answer of the egress proxy is not valid HTTP';
  if (end > HEAD_MAX_BYTES || (end < 0 && held.byteLength > HEAD_MAX_BYTES)) {
    return `the answer of the egress proxy has a head of more than ${HEAD_MAX_BYTES} bytes`;
  }
  if (end < 0) return 'partial';
  const status = STATUS_LINE.exec(text)?.[1];
  if (status === undefined) return 'the answer of the egress proxy is not valid HTTP';
  return { status: Number(status), bytes: end + HEAD_END.length };
}

function refusalText(status: number): string {
  if (status === 407) return 'the egress proxy does not take our credentials, or wants some (407)';
  if (status === 403) return 'the egress proxy does not permit this connection (403)';
  return `the egress proxy refused to open a tunnel (${status})`;
}
