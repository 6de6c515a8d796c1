import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';

/** A TCP link between a process and a server that can be cut at will. */
export interface Link {
  /** Where the process dials, on 127.0.0.1. */
  readonly port: number;
  /** Ends every connection and takes none for `ms`. */
  cut(ms: number): Promise<void>;
  /**
   * The next answer of the server is lost, and its connection with it: what it answers to has happened, and whoever
   * asked never hears. Resolves once that has come to pass, true, or after `withinMs`, false.
   */
  loseAnswer(withinMs: number): Promise<boolean>;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

export async function openLink(toPort: number): Promise<Link> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let isCut = false;
  let lost: (() => void) | undefined;

  const server = createServer({ noDelay: true }, (near) => {
    if (isCut) return void near.destroy();
    const far = connect({ port: toPort, host: HOST, noDelay: true });
    const pair = [near, far] as const;
    pairs.add(pair);
    const end = (): void => {
      pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    near.on('data', (chunk) => {
      if (!far.write(chunk)) near.pause();
    });
    far.on('data', (chunk) => {
      if (lost) {
        lost();
        lost = undefined;
        return end();
      }
      if (!near.write(chunk)) far.pause();
    });
    near.on('drain', () => far.resume());
    far.on('drain', () => near.resume());
    // An error is followed by `close`, and a link has nobody to tell but the two ends.
    for (const socket of pair) socket.on('error', end).on('close', end);
  });
  server.listen(0, HOST);
  await once(server, 'listening');

  const endAll = (): void => {
    for (const [near, far] of [...pairs]) {
      near.destroy();
      far.destroy();
    }
  };
  return {
    port: (server.address() as AddressInfo).port,
    async cut(ms) {
      isCut = true;
      endAll();
      await new Promise((resolve) => setTimeout(resolve, ms));
      isCut = false;
    },
    loseAnswer: (withinMs) =>
      new Promise((resolve) => {
        const late = setTimeout(() => {
          lost = undefined;
          resolve(false);
        }, withinMs);
        lost = () => {
          clearTimeout(late);
          resolve(true);
        };
      }),
    async close() {
      endAll();
      await closed(server);
    },
  };
}

const closed = (server: Server): Promise<void> =>
  new Promise((resolve, reject) => server.close((error) => (error ? reject(error) : resolve())));
