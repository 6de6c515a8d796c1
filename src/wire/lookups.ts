import type { LookupAddress } from 'node:dns';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Resolver } from './resolve.js';

/** Threads of node's pool where UV_THREADPOOL_SIZE says nothing, and the most it gives (libuv). */
const THREADS_DEFAULT = 4;
const THREADS_MAX = 1_024;

/** One lookup that is under way or in line, for all who ask for that name meanwhile. */
interface Flight {
  begun: boolean;
  /** Who is to be told when it begins; each says whether it still wants the answer. */
  readonly waiting: (() => boolean)[];
  readonly answer: Promise<LookupAddress[]>;
}

/**
 * Lookups of one wire. Those who ask for one name at the same time share one lookup, and no more than `most` are under
 * way: each holds a thread for as long as the name's servers are silent, and a name that is dead must leave some to
 * the others. The rest waits in line, in the order of asking. `resolver` must settle in the end: until then its
 * name has no other answer, and its place in `most` is taken.
 */
export class Lookups {
  readonly #resolver: Resolver;
  readonly #limit: LimitFunction;
  readonly #flights = new Map<string, Flight>();

  constructor(resolver: Resolver, most: number) {
    this.#resolver = resolver;
    this.#limit = pLimit(most);
  }

  /** Settles as the resolver does. `onBegin` is called once the lookup has left the line; false: it isn't wanted any more. */
  resolve(host: string, onBegin: () => boolean): Promise<LookupAddress[]> {
    const flight = this.#flights.get(host) ?? this.#enter(host);
    if (flight.begun) onBegin();
    else flight.waiting.push(onBegin);
    return flight.answer;
  }

  #enter(host: string): Flight {
    const waiting: (() => boolean)[] = [];
    const flight: Flight = {
      begun: false,
      waiting,
      answer: this.#limit(async () => {
        try {
          flight.begun = true;
          const wanted = waiting.splice(0).map((onBegin) => onBegin());
          return wanted.includes(true) ? await this.#resolver(host) : [];
        } finally {
          this.#flights.delete(host);
        }
      }),
    };
    this.#flights.set(host, flight);
    return flight;
  }
}

/**
 * How many lookups leave room for others in node's thread pool, whose size `env` tells (as it was when the pool
 * started). Lookups get half of its threads from libuv; a quarter of that half is for those of Postgres and of a proxy.
 */
export function lookupsAtOnce(env: Readonly<Record<string, string | undefined>>): number {
  const text = env['UV_THREADPOOL_SIZE'];
  // Read as libuv reads it: what is no number is one thread.
  const asked = text === undefined ? THREADS_DEFAULT : Number.parseInt(text, 10) || 1;
  const threads = asked < 0 ? THREADS_MAX : Math.min(asked, THREADS_MAX);
  return Math.max(1, Math.floor(Math.floor((threads + 1) / 2) * 0.75));
}
