import { X509Certificate, createHash } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import type net from 'node:net';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';
import type { EgressProxy } from './egress-proxy.js';
import { ProxyFault } from './egress-proxy.js';
import type { Errand } from './tunnel.js';
import { narrowContext, usualContext } from './trust.js';
import { Tunnels } from './tunnel.js';

/** Below the 5 s after which common receivers close an idle socket, so that we seldom meet a closing one. */
const IDLE_MS = 4_000;
/** A busy socket, too, is given up after this long, so that a name that now leads elsewhere is asked for again. */
const SOCKET_MAX_AGE_MS = 60_000;
/** Time for one address before the next is tried as well (RFC 8305); node's 250 ms is short for a far receiver. */
const NEXT_ADDRESS_AFTER_MS = 1_000;
/** All header lines of an answer together; node refuses a longer head as `HPE_HEADER_OVERFLOW`. */
export const HEAD_MAX_BYTES = 16 * 1024;

/** Pools of subscribers with TLS texts of their own that are kept; the one unused for longest goes first. */
const MAX_IDENTITIES = 500;

/** Whom a connection trusts and as whom it is made, where a subscriber has its say in that. All texts are PEM. */
export interface TlsIdentity {
  /** Whose it is: no socket is shared with anybody else's, however alike their texts. */
  owner: string;
  /** The only authorities that may vouch for the receiver; the usual ones where absent. */
  ca?: string | undefined;
  /** Client certificate, its chain after it, and its key: both or neither. */
  cert?: string | undefined;
  key?: string | undefined;
}

/** The connection pools of one wire. */
export interface Agents {
  https: https.Agent;
  /** The pool of this identity alone. Throws where its texts can't be used. */
  httpsAs(identity: TlsIdentity): https.Agent;
  http: http.Agent;
  /** All connections lead through a proxy: each request needs an {@link Errand} among its options. */
  proxied: boolean;
  destroy(): void;
}

export interface AgentOptions {
  /** PEM, trusted besides node's own roots. */
  extraCa?: string | undefined;
  maxIdleSockets: number;
  /** From its first answer on; a minute when unset. */
  socketMaxAgeMs?: number | undefined;
  proxy?: EgressProxy | undefined;
}

/**
 * Keep-alive pools that hold at most `maxIdleSockets` idle sockets together, each for 4 s and none that is older than
 * `socketMaxAgeMs`. A pooled socket goes on to the address that was judged when it was opened. Sockets in use are
 * bounded by the callers' slots: a queue in here would spend a subscriber's deadline on our own waiting.
 *
 * TLS is verified always, whatever the environment says; `extraCa` (PEM) is trusted besides node's own roots. There
 * is no session cache, since a resumed session skips the look at the certificate.
 *
 * With a proxy a connection is a tunnel through it, pooled as any other; TLS inside is between the receiver and us.
 */
export function makeAgents(options: AgentOptions): Agents {
  const shared = {
    keepAlive: true,
    timeout: IDLE_MS,
    scheduling: 'lifo',
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
  } as const;
  const usual = usualContext(options.extraCa);
  const idle = new Set<Duplex>();
  const maxAgeMs = options.socketMaxAgeMs ?? SOCKET_MAX_AGE_MS;
  const tunnels = options.proxy && new Tunnels(options.proxy, usual);
  const makeSecure = (secureContext: tls.SecureContext): https.Agent => {
    const agent = new https.Agent({
      ...shared,
      maxCachedSessions: 0,
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      secureContext,
      checkServerIdentity: serverIdentity,
    });
    boundIdle(agent, idle, options.maxIdleSockets, maxAgeMs);
    if (tunnels) leadThrough(agent, tunnels);
    return agent;
  };
  const secure = makeSecure(usual);
  const plain = new http.Agent(shared);
  boundIdle(plain, idle, options.maxIdleSockets, maxAgeMs);
  if (tunnels) leadThrough(plain, tunnels);
  const identified = new Map<string, https.Agent>();
  return {
    https: secure,
    http: plain,
    proxied: tunnels !== undefined,
    httpsAs({ owner, ca, cert, key }) {
      const name = createHash('sha256')
        .update(JSON.stringify([owner, ca, cert, key]))
        .digest('base64');
      // Of authorities that are none node says nothing; they would pass for a fault of the receiver's certificate.
      if (ca !== undefined && !identified.has(name)) new X509Certificate(ca);
      const own = cert && key ? { cert, key } : undefined;
      const agent =
        identified.get(name) ?? makeSecure(ca ? narrowContext(ca, own) : usualContext(options.extraCa, own));
      identified.delete(name);
      identified.set(name, agent);
      if (identified.size > MAX_IDENTITIES) retireOldest(identified);
      return agent;
    },
    destroy() {
      for (const agent of identified.values()) agent.destroy();
      secure.destroy();
      plain.destroy();
    },
  };
}

