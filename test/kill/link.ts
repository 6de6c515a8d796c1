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
  /**
   * From now on every `every`th answer to a question that matches is swallowed whole, and its connection ends with it.
   * What it answers ends it, and says how many were lost.
   */
  loseAnswers(to: Exchange, every: number): () => number;
  /**
   * Half-open: from now on nothing passes in either direction, and nobody is told. What it answers ends it: then
   * everything arrives, but for what somebody said who has closed the connection since.
   */
  hold(): () => void;
  close(): Promise<void>;
}

/** How a question and the end of its answer look on the wire, byte for character. */
export interface Exchange {
  readonly question: RegExp;
  readonly answered: RegExp;
}

const HOST = '127.0.0.1';

export async function openLink(toPort: number): Promise<Link> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let isCut = false;
  let lost: (() => void) | undefined;
  let losing: (Exchange & { every: number; asked: number; lost: number }) | undefined;
  let waiting: (() => void)[] | undefined;
  const inTime = (act: () => void): void => void (waiting ? waiting.push(act) : act());

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
    let doomed: typeof losing;
    const ask = (chunk: Buffer): void => {
      if (near.destroyed) return;
      if (losing?.question.test(chunk.toString('latin1')) && (losing.asked += 1) % losing.every === 0)
        doomed = losing;
      if (!far.write(chunk)) near.pause();
    };
    const answer = (chunk: Buffer): void => {
      if (doomed) {
        if (!doomed.answered.test(chunk.toString('latin1'))) return;
        doomed.lost += 1;
        return end();
      }
      if (lost) {
        lost();
        lost = undefined;
        return end();
      }
      if (!near.destroyed && !near.write(chunk)) far.pause();
    };
    near.on('data', (chunk) => inTime(() => ask(chunk)));
    far.on('data', (chunk) => inTime(() => answer(chunk)));
    near.on('drain', () => far.resume());
    far.on('drain', () => near.resume());
    // An error is followed by `close`, and a link has nobody to tell but the two ends.
    for (const socket of pair) socket.on('error', () => inTime(end)).on('close', () => inTime(end));
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
    loseAnswers(to, every) {
      const mine = { ...to, every, asked: 0, lost: 0 };
      losing = mine;
      return () => {
        losing = undefined;
        return mine.lost;
      };
    },
    hold() {
      waiting ??= [];
      return () => {
        const acts = waiting ?? [];
        waiting = undefined;
        for (const act of acts) act();
      };
    },
    async close() {
      endAll();
      await closed(server);
    },
  };
}

const closed = (server: Server): Promise<void> =>
  new Promise((resolve, reject) => server.close((error) => (error ? reject(error) : resolve())));
