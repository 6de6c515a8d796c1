import { EventEmitter } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { ServerIdentity } from './tls.js';

/** A request as it came in. */
export interface Received {
  method: string;
  path: string;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
  /** Epoch milliseconds when the body was complete. */
  atMs: number;
  /** What the client named in TLS (SNI). */
  servername: string | undefined;
}

/** What an answer is made with: node's response, or the socket under it for what HTTP doesn't allow. */
export interface Reply {
  response: http.ServerResponse;
  /** Writes to the socket past HTTP. */
  raw(bytes: string | Uint8Array): void;
  /** Ends the connection in good order, without an answer. */
  close(): void;
  /** Resets the TCP connection (RST). */
  reset(): void;
}

/** How a receiver behaves. A request that nobody answers hangs. */
export interface ReceiverOptions {
  /** None: plain http. */
  tls?: ServerIdentity & https.ServerOptions;
  /** Called when a body is complete. Default: 200 without a body. */
  answer?: (request: Received, reply: Reply) => void;
  /** Called when a head is read; the body is read only if it answers true. */
  admit?: (reply: Reply) => boolean;
}

export interface Receiver {
  port: number;
  /** All complete requests, oldest first. */
  requests: Received[];
  /** Connections ever made, also those without a TLS handshake. */
  connections(): number;
  openSockets(): number;
  /** Resolves once the condition holds; looked at whenever anything happens here. */
  until(condition: () => boolean): Promise<void>;
  /** Stops listening and cuts all sockets. */
  close(): Promise<void>;
}

/** Starts a receiver on a free loopback port. */
export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const requests: Received[] = [];
  const sockets = new Map<string, Socket>();
  const events = new EventEmitter().setMaxListeners(0);
  let connections = 0;

  const handler = (request: http.IncomingMessage, response: http.ServerResponse): void => {
    const reply = replyOver(response, sockets.get(peer(request.socket)));
    if (options.admit && !options.admit(reply)) return;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const received = receivedFrom(request, Buffer.concat(chunks));
      requests.push(received);
      events.emit('change');
      if (options.answer) options.answer(received, reply);
      else response.end();
    });
  };
  const server = options.tls ? https.createServer(options.tls, handler) : http.createServer(handler);
  server.keepAliveTimeout = 60_000;
  server.on('connection', (socket: Socket) => {
    // Behind TLS node announces the decrypted socket as well; the one to reset is the TCP socket.
    if (socket instanceof TLSSocket) return;
    connections += 1;
    const key = peer(socket);
    sockets.set(key, socket);
    socket.on('error', () => events.emit('change'));
    socket.on('close', () => {
      sockets.delete(key);
      events.emit('change');
    });
    events.emit('change');
  });
  server.on('tlsClientError', () => events.emit('change'));
  server.on('clientError', (_fault, socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    port: (server.address() as AddressInfo).port,
    requests,
    connections: () => connections,
    openSockets: () => sockets.size,
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
        for (const socket of sockets.values()) socket.destroy();
      }),
  };
}

function peer(socket: Socket): string {
  return `${socket.remoteAddress}:${socket.remotePort}`;
}

function receivedFrom(request: http.IncomingMessage, body: Buffer): Received {
  const { socket } = request;
  const servername =
    socket instanceof TLSSocket ? (socket as TLSSocket & { servername?: unknown }).servername : '';
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    body,
    atMs: Date.now(),
    servername: typeof servername === 'string' ? servername : undefined,
  };
}

function replyOver(response: http.ServerResponse, tcp: Socket | undefined): Reply {
  const { socket } = response;
  return {
    response,
    raw: (bytes) => socket?.write(bytes),
    close: () => socket?.end(),
    reset: () => tcp?.resetAndDestroy(),
  };
}