const farEnds = new WeakMap<Duplex, string>();

/** The receiver's address at the other end: of a tunnel, not the proxy's but the one the proxy was asked for. */
export function farEnd(socket: net.Socket): string | undefined {
  return farEnds.get(socket) ?? socket.remoteAddress;
}

/** Makes each new connection of the pool one through a tunnel; there is no way around it. */
function leadThrough(agent: http.Agent, tunnels: Tunnels): void {
  const direct = agent.createConnection.bind(agent);
  const secure = agent instanceof https.Agent;
  agent.createConnection = (options: http.ClientRequestArgs & { errand?: Errand }, callback) => {
    const done = callback as (fault: Error | null, socket?: Duplex) => void;
    const connect = async (): Promise<Duplex> => {
      const { errand, host, port, lookup } = options;
      if (!errand || !host || !lookup)
        throw new ProxyFault('the request did not say how it passes the egress proxy');
      const { socket, address } = await tunnels.open({ host, port: Number(port), lookup }, errand);
      try {
        errand.signal.throwIfAborted();
        errand.onStage(secure ? 'shaking hands (TLS)' : 'connecting');
        const connection =
          (secure ? direct({ ...options, socket } as http.ClientRequestArgs) : socket) ?? socket;
        farEnds.set(connection, address);
        return connection;
      } catch (fault) {
        socket.destroy();
        throw fault;
      }
    };
    connect().then(
      (connection) => done(null, connection),
      (fault: Error) => done(fault),
    );
    return undefined;
  };
}

/** What is on the wire ends as it would; nothing waits in the pool any more. */
function retireOldest(pools: Map<string, https.Agent>): void {
  const [oldest] = pools;
  if (!oldest) return;
  const [name, agent] = oldest;
  pools.delete(name);
  agent.keepSocketAlive = () => false;
  for (const socket of Object.values(agent.freeSockets).flatMap((list) => list ?? [])) socket.destroy();
}

/** RFC 9525 2: only subjectAltName counts; node alone would still take a name from the subject's CN. */
function serverIdentity(host: string, certificate: tls.PeerCertificate): Error | undefined {
  if (certificate.subjectaltname) return tls.checkServerIdentity(host, certificate);
  return Object.assign(new Error('certificate without subjectAltName'), {
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
  });
}

/**
 * Bounds the idle sockets over all hosts (node bounds them per host) and their age, and drops an idle socket on which anything
 * arrives: such bytes would be taken for the answer to the next request.
 */
function boundIdle(agent: http.Agent, idle: Set<Duplex>, max: number, maxAgeMs: number): void {
  const keptSince = new WeakMap<Duplex, number>();
  const keep = agent.keepSocketAlive.bind(agent) as unknown as (socket: Duplex) => boolean;
  const reuse = agent.reuseSocket.bind(agent);
  const forget = function (this: Duplex) {
    idle.delete(this);
  };
  const drop = function (this: Duplex) {
    this.destroy();
  };
  agent.keepSocketAlive = (socket): boolean => {
    const nowMs = performance.now();
    const sinceMs = keptSince.get(socket) ?? nowMs;
    if (idle.size >= max || nowMs - sinceMs >= maxAgeMs || !keep(socket)) return false;
    keptSince.set(socket, sinceMs);
    idle.add(socket);
    socket.once('close', forget).once('data', drop);
    return true;
  };
  agent.reuseSocket = (socket, request) => {
    idle.delete(socket);
    socket.off('close', forget).off('data', drop);
    reuse(socket, request);
  };
}
