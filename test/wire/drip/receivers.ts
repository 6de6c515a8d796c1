/**
 * The receivers of the drip proof, a process of their own: under `healthy` names they answer at once, under `head` and
 * `body` names one byte a second, before the end of the head or after it. Tells port and authority, ends with its parent.
 */
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { issue, makeAuthority } from '../../support/tls.js';

export interface Ready {
  readonly ca: string;
  readonly port: number;
}

const EVERY_MS = 1_000;
const authority = await makeAuthority();
const identity = await issue(authority, { hosts: ['*.healthy.example', '*.head.example', '*.body.example'] });
const server = https.createServer(identity, (request, response) => {
  const host = request.headers.host ?? '';
  request.resume();
  request.on('end', () => {
    if (host.includes('.healthy.')) return void response.end('ok');
    const { socket } = response;
    socket?.write(host.includes('.head.') ? 'HTTP/1.1 200 OK\r\nx: ' : 'HTTP/1.1 200 OK\r\n\r\n');
    const timer = setInterval(() => socket?.write('x'), EVERY_MS);
    socket?.once('close', () => clearInterval(timer));
  });
});
server.on('connection', (socket) => socket.on('error', () => socket.destroy()));
server.on('tlsClientError', () => undefined);
server.keepAliveTimeout = 60_000;
server.listen({ port: 0, host: '127.0.0.1', backlog: 2_048 }, () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ ca: authority.cert, port } satisfies Ready);
});
process.on('disconnect', () => process.exit(0));
