import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keptKeys, takeDataDir, wipeDataDir } from './data-dir.js';
import { startPostgres, type RunningPostgres } from './postgres.js';
import { runSetup } from './setup.js';
import type { Supervised } from './supervised.js';
import { findTemporalProgram, TEMPORAL_CLI } from './temporal-binaries.js';
import { startTemporal, TEMPORAL_NAMESPACE, type RunningTemporal } from './temporal.js';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));
/** What sessions get between SIGTERM and SIGINT. */
const SESSIONS_MS = 3_000;
/** A server that was asked to end and doesn't is killed. */
const ASKED_TIMEOUT_MS = 20_000;

export interface StackOptions {
  /** Delete what earlier runs left in the data folder first. */
  fresh?: boolean;
  /** Temporal's web UI; on by default. */
  ui?: boolean;
  /** `WAYBILL_DATA_DIR` or `.waybill/` by default. While another stack runs there, a folder inside it is taken. */
  dataDir?: string;
  /** Postgres alone when false. */
  temporal?: boolean;
  /** A file name in the data folder for workflows that are to outlive the stack; in memory by default. */
  temporalDbFile?: string;
  /** False for tests: Postgres without fsync. */
  durable?: boolean;
  /** Run `waybill setup` (migrations, search attributes); on by default. */
  setup?: boolean;
  /** Gives up half way: what was started is stopped, then the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  onProgress?: (line: string) => void;
}

export interface Stack {
  /** What a Waybill process needs in its environment to use this stack, and nothing else. */
  env: Record<string, string>;
  adminUrl: string;
  appUrl: string;
  /** Undefined when started without Temporal. */
  temporalAddress: string | undefined;
  uiUrl: string | undefined;
  dataDir: string;
  /** The process that runs a server now; undefined where none was started. */
  pidOf(server: 'Postgres' | 'Temporal'): number | undefined;
  /**
   * Kills one server with SIGKILL and starts it again on the same port, with the data it had (Temporal's only with
   * `temporalDbFile`), at once or when `whileDown` is over. Resolves once it answers.
   */
  crash(server: 'Postgres' | 'Temporal', whileDown?: () => Promise<void>): Promise<void>;
  /**
   * The same with SIGTERM, as a service manager does it. Postgres then waits for its sessions and refuses new ones, so
   * after a few seconds SIGINT follows, which ends them.
   */
  restart(server: 'Postgres' | 'Temporal'): Promise<void>;
  /** Stops all that was started and gives the data folder back. Bounded; a second call waits for the first. */
  stop(): Promise<void>;
}

/**
 * Starts Postgres and Temporal for this checkout and sets them up; a second start finds the data of the first.
 * Nothing it starts outlives this process, whatever ends it.
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const { onProgress = () => undefined, signal } = options;
  const base = options.dataDir ?? process.env['WAYBILL_DATA_DIR'] ?? join(CHECKOUT, '.waybill');
  const { path: dataDir, unlock } = takeDataDir(base);
  const running = new Set<Service>();
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= stopAll([...running]).finally(unlock));

  const watch = async <T extends Service>(name: string, starting: Promise<T>): Promise<T> => {
    const service = await starting;
    running.add(service);
    void service.process.exited.then(() => {
      if (!stopped && running.has(service)) onProgress(`${name} ended by itself; its log is in ${dataDir}`);
    });
    return service;
  };

  try {
    if (dataDir.startsWith(join(base, 'stack-')))
      onProgress(`another stack runs here; this one lies in ${dataDir}`);
    if (options.fresh) await wipeDataDir(dataDir);
    const keys = keptKeys(dataDir);
    const withTemporal = options.temporal ?? true;
    const cliPath = withTemporal ? await findTemporalProgram(TEMPORAL_CLI, { onProgress }) : undefined;
    signal?.throwIfAborted();

    onProgress(cliPath ? 'starting Postgres and Temporal' : 'starting Postgres');
    const dbFilename = options.temporalDbFile && join(dataDir, options.temporalDbFile);
    const ui = options.ui ?? true;
    const launchPostgres = (port?: number) =>
      watch('Postgres', startPostgres({ dataDir, durable: options.durable ?? true, port, signal }));
    const launchTemporal = (path: string, port?: number) =>
      watch('Temporal', startTemporal({ cliPath: path, dataDir, ui, dbFilename, port, signal }));
    const [postgres, temporal] = await both(launchPostgres(), cliPath ? launchTemporal(cliPath) : undefined);
    const launched: Record<string, Service | undefined> = { Postgres: postgres, Temporal: temporal };
    const again = async (
      server: 'Postgres' | 'Temporal',
      end: (server: Supervised) => Promise<void>,
      whileDown?: () => Promise<void>,
    ): Promise<void> => {
      const service = launched[server];
      if (!service || stopped) throw new Error(`no ${server} runs here`);
      running.delete(service);
      await end(service.process);
      await whileDown?.();
      launched[server] =
        server === 'Postgres'
          ? await launchPostgres(service.port)
          : await launchTemporal(cliPath ?? '', service.port);
    };
    const env = environment(postgres, temporal, keys, cliPath);
    if (options.setup ?? true) await runSetup(env, dataDir, signal);
    if (temporal?.uiUrl) onProgress(`Temporal UI: ${temporal.uiUrl}`);
    return {
      env,
      adminUrl: postgres.adminUrl,
      appUrl: postgres.appUrl,
      temporalAddress: temporal?.address,
      uiUrl: temporal?.uiUrl,
      dataDir,
      pidOf: (server) => launched[server]?.process.pid,
      crash: (server, whileDown) => again(server, kill, whileDown),
      restart: (server) => again(server, askToEnd),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function kill(server: Supervised): Promise<void> {
  server.signal('SIGKILL');
  await server.exited;
}

async function askToEnd(server: Supervised): Promise<void> {
  server.signal('SIGTERM');
  const timers = [
    setTimeout(() => server.signal('SIGINT'), SESSIONS_MS),
    setTimeout(() => server.signal('SIGKILL'), ASKED_TIMEOUT_MS),
  ];
  await server.exited;
  timers.forEach(clearTimeout);
}

interface Service {
  port: number;
  process: Supervised;
  stop(): Promise<void>;
}

/** Both results; when one fails, waits for the other all the same, so that it can be stopped. */
async function both<A, B>(a: Promise<A>, b: Promise<B> | undefined): Promise<[A, B | undefined]> {
  await Promise.allSettled([a, b]);
  return [await a, await b];
}

async function stopAll(services: Service[]): Promise<void> {
  const results = await Promise.allSettled(services.map((service) => service.stop()));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

function environment(
  postgres: RunningPostgres,
  temporal: RunningTemporal | undefined,
  keys: string,
  cliPath: string | undefined,
): Record<string, string> {
  return {
    WAYBILL_DATABASE_URL: postgres.appUrl,
    WAYBILL_ADMIN_DATABASE_URL: postgres.adminUrl,
    WAYBILL_KEYS: keys,
    ...(temporal && { TEMPORAL_ADDRESS: temporal.address, TEMPORAL_NAMESPACE }),
    ...(temporal?.uiUrl && { WAYBILL_TEMPORAL_UI_URL: temporal.uiUrl }),
    ...(cliPath && { TEMPORAL_CLI_PATH: cliPath }),
  };
}
