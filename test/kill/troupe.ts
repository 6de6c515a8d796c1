import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tail } from '../../scripts/stack/postgres.js';
import { supervise, type Exit, type Supervised } from '../../scripts/stack/supervised.js';
import { waitUntil } from '../../scripts/stack/wait-until.js';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));
const TSX = import.meta.resolve('tsx');
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 12_000;

/** A process of the proof, from one start to its end. */
export interface Member {
  readonly name: string;
  /** Of its control endpoint; 0 where it has none. */
  readonly port: number;
  readonly process: Supervised;
  isAlive(): boolean;
  readonly exited: Promise<Exit>;
}

export interface Heard {
  readonly exit: Exit;
  /** stdout and stderr, mixed. */
  readonly text: string;
}

/** The processes of the proof, by name; none of them outlives this one. */
export interface Troupe {
  /** Starts a process under a name that no living one has; resolves once its control endpoint answers. */
  start(name: string, args: readonly string[], port: number, env: Env): Promise<Member>;
  /** The same for one without a control endpoint; resolves once it has written `words`. */
  startUntil(name: string, args: readonly string[], words: string, env: Env): Promise<Member>;
  /** Starts one without a control endpoint, which ends by itself. */
  run(name: string, file: string, arg: string, env: Env): Promise<Supervised>;
  /** The same with any arguments; answers its exit and what it wrote once it has ended, by itself or by `signal`. */
  hear(name: string, args: readonly string[], env: Env, signal: AbortSignal): Promise<Heard>;
  /** The latest of this name. */
  member(name: string): Member;
  stop(): Promise<void>;
}

type Env = Readonly<Record<string, string>>;

/** What node is called with to run a TypeScript file of this checkout. */
export const scriptArgs = (file: string, ...args: readonly string[]): string[] => [
  '--import',
  TSX,
  join(CHECKOUT, file),
  ...args,
];

export function openTroupe(folder: string): Troupe {
  const members = new Map<string, Member>();
  const all = new Set<Supervised>();
  const begin = async (
    name: string,
    args: readonly string[],
    env: Env,
    port: number,
    isReady: (log: string) => boolean | Promise<boolean>,
  ): Promise<Member> => {
    const log = join(folder, `${name}.log`);
    const process = await launch(name, args, env, log);
    all.add(process);
    let alive = true;
    void process.exited.then(() => {
      alive = false;
      all.delete(process);
    });
    const member: Member = { name, port, process, isAlive: () => alive, exited: process.exited };
    members.set(name, member);
    await waitUntil(`${name} is ready`, START_TIMEOUT_MS, async () => {
      if (!alive) throw new Error(`${name} did not start:\n${tail(readFileSync(log, 'utf8'))}`);
      return isReady(log);
    });
    return member;
  };
  return {
    start: (name, args, port, env) => begin(name, args, env, port, () => isUp(port)),
    startUntil: (name, args, words, env) =>
      begin(name, args, env, 0, (log) => readFileSync(log, 'utf8').includes(words)),
    async run(name, file, arg, env) {
      const process = await launch(name, scriptArgs(file, arg), env, join(folder, `${name}.log`));
      all.add(process);
      void process.exited.then(() => all.delete(process));
      return process;
    },
    async hear(name, args, env, signal) {
      signal.throwIfAborted();
      const log = join(folder, `${name}.log`);
      const process = await launch(name, args, env, log);
      all.add(process);
      const end = (): void => void process.stop();
      signal.addEventListener('abort', end, { once: true });
      const exit = await process.exited;
      all.delete(process);
      signal.removeEventListener('abort', end);
      signal.throwIfAborted();
      return { exit, text: readFileSync(log, 'utf8') };
    },
    member(name) {
      const member = members.get(name);
      if (!member) throw new Error(`${name} was never started`);
      return member;
    },
    async stop() {
      await Promise.all(
        [...all].map(async (process) => {
          process.signal('SIGCONT');
          await process.stop();
        }),
      );
    },
  };
}

async function launch(name: string, args: readonly string[], env: Env, logFile: string): Promise<Supervised> {
  const log = openSync(logFile, 'a', 0o600);
  try {
    return await supervise({
      name: `waybill kill ${name}`,
      command: process.execPath,
      args: [...args],
      env: { ...process.env, ...env },
      cwd: CHECKOUT,
      output: { fd: log },
      stopSignal: 'SIGKILL', // at the end nothing is left worth a drain
      stopTimeoutMs: STOP_TIMEOUT_MS,
      wholeGroup: false,
    });
  } finally {
    closeSync(log);
  }
}

/** One call to a control endpoint. @throws TypeError where nobody listens. */
export async function ask(port: number, path: string, body?: object): Promise<void> {
  const status = await statusOf(port, path, body);
  if (status !== 200) throw new Error(`${status} to /${path}`);
}

/** What a control endpoint answers to a GET, from JSON. */
export async function answerOf<T>(port: number, path: string): Promise<T> {
  const response = await fetch(`http://127.0.0.1:${port}/${path}`, { headers: { connection: 'close' } });
  return (await response.json()) as T;
}

/** Whether a living process said yes. */
export async function tell(port: number, path: string): Promise<boolean> {
  try {
    return (await statusOf(port, path)) === 200;
  } catch (error) {
    if (error instanceof TypeError) return false; // fetch's word for "nobody listens", or not any more
    throw error;
  }
}

const isUp = (port: number): Promise<boolean> => tell(port, 'ready');

async function statusOf(port: number, path: string, body?: object): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/${path}`, {
    method: path === 'ready' ? 'GET' : 'POST',
    headers: { connection: 'close' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  await response.arrayBuffer();
  return response.status;
}
