import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { NOTHING_ALLOWED, parseAllowList, type AllowList } from '../../../src/wire/allow-list.js';
import { parseEgressProxy } from '../../../src/wire/egress-proxy.js';
import type { Resolver } from '../../../src/wire/resolve.js';
import {
  makeWire,
  type Verdict,
  type Wire,
  type WireOptions,
  type WireRequest,
} from '../../../src/wire/send.js';
import { watchDials, type Dials } from './dials.js';
import type { Options } from './options.js';
import type { Ready, Seen } from './receivers.js';
import type { Kind, Row } from './rows.js';

export const HOST = 'hooks.example.com';
/** Long enough to be answered in on a busy machine. */
const AMPLE_MS = 20_000;
const SAMPLE_MS = 10;

/** One case as it is played. */
export interface Case {
  readonly kind: Kind;
  readonly name: string;
  readonly input: string;
  readonly expected: string;
  /** Addresses this case may dial; none when unset. */
  readonly mayDial?: readonly string[];
  readonly play: () => Promise<Played> | Played;
}

/** What came of a case; `lateMs` where a deadline was to be kept. */
export type Played = string | { readonly got: string; readonly lateMs: number };

/** Receivers in a process of their own, the wire in this one, and eyes on what it does. */
export interface Stage {
  readonly ready: Ready;
  /** What the guard is given where nothing is allowed. */
  readonly nothing: AllowList;
  /** A wire for which 127.0.0.1 stands for the public internet, closed with the stage. */
  wire(resolver?: Resolver, allow?: string, over?: Partial<WireOptions>): Wire;
  /** A wire as by default: public https only. */
  guarded(resolver: Resolver): Wire;
  /** The same, behind a proxy on that port of the loopback. */
  proxied(port: number, resolver: Resolver): Wire;
  request(url: string, over?: Partial<WireRequest>): WireRequest;
  seen(): Promise<Seen>;
  play(one: Case): Promise<Row>;
  close(): Promise<void>;
}

const toLoopback: Resolver = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);

export async function openStage(options: Options): Promise<Stage> {
  const child = fork(fileURLToPath(new URL('./receivers.ts', import.meta.url)), {
    execArgv: ['--import', import.meta.resolve('tsx')],
    env: { ...process.env, NODE_OPTIONS: '--tls-min-v1.0 --tls-cipher-list=DEFAULT@SECLEVEL=0' },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ready = await told<Ready>(child);
  const nothing = options.unguarded ? parseAllowList('0.0.0.0/0,::/0') : NOTHING_ALLOWED;
  const dials = watchDials();
  const wires = new Set<Wire>();
  const keep = (wire: Wire): Wire => (wires.add(wire), wire);
  const extraCa = ready.ca;
  const seen = async (): Promise<Seen> => {
    const answer = told<Seen>(child);
    child.send('seen');
    return answer;
  };
  return {
    ready,
    nothing,
    seen,
    wire: (resolver = toLoopback, allow = '', over = {}) =>
      keep(makeWire({ allow: parseAllowList(`127.0.0.1,${allow}`), extraCa, resolver, ...over })),
    guarded: (resolver) => keep(makeWire({ allow: nothing, extraCa, resolver })),
    proxied: (port, resolver) => {
      const proxy = parseEgressProxy(`http://127.0.0.1:${port}`);
      return keep(makeWire({ allow: nothing, extraCa, resolver, proxy }));
    },
    request: (url, over = {}) => ({
      url,
      headers: { 'webhook-id': 'k', 'content-type': 'application/json' },
      body: new TextEncoder().encode('{"a":1}'),
      timeoutMs: AMPLE_MS,
      sign: () => ({ 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' }),
      ...over,
    }),
    play: (one) => play(one, dials, seen),
    async close() {
      for (const wire of wires) wire.close();
      dials.stop();
      if (child.exitCode === null) {
        child.disconnect();
        await once(child, 'exit');
      }
    },
  };
}

async function told<T>(child: ChildProcess): Promise<T> {
  const over = new AbortController();
  const ended = once(child, 'exit', { signal: over.signal }).then(() =>
    Promise.reject(new Error('the receivers ended')),
  );
  ended.catch(() => undefined);
  try {
    const [message] = (await Promise.race([once(child, 'message'), ended])) as [T];
    return message;
  } finally {
    over.abort();
  }
}

async function play(one: Case, dials: Dials, seen: () => Promise<Seen>): Promise<Row> {
  const before = await seen();
  dials.take();
  const heldBytes = process.memoryUsage.rss();
  let mostBytes = heldBytes;
  const sample = (): void => void (mostBytes = Math.max(mostBytes, process.memoryUsage.rss()));
  const timer = setInterval(sample, SAMPLE_MS);
  let played: Played;
  try {
    played = await one.play();
  } catch (error) {
    played = `threw ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    clearInterval(timer);
    sample();
  }
  const { trapped } = await seen();
  const forbidden = dials.take().filter((address) => !(one.mayDial ?? []).includes(address));
  const { got, lateMs } = typeof played === 'string' ? { got: played, lateMs: 0 } : played;
  return {
    ...{ kind: one.kind, name: one.name, input: one.input, expected: one.expected, got },
    forbiddenSockets: Math.max(forbidden.length, trapped - before.trapped),
    overDeadlineMs: Math.max(0, Math.round(lateMs)),
    memoryGrowthBytes: mostBytes - heldBytes,
  };
}

/** A verdict as the case tables write it. */
export function inWords(verdict: Verdict): string {
  const { outcome, class: cls, status, error = '' } = verdict;
  const words = [outcome, cls, ...(status === undefined ? [] : [String(status)])];
  if (cls === 'address_policy') words.push(error.split(':')[0] ?? '');
  if (verdict.retryAfter !== undefined) words.push('retry-after', verdict.retryAfter);
  const tls = cls === 'tls' ? error.replace(/^TLS/, '').replace(/ \([A-Z0-9_]+\)$/, '') : '';
  return words.join(' ') + tls;
}

/** Sends, and measures against the deadline from outside. */
export async function timed(wire: Wire, request: WireRequest): Promise<{ got: string; lateMs: number }> {
  const startMs = performance.now();
  const verdict = await wire.send(request);
  return { got: inWords(verdict), lateMs: performance.now() - startMs - request.timeoutMs };
}
