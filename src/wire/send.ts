import type { AllowList } from './allow-list.js';
import { judgeUrl } from './address-guard.js';
import type { Agents, TlsIdentity } from './agent.js';
import { makeAgents } from './agent.js';
import type { EgressProxy } from './egress-proxy.js';
import { exchange } from './exchange.js';
import { headerFault } from './headers.js';
import { faultCode } from './fault-code.js';
import { Lookups, lookupsAtOnce } from './lookups.js';
import type { Resolver } from './resolve.js';
import { systemResolver } from './resolve.js';
import type { Cause, Judgement, Verdict } from './verdict.js';
import { misconfigured } from './verdict.js';

export type { Verdict } from './verdict.js';

/** One request to make. */
export interface WireRequest {
  url: string;
  /** All but what the wire sets itself and what {@link WireRequest.sign} adds. */
  headers: Record<string, string>;
  body: Uint8Array;
  /** What the subscriber gave for the connection itself; none where absent. */
  tls?: TlsIdentity | undefined;
  /** For everything together: name, connection, TLS, head and body. */
  timeoutMs: number;
  /** Drops the socket when it fires. Its reason `'shutdown'` makes the class `shutdown`, all else `called_off`. */
  signal?: AbortSignal;
  /** Monotonic milliseconds (`performance.now()`) at which our lease is over: no byte goes out after it. */
  leaseEndsAtMs?: number;
  /** Headers made right before the first byte, when the connection stands, so that the timestamp is fresh. */
  sign: () => Record<string, string>;
}

/** Points of an exchange that a test may hang on; each is reached at most once, in this order. */
export type Phase = 'connected' | 'body-half' | 'body-sent' | 'head';

/** What {@link send} needs; made by {@link makeWire}. */
export interface WireDeps {
  allow: AllowList;
  lookups: Lookups;
  agents: Agents;
  /** The exchanges that run, each as the function that ends it. */
  running: Set<(cause: Cause) => void>;
  /** `body-half` is reached with a body of 2 bytes or more. */
  onPhase?: (phase: Phase) => void;
}

/** How a wire is set up. */
export interface WireOptions {
  allow: AllowList;
  /** PEM of authorities to trust besides the usual ones. */
  extraCa?: string;
  resolver?: Resolver;
  /** Names that are looked up at once; as many as leave room in node's thread pool when unset. */
  lookupsAtOnce?: number;
  /** Idle keep-alive sockets over all receivers; those in use are bounded by the callers' slots. */
  maxIdleSockets?: number;
  /** After which a keep-alive socket isn't used again, however busy it is; a minute when unset. */
  socketMaxAgeMs?: number;
  /** Through which all requests leave, where there is one. The environment's HTTP_PROXY and the like have no say. */
  proxy?: EgressProxy;
  onPhase?: (phase: Phase) => void;
}

/** The one way out of the house. */
export interface Wire {
  send(request: WireRequest): Promise<Verdict>;
  /** Ends what runs with class `shutdown` and closes all sockets; a later send is `cancelled`. */
  close(): void;
}

/** Sends over pools of its own; see {@link send}. */
export function makeWire(options: WireOptions): Wire {
  const deps: WireDeps = {
    allow: options.allow,
    lookups: new Lookups(
      options.resolver ?? systemResolver,
      options.lookupsAtOnce ?? lookupsAtOnce(process.env),
    ),
    agents: makeAgents({
      extraCa: options.extraCa,
      maxIdleSockets: options.maxIdleSockets ?? 256,
      socketMaxAgeMs: options.socketMaxAgeMs,
      proxy: options.proxy,
    }),
    running: new Set(),
    ...(options.onPhase ? { onPhase: options.onPhase } : {}),
  };
  const closed = new AbortController();
  return {
    send: (request) => send(deps, closed.signal.aborted ? { ...request, signal: closed.signal } : request),
    close() {
      closed.abort('shutdown');
      for (const end of [...deps.running]) end('shutdown');
      deps.agents.destroy();
    },
  };
}

/**
 * Makes one request, at most once, and says truthfully what came of it. Never rejects and never throws: what can't
 * be sent is `blocked`, and a `sign` that throws is `cancelled` as `own_fault`. Until the last part of the body has
 * been given to the socket an ending is `failed` (or `cancelled`), after that `unknown`, and once a head is read
 * its status decides. What the operator's proxy is to blame for, or this host for want of descriptors, memory or free
 * lookups, is `cancelled` as `own_fault`. Redirects aren't followed, nothing is decompressed, nothing is sent again.
 */
export function send(deps: WireDeps, request: WireRequest): Promise<Verdict> {
  const startedAtMs = performance.now();
  const judged = judgeUrl(request.url, deps.allow);
  if (!judged.ok) {
    const unusable = judged.reason === 'url_malformed' || judged.reason === 'url_too_long';
    const error = `${judged.reason}: ${judged.detail}`;
    return unsent(
      unusable ? misconfigured(error) : { outcome: 'blocked', class: 'address_policy', sent: 'no', error },
      startedAtMs,
    );
  }
  const fault = headerFault(request.headers, request.body.byteLength);
  if (fault) return unsent(misconfigured(fault), startedAtMs);
  if (!request.tls) return exchange(deps, request, judged.url, startedAtMs);
  try {
    const agents = { ...deps.agents, https: deps.agents.httpsAs(request.tls) };
    return exchange({ ...deps, agents }, request, judged.url, startedAtMs);
  } catch (error) {
    return unsent(misconfigured(`the stored TLS texts can't be used (${faultCode(error)})`), startedAtMs);
  }
}

function unsent(judgement: Judgement, startedAtMs: number): Promise<Verdict> {
  const tookMs = Math.round(performance.now() - startedAtMs);
  return Promise.resolve({ ...judgement, responseBytes: 0, tookMs });
}
