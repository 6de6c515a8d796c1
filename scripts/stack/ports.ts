import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

const HOST = '127.0.0.1';

/**
 * `count` different TCP ports that are free on 127.0.0.1. Each is left with a closed connection in TIME_WAIT: Linux
 * then hands it to nobody else who asks for a free port for about a minute, while a server can bind it at once.
 */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, listen));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map(reserveAndClose));
  return ports;
}

async function listen(): Promise<Server> {
  const server = createServer();
  server.listen(0, HOST);
  await once(server, 'listening');
  return server;
}

async function reserveAndClose(server: Server): Promise<void> {
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const client = connect((server.address() as AddressInfo).port, HOST);
  const [socket] = await accepted;
  const clientClosed = once(client.resume(), 'close');
  socket.end();
  await clientClosed;
  server.close();
  await once(server, 'close');
}
