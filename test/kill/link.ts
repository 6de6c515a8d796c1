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
  /** Set once a question was asked whose answer is to be lost. */
  doomed: LosingSome | undefined;
}

interface LosingSome extends Exchange {
  readonly every: number;
  asked: number;
  lost: number;
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
  let losingSome: LosingSome | undefined;
  let waiting: (() => void)[] | undefined;
  const inTime = (act: () => void): void => void (waiting ? waiting.push(act) : act());

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

  const ask = (pair: Pair, chunk: Buffer): void => {
    if (pair.near.destroyed) return;
    if (pair.greeted) pair.asked += chunk.byteLength;
    const isAsked = losingSome?.question.test(chunk.toString('latin1'));
    if (isAsked && losingSome && (losingSome.asked += 1) % losingSome.every === 0) pair.doomed = losingSome;
    if (!pair.far.write(chunk)) pair.near.pause();
  };
  const answer = (pair: Pair, chunk: Buffer): void => {
    if (pair.doomed) {
      if (!pair.doomed.answered.test(chunk.toString('latin1'))) return;
      pair.doomed.lost += 1;
      return end(pair);
    }
    if (lost) {
      lost();
      lost = undefined;
      return end(pair);
    }
    if (swallows(pair)) return;
    pair.greeted = true;
    if (losing && pair.asked >= losing.requestBytes) pair.asked = 0;
    if (!pair.near.destroyed && !pair.near.write(chunk)) pair.far.pause();
  };

  const server = createServer({ noDelay: true }, (near) => {
    if (isCut) return void near.destroy();
    const far = connect({ port: toPort, host: HOST, noDelay: true });
    const pair: Pair = {
      ...{ near, far, greeted: false, asked: 0 },
      ...{ lostTo: undefined, quiet: undefined, doomed: undefined },
    };
    pairs.add(pair);
    near.on('data', (chunk) => inTime(() => ask(pair, chunk)));
    far.on('data', (chunk) => inTime(() => answer(pair, chunk)));
    near.on('drain', () => far.resume());
    far.on('drain', () => near.resume());
    // An error is followed by `close`, and a link has nobody to tell but the two ends.
    const over = (): void => inTime(() => end(pair));
    for (const socket of [near, far]) socket.on('error', over).on('close', over);
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
    loseAnswers(to, every) {
      const mine: LosingSome = { ...to, every, asked: 0, lost: 0 };
      losingSome = mine;
      return () => {
        losingSome = undefined;
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
