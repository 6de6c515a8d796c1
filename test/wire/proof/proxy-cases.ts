import type { Resolver } from '../../../src/wire/resolve.js';
import { PROXIES, PROXY_TARGETS } from './proxies.js';
import { HOST, timed, type Case, type Stage } from './stage.js';

const PUBLIC = '8.8.8.8';
const LOCAL = ['127.0.0.1'];
const SHORT_MS = 400;
const AMPLE_MS = 20_000;

const leadingTo =
  (addresses: readonly string[]): Resolver =>
  () =>
    Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));

/** Through a proxy on the loopback, under the guard of production: what it was asked for is part of each row. */
export function proxyCases(stage: Stage): Case[] {
  const url = `https://${HOST}:${stage.ready.port}/status/200`;
  const through = async (port: number, resolver: Resolver, timeoutMs: number) => {
    const before = await stage.seen();
    const { got, lateMs } = await timed(stage.proxied(port, resolver), stage.request(url, { timeoutMs }));
    const { asked } = await stage.seen();
    const targets = asked.slice(before.asked.length).map((target) => target.replace(/:\d+$/, ''));
    return { got: `${got}; asked ${targets.join(', ') || 'nothing'}`, lateMs };
  };
  const conducts = PROXIES.map(({ name, expected, silent }, i): Case => {
    const port = stage.ready.proxies[i] ?? 0;
    return {
      ...{ kind: 'proxy', name, input: `proxy ${i}`, mayDial: LOCAL },
      expected: `${expected}; asked ${PUBLIC}`,
      play: () => through(port, leadingTo([PUBLIC]), silent ? SHORT_MS : AMPLE_MS),
    };
  });
  const targets = PROXY_TARGETS.map(([answers, expected, asked]): Case => {
    return {
      ...{ kind: 'proxy', name: `a name that leads to ${JSON.stringify(answers)}`, input: answers.join(' ') },
      expected: `${expected}; asked ${asked}`,
      // What must be refused must be refused before the proxy is reached.
      mayDial: asked === 'nothing' ? [] : LOCAL,
      play: () => through(stage.ready.proxies[0] ?? 0, leadingTo(answers), AMPLE_MS),
    };
  });
  return [...conducts, ...targets];
}
