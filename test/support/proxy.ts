import { EventEmitter } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import net from 'node:net';
import tls from 'node:tls';
import type { ServerIdentity } from './tls.js';

/** One CONNECT as the proxy was asked it. */
export interface Asked {
  /** What the request line names: `address:port`. */
  readonly target: string;
  readonly port: number;
  /** All lines after the request line, as they came. */
  readonly lines: readonly string[];
  /** `user:password`, where any came. */
  readonly credentials: string | undefined;
}

export interface Pass {
  readonly socket: Socket;
  /** RST. */
  reset(): void;
  /** Opens the tunnel: whatever address was asked for, it leads to that port of the loopback. */
  tunnel(head?: string): void;
}

export interface ProxyOptions {
  /** TLS to the proxy itself. */
  tls?: ServerIdentity;
  /** What is done once asked; opens the tunnel when unset. */
  answer?: (asked: Asked, pass: Pass) => void;
  port?: number;
}

/** A CONNECT proxy on the loopback, for which all addresses lead to the loopback. */
export interface Proxy {
  port: number;
  asked: Asked[];
  openSockets(): number;
  /** Connections made to it, also those that asked nothing. */
  connections(): number;
  /** Resolves once the condition holds; looked at whenever anything happens here. */
  until(condition: () => boolean): Promise<void>;
  close(): Promise<void>;
}

const OPENED = 'HTTP/1.1 200 Connection established\r\n\r\n';

export async function startProxy(options: ProxyOptions = {}): Promise<Proxy> {
  const asked: Asked[] = [];
  const sockets = new Set<Socket>();
  const events = new EventEmitter().setMaxListeners(0);
  let connections = 0;

  const serve = (socket: Socket, tcp: Socket): void => {
    let held = Buffer.alloc(0);
    socket.on('error', () => socket.destroy());
    const read = (chunk: Buffer): void => {
      held = Buffer.concat([held, chunk]);
      if (held.indexOf('\r\n\r\n') < 0) return;
      socket.off('data', read);
      const one = askedIn(held.toString('latin1'));
      const pass: Pass = {
        socket,
        reset: () => void tcp.resetAndDestroy(),
        tunnel: (head = OPENED) => {
          const far = net.connect({ host: '127.0.0.1', port: one.port });
          far.on('error', () => socket.destroy()).on('close', () => socket.destroy());
          socket.on('close', () => far.destroy());
          far.once('connect', () => {
            socket.write(head);
            socket.pipe(far).pipe(socket);
          });
        },
      };
      asked.push(one);
      if (options.answer) options.answer(one, pass);
      else pass.tunnel();
      events.emit('change');
    };
    socket.on('data', read);
  };

  const raw = new Map<number | undefined, Socket>();
  const server: Server = options.tls
    ? tls.createServer(options.tls, (socket) => serve(socket, raw.get(socket.remotePort) ?? socket))
    : net.createServer((socket) => serve(socket, socket));
  server.on('connection', (socket: Socket) => {
    const { remotePort } = socket;
    connections += 1;
    sockets.add(socket);
    raw.set(remotePort, socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      raw.delete(remotePort);
      events.emit('change');
    });
    events.emit('change');
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));

  return {
    port: (server.address() as AddressInfo).port,
    asked,
    openSockets: () => sockets.size,
    connections: () => connections,
    until: (condition) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!condition()) return;
          events.off('change', look);
          resolve();
        };
        events.on('change', look);
        look();
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function askedIn(head: string): Asked {
  const [first = '', ...lines] = head.split('\r\n').filter((line) => line !== '');
  const target = /^CONNECT (\S+) HTTP\/1\.1$/.exec(first)?.[1] ?? `not a CONNECT: ${first}`;
  const basic = lines.map((line) => /^proxy-authorization: Basic (\S+)$/i.exec(line)?.[1]).find(Boolean);
  const credentials = basic === undefined ? undefined : Buffer.from(basic, 'base64').toString();
  return { target, port: Number(/:(\d+)$/.exec(target)?.[1]), lines, credentials };
}
