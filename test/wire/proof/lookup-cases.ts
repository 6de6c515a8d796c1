import type { Resolver } from '../../../src/wire/resolve.js';
import { HOST, timed, type Case, type Stage } from './stage.js';

/** Of the names that don't answer, and of who waits in line behind them. */
const SHORT_MS = 400;
const AMPLE_MS = 20_000;
const AT_ONCE = 2;

interface LookupCase {
  readonly name: string;
  /** Names whose servers are silent, each asked for so many times before the neighbour is. */
  readonly dead: number;
  readonly times: number;
  readonly expected: string;
}

const CASES: readonly LookupCase[] = [
  {
    name: 'a name that does not answer, for 16 deliveries, and a healthy neighbour',
    ...{ dead: 1, times: 16 },
    expected: '16 failed timeout; neighbour delivered success 200; 2 lookups',
  },
  {
    name: 'as many names that do not answer as are looked up at once, and a healthy neighbour in line',
    ...{ dead: AT_ONCE, times: 8 },
    expected: '16 failed timeout; neighbour cancelled own_fault; 2 lookups',
  },
];

/** Names that hold their lookup for good, and what becomes of a name that resolves. */
export function lookupCases(stage: Stage): Case[] {
  return CASES.map(({ name, dead, times, expected }): Case => {
    return {
      ...{ kind: 'resolver', name, input: `${dead} dead, ${times} times each`, expected },
      mayDial: ['127.0.0.1'],
      play: async () => {
        let lookups = 0;
        const resolver: Resolver = (host) => {
          lookups += 1;
          if (host !== HOST) return new Promise(() => {});
          return Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
        };
        const wire = stage.wire(resolver, '', { lookupsAtOnce: AT_ONCE });
        const url = (host: string): string => `https://${host}:${stage.ready.port}/status/200`;
        const waiting = Array.from({ length: dead * times }, (_, i) =>
          timed(wire, stage.request(url(`dead-${i % dead}.example.com`), { timeoutMs: SHORT_MS })),
        );
        const inLine = expected.includes('own_fault');
        const neighbour = timed(wire, stage.request(url(HOST), { timeoutMs: inLine ? SHORT_MS : AMPLE_MS }));
        const all = await Promise.all(waiting);
        const { got, lateMs } = await neighbour;
        const words = [...new Set(all.map((one) => one.got))].join(' and ');
        return {
          got: `${all.length} ${words}; neighbour ${got}; ${lookups} lookups`,
          lateMs: Math.max(lateMs, ...all.map((one) => one.lateMs)),
        };
      },
    };
  });
}
