import { chmodSync, closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePorts } from '../scripts/stack/ports.js';
import { startStack, type Stack } from '../scripts/stack/stack.js';
import { exitStatus, supervise, type Supervised } from '../scripts/stack/supervised.js';
import { waitUntil } from '../scripts/stack/wait-until.js';
import { issue, makeAuthority } from '../test/support/tls.js';
import type { Addresses } from './cast.js';
import type { ReceiverSettings } from './receiver.js';

const CHECKOUT = fileURLToPath(new URL('..', import.meta.url));
const TSX = import.meta.resolve('tsx');
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 25_000;

/** The processes of a demo and how to reach them. */
export interface Stage {
  readonly stack: Stack;
  /** What every Waybill process of this demo runs with. */
  readonly env: Readonly<Record<string, string>>;
  /** A shell file with {@link Stage.env}, for whoever wants to look; private, it holds keys. */
  readonly envFile: string;
  readonly addresses: Addresses;
  readonly journal: string;
  readonly workerLog: string;
  /** Hands the signing secrets over, by name. */
  tellSecrets(secrets: Readonly<Record<string, string>>): Promise<void>;
  /** From now on this subscriber's endpoint behaves. */
  mend(name: string): Promise<void>;
  /** Runs the checker on a task; answers its exit status once it has ended. */
  check(taskFile: string, signal: AbortSignal): Promise<number>;
  /** Where this run's files go. */
  readonly folder: string;
  /** Ends worker, receiver and stack, in this order. A second call waits for the first. */
  stop(): Promise<void>;
}

export interface StageOptions {
  readonly fresh: boolean;
  readonly dataDir?: string;
  readonly signal: AbortSignal;
  readonly onProgress: (line: string) => void;
}

/** Starts the stack, one receiver and one worker, each a process of its own that can't outlive this one. */
export async function setStage(options: StageOptions): Promise<Stage> {
  const { signal, onProgress } = options;
  const stack = await startStack({
    fresh: options.fresh,
    signal,
    onProgress,
    ...(options.dataDir === undefined ? {} : { dataDir: options.dataDir }),
  });
  const running: Supervised[] = [];
  let stopped: Promise<void> | undefined;
  const stop = () =>
    (stopped ??= (async () => {
      for (const process of running.reverse()) await process.stop();
      await stack.stop();
    })());
  try {
    const folder = join(stack.dataDir, 'demo');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { mode: 0o700 });
    const { settings, caFile } = await props(folder);
    const env = {
      ...stack.env,
      WAYBILL_ALLOW: '127.0.0.0/8',
      WAYBILL_EXTRA_CA_FILE: caFile,
      WAYBILL_LEASE_MARGIN_MS: '5000',
      WAYBILL_DRAIN_MS: '15000',
    };
    const program = async (name: string, args: string[]): Promise<Supervised> => {
      const started = await runLogged(name, args, env, join(folder, `${name}.log`));
      running.push(started);
      void started.exited.then(({ code }) => {
        if (!stopped) onProgress(`the ${name} ended by itself (${code}); see ${join(folder, `${name}.log`)}`);
      });
      return started;
    };

    onProgress('starting the receiver and a worker');
    const settingsFile = join(folder, 'receiver.json');
    writePrivate(settingsFile, JSON.stringify(settings));
    await program('receiver', ['--import', TSX, join(CHECKOUT, 'demo/receiver.ts'), settingsFile]);
    const control = (path: string, method = 'POST') => ask(settings.controlPort, path, method);
    await waitUntil('the receiver answers', START_TIMEOUT_MS, () => isUp(settings.controlPort), signal);
    const workerLog = join(folder, 'worker.log');
    await program('worker', [join(CHECKOUT, 'bin/waybill.cjs'), 'worker', '--json']);
    await waitUntil('the worker is ready', START_TIMEOUT_MS, () => isReady(workerLog), signal);

    return {
      stack,
      env,
      envFile: writeEnvFile(join(folder, 'env'), env),
      folder,
      addresses: settings,
      journal: settings.journal,
      workerLog,
      tellSecrets: async (secrets) => {
        writePrivate(settings.secretsFile, JSON.stringify(secrets));
        await control('secrets');
      },
      mend: (name) => control(`mend/${name}`),
      check: (taskFile, abort) => runChecker(taskFile, env, join(folder, 'checker.log'), abort),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Ports, certificates and files of the receiver. */
async function props(folder: string): Promise<{ settings: ReceiverSettings; caFile: string }> {
  const [port, strangerPort, controlPort] = (await freePorts(3)) as [number, number, number];
  const authority = await makeAuthority('Waybill demo root');
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, authority.cert);
  return {
    caFile,
    settings: {
      port,
      identity: await issue(authority, { hosts: ['127.0.0.1', 'localhost'] }),
      strangerPort,
      strangerIdentity: await issue(authority, { hosts: ['elsewhere.example'] }),
      controlPort,
      journal: join(folder, 'journal.ndjson'),
      secretsFile: join(folder, 'secrets.json'),
    },
  };
}

async function runLogged(
  name: string,
  args: string[],
  env: Readonly<Record<string, string>>,
  logFile: string,
): Promise<Supervised> {
  const log = openSync(logFile, 'w', 0o600);
  try {
    return await supervise({
      name: `waybill demo ${name}`,
      command: process.execPath,
      args,
      env: { ...process.env, ...env },
      cwd: CHECKOUT,
      output: { fd: log },
      stopSignal: 'SIGTERM',
      stopTimeoutMs: STOP_TIMEOUT_MS,
      wholeGroup: true,
    });
  } finally {
    closeSync(log);
  }
}

async function runChecker(
  taskFile: string,
  env: Readonly<Record<string, string>>,
  logFile: string,
  signal: AbortSignal,
): Promise<number> {
  const checker = await runLogged(
    'checker',
    ['--import', TSX, join(CHECKOUT, 'demo/checker.ts'), taskFile],
    env,
    logFile,
  );
  const end = (): void => void checker.stop();
  signal.addEventListener('abort', end, { once: true });
  const status = exitStatus(await checker.exited);
  signal.removeEventListener('abort', end);
  return status;
}

async function ask(port: number, path: string, method: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/${path}`, { method });
  if (!response.ok) throw new Error(`the receiver answered ${response.status} to ${method} /${path}`);
}

async function isUp(port: number): Promise<boolean> {
  try {
    await ask(port, 'ready', 'GET');
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false; // fetch's word for "nobody listens yet"
    throw error;
  }
}

function isReady(logFile: string): boolean {
  const log = readFileSync(logFile, 'utf8');
  if (log.includes('"ready":true')) return true;
  if (/"error":|Error:/.test(log)) throw new Error(`the worker did not start:\n${log.slice(-2_000)}`);
  return false;
}

function writePrivate(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 });
  chmodSync(path, 0o600);
}

function writeEnvFile(path: string, env: Readonly<Record<string, string>>): string {
  const lines = Object.entries(env).map(
    ([name, value]) => `export ${name}='${value.replaceAll("'", `'\\''`)}'`,
  );
  writePrivate(path, `${lines.join('\n')}\n`);
  return path;
}
