import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';

/** A TCP link between a process and a server that can be cut at will. */
export interface Link {
  /** Where the process dials, on 127.0.0.1. */
  readonly port: number;
  /** Ends every connection and takes none for `ms`; answers how many were ended. */
  cut(ms: number): Promise<number>;
  /**
   * The next answer of the server is lost, and its connection with it: what it answers to has happened, and whoever
   * asked never hears. Resolves once that has come to pass, true, or after `withinMs`, false.
   */
  loseAnswer(withinMs: number): Promise<boolean>;
  /**
   * The same for requests of at least `requestBytes` on up to `most` connections, TLS or not: once one has been sent
   * whole nothing the server says reaches who asked, and when it has said nothing more for `quietMs` the connection dies.
   * Resolves once that has come to pass on as many, or after `withinMs`, with the number.
   */
  loseAnswersTo(requestBytes: number, options: Losses): Promise<number>;
  close(): Promise<void>;
}

export interface Losses {
  readonly most: number;
  readonly quietMs: number;
  readonly withinMs: number;
}

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
  /** The server has said something: what comes from now on is no hello. */
  greeted: boolean;
  /** Bytes to the server since its last answer. */
  asked: number;
  /** Set once what the server says is swallowed: what that counts for. */
  lostTo: Losing | undefined;
  quiet: NodeJS.Timeout | undefined;
}

interface Losing extends Losses {
  readonly requestBytes: number;
  begun: number;
  ended: number;
  readonly onEnd: () => void;
}

const HOST = '127.0.0.1';

export async function openLink(toPort: number): Promise<Link> {
  const pairs = new Set<Pair>();
  let isCut = false;
  let lost: (() => void) | undefined;
  let losing: Losing | undefined;

  const end = (pair: Pair): void => {
    if (!pairs.delete(pair)) return;
    clearTimeout(pair.quiet);
    pair.near.destroy();
    pair.far.destroy();
    if (!pair.lostTo) return;
    pair.lostTo.ended += 1;
    pair.lostTo.onEnd();
  };
  /** True where these words of the server don't go on. */
  const swallows = (pair: Pair): boolean => {
    if (!pair.lostTo) {
      if (!losing || losing.begun >= losing.most || pair.asked < losing.requestBytes) return false;
      losing.begun += 1;
      pair.lostTo = losing;
    }
    clearTimeout(pair.quiet);
    pair.quiet = setTimeout(() => end(pair), pair.lostTo.quietMs);
    return true;
  };

  const server = createServer({ noDelay: true }, (near) => {
    if (isCut) return void near.destroy();
    const far = connect({ port: toPort, host: HOST, noDelay: true });
    const pair: Pair = { near, far, greeted: false, asked: 0, lostTo: undefined, quiet: undefined };
    pairs.add(pair);
    near.on('data', (chunk) => {
      if (pair.greeted) pair.asked += chunk.byteLength;
      if (!far.write(chunk)) near.pause();
    });
    far.on('data', (chunk) => {
      if (lost) {
        lost();
        lost = undefined;
        return end(pair);
      }
      if (swallows(pair)) return;
      pair.greeted = true;
      if (losing && pair.asked >= losing.requestBytes) pair.asked = 0;
      if (!near.write(chunk)) far.pause();
    });
    near.on('drain', () => far.resume());
    far.on('drain', () => near.resume());
    // An error is followed by `close`, and a link has nobody to tell but the two ends.
    for (const socket of [near, far]) socket.on('error', () => end(pair)).on('close', () => end(pair));
  });
  server.listen(0, HOST);
  await once(server, 'listening');

  const endAll = (): number => {
    const all = [...pairs];
    all.forEach(end);
    return all.length;
  };
  return {
    port: (server.address() as AddressInfo).port,
    async cut(ms) {
      isCut = true;
      const ended = endAll();
      await new Promise((resolve) => setTimeout(resolve, ms));
      isCut = false;
      return ended;
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
    loseAnswersTo: (requestBytes, options) =>
      new Promise((resolve) => {
        const finish = (): void => {
          clearTimeout(late);
          losing = undefined;
          resolve(now.ended);
        };
        const late = setTimeout(finish, options.withinMs);
        const onEnd = (): void => {
          if (losing === now && now.ended >= now.most) finish();
        };
        const now: Losing = { ...options, requestBytes, begun: 0, ended: 0, onEnd };
        for (const pair of pairs) pair.asked = 0;
        losing = now;
      }),
    async close() {
      endAll();
      await closed(server);
    },
  };
}

const closed = (server: Server): Promise<void> =>
  new Promise((resolve, reject) => server.close((error) => (error ? reject(error) : resolve())));
