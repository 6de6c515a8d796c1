import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ReceiverSettings } from '../../demo/receiver.js';
import { freePorts } from '../../scripts/stack/ports.js';
import { tail } from '../../scripts/stack/postgres.js';
import { startStack, type Stack } from '../../scripts/stack/stack.js';
import { exitStatus, supervise, type Supervised } from '../../scripts/stack/supervised.js';
import { waitUntil } from '../../scripts/stack/wait-until.js';
import { scriptArgs } from '../kill/troupe.js';
import { issue, makeAuthority } from '../support/tls.js';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));
const BIN = join(CHECKOUT, 'bin/waybill.cjs');
const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 20_000;
const CONTROLS_AT_ONCE = 20;

/** A stack, a receiver with its journal, and `waybill` processes as an installation runs them. */
export interface Stage {
  readonly stack: Stack;
  readonly env: Readonly<Record<string, string>>;
  readonly journal: string;
  readonly receiverPort: number;
  /** `waybill worker` with these roles; resolves once it is ready. Its `stop` drains it. */
  worker(name: string, roles: string): Promise<Supervised>;
  /** A `waybill` command to its end; all it said, and how it ended. */
  waybill(name: string, ...args: readonly string[]): Promise<{ status: number; said: string }>;
  tellSecrets(secrets: Readonly<Record<string, string>>): Promise<void>;
  /** From now on these endpoints behave. */
  mend(names: readonly string[]): Promise<void>;
  /** Ends everything. A second call waits for the first. */
  stop(): Promise<void>;
}

export interface StageOptions {
  readonly dataDir: string;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

export async function setStage({ dataDir, signal, say }: StageOptions): Promise<Stage> {
  const stack = await startStack({
    ...{ fresh: true, ui: false, durable: false },
    ...{ dataDir, signal, onProgress: say },
  });
  const folder = join(stack.dataDir, 'reconcile');
  const running = new Set<Supervised>();
  let stopped: Promise<void> | undefined;
  const stop = () =>
    (stopped ??= (async () => {
      await Promise.all([...running].map((process) => process.stop()));
      await stack.stop();
    })());
  try {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { mode: 0o700 });
    const { settings, caFile } = await props(folder);
    const settingsFile = join(folder, 'receiver.json');
    writeFileSync(settingsFile, JSON.stringify(settings), { mode: 0o600 });
    const env = { ...stack.env, WAYBILL_ALLOW: '127.0.0.0/8', WAYBILL_EXTRA_CA_FILE: caFile };
    const logOf = (name: string): string => join(folder, `${name}.log`);
    const launch = async (name: string, args: readonly string[]): Promise<Supervised> => {
      signal.throwIfAborted();
      const log = openSync(logOf(name), 'w', 0o600);
      try {
        const process = await supervise({
          ...{ name: `waybill proof ${name}`, command: globalThis.process.execPath, args: [...args] },
          ...{ env: { ...globalThis.process.env, ...env }, cwd: CHECKOUT, output: { fd: log } },
          ...{ stopSignal: 'SIGTERM', stopTimeoutMs: STOP_TIMEOUT_MS, wholeGroup: false },
        });
        running.add(process);
        void process.exited.then(() => running.delete(process));
        return process;
      } finally {
        closeSync(log);
      }
    };
    const ready = async (name: string, process: Supervised, isReady: () => boolean | Promise<boolean>) => {
      let ended = false;
      void process.exited.then(() => (ended = true));
      await waitUntil(
        `${name} is ready`,
        START_TIMEOUT_MS,
        () => {
          if (ended) throw new Error(`${name} did not start:\n${tail(readFileSync(logOf(name), 'utf8'))}`);
          return isReady();
        },
        signal,
      );
      return process;
    };

    const control = settings.controlPort;
    await ready('receiver', await launch('receiver', scriptArgs('demo/receiver.ts', settingsFile)), () =>
      ask(control, 'ready', 'GET').then(
        () => true,
        (error: unknown) => {
          if (error instanceof TypeError) return false; // fetch's word for "nobody listens yet"
          throw error;
        },
      ),
    );
    return {
      ...{ stack, env, stop },
      journal: settings.journal,
      receiverPort: settings.port,
      worker: async (name, roles) =>
        ready(name, await launch(name, [BIN, 'worker', '--json', '--roles', roles]), () =>
          readFileSync(logOf(name), 'utf8').includes('"ready":true'),
        ),
      waybill: async (name, ...args) => {
        const process = await launch(name, [BIN, ...args]);
        const end = (): void => void process.stop();
        signal.addEventListener('abort', end, { once: true });
        const status = exitStatus(await process.exited);
        signal.removeEventListener('abort', end);
        signal.throwIfAborted();
        return { status, said: readFileSync(logOf(name), 'utf8') };
      },
      tellSecrets: async (secrets) => {
        writeFileSync(settings.secretsFile, JSON.stringify(secrets), { mode: 0o600 });
        await ask(control, 'secrets', 'POST');
      },
      mend: async (names) => {
        for (let i = 0; i < names.length; i += CONTROLS_AT_ONCE)
          await Promise.all(
            names.slice(i, i + CONTROLS_AT_ONCE).map((name) => ask(control, `mend/${name}`, 'POST')),
          );
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function ask(port: number, path: string, method: 'GET' | 'POST'): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/${path}`, { method });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`the receiver answered ${response.status} to /${path}`);
}

/** Ports, certificates and files of the receiver. */
async function props(folder: string): Promise<{ settings: ReceiverSettings; caFile: string }> {
  const [port, strangerPort, controlPort] = (await freePorts(3)) as [number, number, number];
  const authority = await makeAuthority('Waybill reconcile root');
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, authority.cert);
  return {
    caFile,
    settings: {
      ...{ port, strangerPort, controlPort },
      identity: await issue(authority, { hosts: ['127.0.0.1', 'localhost'] }),
      strangerIdentity: await issue(authority, { hosts: ['elsewhere.example'] }),
      journal: join(folder, 'journal.ndjson'),
      secretsFile: join(folder, 'secrets.json'),
    },
  };
}
