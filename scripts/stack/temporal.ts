import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common';
import { freePorts } from './ports.js';
import { tail } from './postgres.js';
import { supervise, type Supervised } from './supervised.js';
import { waitUntil } from './wait-until.js';

/**
 * The dev server has one shard for all workflows, which by default looks for its tasks twenty times a second: each step of
 * each workflow would wait 25 ms for that. Servers for production have hundreds of shards.
 */
const SHARD_LOOKS_PER_S = 1_000;
const DYNAMIC_CONFIG = [
  'matching.enableFairness=true',
  `history.transferProcessorMaxPollRPS=${SHARD_LOOKS_PER_S}`,
  `history.timerProcessorMaxPollRPS=${SHARD_LOOKS_PER_S}`,
];
const START_TIMEOUT_MS = 60_000;
const CALL_TIMEOUT_MS = 2_000;
const STOP_TIMEOUT_MS = 10_000;
const PORT_ATTEMPTS = 3;
/** As long as a dead letter's redrive window, so that the UI still shows what the ledger can redrive. */
const RETENTION = '30 days';

export const TEMPORAL_NAMESPACE = 'default';

export interface TemporalOptions {
  cliPath: string;
  /** Holds `temporal.log`. */
  dataDir: string;
  ui: boolean;
  /** Where workflows are to outlive the server; in memory otherwise. */
  dbFilename?: string | undefined;
  /** A free one when unset. */
  port?: number | undefined;
  signal?: AbortSignal | undefined;
}

export interface RunningTemporal {
  port: number;
  address: string;
  uiUrl: string | undefined;
  process: Supervised;
  stop(): Promise<void>;
}

/**
 * Starts Temporal's dev server on free ports of 127.0.0.1, with fairness on, and waits until its namespace answers
 * and keeps closed workflows for 30 days. Search attributes are the business of `waybill setup`.
 */
export async function startTemporal(options: TemporalOptions): Promise<RunningTemporal> {
  const logFile = join(options.dataDir, 'temporal.log');
  for (let attempt = 1; ; attempt++) {
    const [freePort, uiPort, metricsPort] = (await freePorts(3)) as [number, number, number];
    const port = options.port ?? freePort;
    const address = `127.0.0.1:${port}`;
    const server = await launch(options, logFile, { port, uiPort, metricsPort });
    try {
      await waitUntilReady(server, address, options.signal);
      return {
        port,
        address,
        uiUrl: options.ui ? `http://127.0.0.1:${uiPort}` : undefined,
        process: server,
        stop: () => server.stop(),
      };
    } catch (error) {
      await server.stop();
      const log = readFileSync(logFile, 'utf8');
      if (attempt < PORT_ATTEMPTS && log.includes('address already in use')) continue;
      if (options.signal?.aborted) throw error;
      throw new Error(`Temporal did not start (${(error as Error).message}).\n${tail(log)}`, {
        cause: error,
      });
    }
  }
}

async function launch(
  { cliPath, ui, dbFilename }: TemporalOptions,
  logFile: string,
  ports: { port: number; uiPort: number; metricsPort: number },
): Promise<Supervised> {
  const log = openSync(logFile, 'w', 0o600);
  try {
    return await supervise({
      name: 'temporal',
      command: cliPath,
      args: [
        ...['server', 'start-dev', '--ip', '127.0.0.1', '--log-level', 'error'],
        ...['--port', String(ports.port), '--metrics-port', String(ports.metricsPort)],
        ...(ui ? ['--ui-port', String(ports.uiPort), '--ui-disable-news-fetch'] : ['--headless']),
        ...(dbFilename ? ['--db-filename', dbFilename] : []),
        ...DYNAMIC_CONFIG.flatMap((value) => ['--dynamic-config-value', value]),
      ],
      env: process.env,
      output: { fd: log },
      stopSignal: 'SIGTERM',
      stopTimeoutMs: STOP_TIMEOUT_MS,
      wholeGroup: false,
    });
  } finally {
    closeSync(log);
  }
}

async function waitUntilReady(
  server: Supervised,
  address: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  let ended = false;
  void server.exited.then(() => (ended = true));
  const connection = Connection.lazy({ address });
  let lastError: unknown;
  try {
    await waitUntil(
      'the Temporal server answers',
      START_TIMEOUT_MS,
      async () => {
        if (ended) throw new Error('it ended at once', { cause: lastError });
        try {
          await connection.withDeadline(Date.now() + CALL_TIMEOUT_MS, () => setRetention(connection));
          return true;
        } catch (error) {
          lastError = error;
          return false;
        }
      },
      signal,
    );
  } finally {
    await connection.close();
  }
}

async function setRetention(connection: Connection): Promise<void> {
  await connection.workflowService.updateNamespace({
    namespace: TEMPORAL_NAMESPACE,
    config: { workflowExecutionRetentionTtl: msToTs(RETENTION) },
  });
}
