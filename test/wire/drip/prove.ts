import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Ready } from './receivers.js';
import type { Done, Task } from './sender.js';

export interface Options {
  readonly drips: number;
  readonly healthy: number;
  readonly timeoutMs: number;
  readonly lateMs: number;
}

export interface Row {
  readonly what: string;
  readonly expected: string;
  readonly got: string;
  readonly ok: boolean;
}

export interface Report extends Options {
  readonly verdict: 'green' | 'red';
  readonly rows: readonly Row[];
  /** The most the sending process held, in bytes, without receivers that drip and with them. */
  readonly rssBytes: { readonly without: number; readonly with: number };
  /** How late a timer of this idle process was meanwhile: what the machine alone does to a deadline. */
  readonly machineLateMs: number;
}

const GROWTH_MAX = 1.3;
const SAMPLE_MS = 25;
/** Idle connections are closed after 4 s. */
const SETTLE_MS = 30_000;

/** Runs the healthy deliveries alone, then beside the drips, each in a fresh process, and lays the two side by side. */
export async function prove(
  options: Options,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<Report> {
  const [receivers, ready] = await start<Ready>('receivers');
  try {
    const task = { ...ready, healthy: options.healthy, timeoutMs: options.timeoutMs };
    say(`${options.healthy} healthy deliveries`);
    const alone = await observe({ ...task, drips: 0 }, signal);
    say(`the same beside ${options.drips} receivers that drip`);
    const beside = await observe({ ...task, drips: options.drips }, signal);
    const rows = rowsOf(options, alone, beside);
    return {
      verdict: rows.every(({ ok }) => ok) ? 'green' : 'red',
      ...options,
      rows,
      rssBytes: { without: alone.rssBytes, with: beside.rssBytes },
      machineLateMs: beside.machineLateMs,
    };
  } finally {
    await stop(receivers);
  }
}

interface Observed extends Done {
  readonly machineLateMs: number;
  readonly rssBytes: number;
  readonly descriptors: { readonly before: number; readonly most: number; readonly after: number };
}

async function observe(task: Task, signal: AbortSignal): Promise<Observed> {
  const [sender] = await start<string>('sender');
  const abort = (): void => void sender.kill('SIGKILL');
  signal.addEventListener('abort', abort, { once: true });
  try {
    const pid = sender.pid ?? 0;
    const before = descriptorsOf(pid);
    let rssBytes = 0;
    let most = 0;
    let machineLateMs = 0;
    let lastMs = performance.now();
    const timer = setInterval(() => {
      const nowMs = performance.now();
      machineLateMs = Math.max(machineLateMs, Math.round(nowMs - lastMs - SAMPLE_MS));
      lastMs = nowMs;
      if (sender.exitCode !== null || sender.signalCode !== null) return;
      rssBytes = Math.max(rssBytes, rssOf(pid));
      most = Math.max(most, descriptorsOf(pid));
    }, SAMPLE_MS);
    try {
      const answer = heard<Done>(sender);
      sender.send(task);
      const done = await answer;
      const endMs = performance.now() + SETTLE_MS;
      while (descriptorsOf(pid) > before && performance.now() < endMs) await delay(SAMPLE_MS);
      return { ...done, machineLateMs, rssBytes, descriptors: { before, most, after: descriptorsOf(pid) } };
    } finally {
      clearInterval(timer);
    }
  } finally {
    signal.removeEventListener('abort', abort);
    await stop(sender);
    signal.throwIfAborted();
  }
}

function rowsOf(options: Options, alone: Observed, beside: Observed): Row[] {
  const heads = Math.floor(options.drips / 2);
  const row = (what: string, expected: string, got: string, ok: boolean): Row => ({
    what,
    expected,
    got,
    ok,
  });
  const equal = (what: string, expected: number, got: number): Row =>
    row(what, String(expected), String(got), got === expected);
  const factor = beside.rssBytes / alone.rssBytes;
  const { before, most, after } = beside.descriptors;
  return [
    equal(
      'healthy ones delivered, alone',
      options.healthy,
      alone.verdicts['healthy: delivered success'] ?? 0,
    ),
    equal(
      'healthy ones delivered, beside',
      options.healthy,
      beside.verdicts['healthy: delivered success'] ?? 0,
    ),
    equal('heads that drip end unknown', heads, beside.verdicts['head: unknown timeout'] ?? 0),
    equal(
      'bodies that drip are delivered',
      options.drips - heads,
      beside.verdicts['body: delivered success'] ?? 0,
    ),
    row(
      'healthy ones that ended while others dripped',
      'some',
      String(beside.meanwhile),
      beside.meanwhile > 0,
    ),
    row('memory beside, by that alone', `<= ${GROWTH_MAX}`, factor.toFixed(2), factor <= GROWTH_MAX),
    row('descriptors at most', `>= ${options.drips}`, String(most), most >= options.drips),
    row('descriptors left over', '0', String(after - before), after <= before),
    row(
      'ms over the deadline, most',
      `<= ${options.lateMs}`,
      String(beside.lateMs),
      beside.lateMs <= options.lateMs,
    ),
  ];
}

async function start<T>(name: 'receivers' | 'sender'): Promise<[ChildProcess, T]> {
  const child = fork(fileURLToPath(new URL(`./${name}.ts`, import.meta.url)), {
    execArgv: ['--import', import.meta.resolve('tsx')],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return [child, await heard<T>(child)];
}

async function heard<T>(child: ChildProcess): Promise<T> {
  const over = new AbortController();
  const ended = once(child, 'exit', { signal: over.signal }).then(() =>
    Promise.reject(new Error('a process of the proof ended')),
  );
  ended.catch(() => undefined);
  try {
    const [message] = (await Promise.race([once(child, 'message'), ended])) as [T];
    return message;
  } finally {
    over.abort();
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  if (child.connected) child.disconnect();
  await ended;
}

const descriptorsOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;
const rssOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1_024;
