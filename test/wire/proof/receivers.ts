/**
 * The receivers of the proof, a process of their own so that what they hold is not counted as the sender's. Started
 * with an IPC channel; tells its ports, then answers how many requests and trapped connections it has seen.
 */
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import tls from 'node:tls';
import { issue, makeAuthority } from '../../support/tls.js';
import { certificateCases } from './certificates.js';
import { startProxy, type Asked, type Pass } from '../../support/proxy.js';
import { CONDUCTS, HANDSHAKES, type Conduct, type Line } from './conduct.js';
import { PROXIES } from './proxies.js';

export const HOST = 'hooks.example.com';

/** What the receivers tell once they listen. */
export interface Ready {
  readonly ca: string;
  /** Speaks TLS; `/conduct/N`, `/status/N`, `/answer/BASE64 of head lines`. */
  readonly port: number;
  /** By index of {@link HANDSHAKES}. */
  readonly handshakes: readonly number[];
  readonly certificates: readonly { name: string; expected: string; host: string; port: number }[];
  /** By index of {@link PROXIES}. */
  readonly proxies: readonly number[];
  /** Every local address listens on it, and nothing may ever come. */
  readonly trap: number;
}
export interface Seen {
  readonly requests: number;
  readonly trapped: number;
  /** What the proxies were asked for, oldest first. */
  readonly asked: readonly string[];
}

const DRIP_MS = 50;
let requests = 0;
let trapped = 0;
const asked: Asked[] = [];

function lineOver(socket: Socket, tcp: Socket, nth: number): Line {
  const alive = (): boolean => !socket.destroyed && socket.writable;
  return {
    socket,
    nth,
    write: (bytes) => void socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes),
    end: (bytes) => void (bytes === undefined ? socket.end() : socket.end(bytes)),
    reset: () => void tcp.resetAndDestroy(),
    drip(piece, everyMs = DRIP_MS) {
      const timer = setInterval(() => (alive() ? socket.write(piece) : clearInterval(timer)), everyMs);
      socket.once('close', () => clearInterval(timer));
    },
    flood(piece) {
      const pour = (): void => {
        while (alive()) if (!socket.write(piece)) return void socket.once('drain', pour);
      };
      pour();
    },
  };
}

/** Reads requests and hands each to its conduct; of a large body it reads nothing where the conduct acts early. */
function serve(socket: Socket, tcp: Socket): void {
  let held = Buffer.alloc(0);
  let nth = 0;
  const onData = (chunk: Buffer): void => {
    held = Buffer.concat([held, chunk]);
    for (;;) {
      const end = held.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = held.subarray(0, end).toString('latin1');
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      const conduct = conductFor(/^\S+ (\S+)/.exec(head)?.[1] ?? '');
      if (conduct.early) {
        socket.off('data', onData).pause();
        requests += 1;
        return conduct.act(lineOver(socket, tcp, (nth += 1)));
      }
      if (held.byteLength < end + 4 + length) return;
      held = held.subarray(end + 4 + length);
      requests += 1;
      conduct.act(lineOver(socket, tcp, (nth += 1)));
    }
  };
  socket.on('data', onData);
}

function conductFor(path: string): Pick<Conduct, 'act' | 'early'> {
  const [, what, which = ''] = path.split('/');
  if (what === 'conduct') return CONDUCTS[Number(which)] ?? { act: (line) => line.reset() };
  const lines = Buffer.from(decodeURIComponent(which), 'base64').toString('latin1');
  const head = what === 'answer' ? lines : `HTTP/1.1 ${what === 'status' ? which : '200'} Odd`;
  return { act: (line) => line.write(`${head}\r\ncontent-length: 0\r\n\r\n`) };
}

async function listen(server: Server, port = 0, host = '127.0.0.1'): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}

function tlsServer(options: tls.TlsOptions): Server {
  const tcp = new Map<number | undefined, Socket>();
  const server = tls.createServer(options, (socket) => {
    socket.on('error', () => socket.destroy());
    serve(socket, tcp.get(socket.remotePort) ?? socket);
  });
  server.on('connection', (socket: Socket) => {
    const { remotePort } = socket;
    tcp.set(remotePort, socket);
    socket.on('error', () => socket.destroy()).on('close', () => tcp.delete(remotePort));
  });
  return server.on('tlsClientError', () => undefined);
}

/** On every local address, or on all of IPv4 where there is no IPv6. */
async function setTrap(): Promise<number> {
  const trap = (): Server =>
    createServer((socket) => {
      trapped += 1;
      socket.destroy();
    });
  return listen(trap(), 0, '::').catch(() => listen(trap(), 0, '0.0.0.0'));
}

async function main(): Promise<void> {
  const authority = await makeAuthority();
  const hosts = [HOST, 'xn--bcher-kva.example', '127.0.0.1'];
  const port = await listen(tlsServer(await issue(authority, { hosts })));
  const handshakes = await Promise.all(
    HANDSHAKES.map(({ act }) =>
      listen(
        createServer((socket) => {
          socket.on('error', () => socket.destroy());
          socket.once('data', () => act(lineOver(socket, socket, 1)));
        }),
      ),
    ),
  );
  const certificates = await Promise.all(
    (await certificateCases(authority, HOST)).map(async ({ name, expected, host, options }) => {
      return { name, expected, host, port: await listen(tlsServer(options)) };
    }),
  );
  const proxies = await Promise.all(
    PROXIES.map(async ({ act }) => {
      const answer = (one: Asked, pass: Pass): void => (asked.push(one), act(one, pass));
      return (await startProxy({ answer })).port;
    }),
  );
  process.on('message', () =>
    process.send?.({ requests, trapped, asked: asked.map(({ target }) => target) } satisfies Seen),
  );
  process.on('disconnect', () => process.exit(0));
  process.send?.({
    ca: authority.cert,
    port,
    handshakes,
    certificates,
    proxies,
    trap: await setTrap(),
  } satisfies Ready);
}

await main();
