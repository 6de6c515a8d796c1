import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, makeTelemetryFilterString, NativeConnection, Runtime } from '@temporalio/worker';
import type { Clock } from '../../src/clock.js';
import { WaybillClient } from '../../src/client.js';
import { loadConfig, type Config } from '../../src/config.js';
import { setUpTemporal } from '../../src/operate/set-up.js';
import { silentLog, type Log } from '../../src/watch/log.js';
import { startWorker, type Role, type RunningWorker } from '../../src/worker.js';
import type { TestDatabase } from './database.js';
import { TEST_KEYS } from './obligations.js';
import { issue, makeAuthority, type ServerIdentity } from './tls.js';

/** A certificate authority that the test's workers trust, and a server certificate by it for loopback. */
export interface Trust {
  readonly tls: ServerIdentity;
  readonly caFile: string;
  dispose(): void;
}

export async function makeTrust(): Promise<Trust> {
  const authority = await makeAuthority();
  const folder = mkdtempSync(join(tmpdir(), 'waybill-ca-'));
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, authority.cert);
  const tls = await issue(authority, { hosts: ['localhost', '127.0.0.1'] });
  return { tls, caFile, dispose: () => rmSync(folder, { recursive: true }) };
}

let runtimeInstalled = false;

/** Quiet, and leaves signals to the test runner. Once for each process, as the SDK wants it. */
export function installRuntime(): void {
  if (runtimeInstalled) return;
  runtimeInstalled = true;
  Runtime.install({
    logger: new DefaultLogger('ERROR', () => {}),
    shutdownSignals: [],
    telemetryOptions: {
      logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }), forward: {} },
    },
  });
}

export interface TemporalSide {
  readonly client: Client;
  readonly connection: NativeConnection;
  readonly namespace: string;
}

export interface TestWaybill {
  readonly client: WaybillClient;
  readonly config: Config;
  readonly taskQueue: string;
  readonly worker: RunningWorker;
  stop(): Promise<void>;
}

/** A Temporal server, connected and with Waybill's search attributes. */
export async function connectTemporal(
  address: string,
  identity?: string,
): Promise<TemporalSide & { close(): Promise<void> }> {
  installRuntime();
  const client = new Client({
    connection: await Connection.connect({ address }),
    ...(identity ? { identity } : {}),
  });
  const connection = await NativeConnection.connect({ address });
  await setUpTemporal(client, 'default');
  return {
    client,
    connection,
    namespace: 'default',
    async close() {
      await connection.close();
      await client.connection.close();
    },
  };
}

let serial = 0;

/** A whole worker on a task queue of its own, and a client beside it. */
export async function startWaybill(
  db: Pick<TestDatabase, 'url'>,
  temporalSide: TemporalSide,
  trust: Trust,
  options: {
    clock?: Clock;
    roles?: readonly Role[];
    env?: Record<string, string>;
    log?: Log;
    taskQueue?: string;
    /** The workflows of a release instead of today's. */
    workflowBundle?: string;
  } = {},
): Promise<TestWaybill> {
  installRuntime();
  const config = loadConfig({
    WAYBILL_DATABASE_URL: db.url,
    WAYBILL_KEYS: TEST_KEYS,
    WAYBILL_ALLOW: 'localhost,127.0.0.0/8',
    WAYBILL_EXTRA_CA_FILE: trust.caFile,
    WAYBILL_DRAIN_MS: '90000', // covers every deadline that a test sets; costs nothing while nothing is sent
    ...options.env,
  });
  const taskQueue = options.taskQueue ?? `test-${process.pid}-${++serial}`;
  const worker = await startWorker({
    config,
    roles: options.roles ?? ['relay', 'obligations', 'sends'],
    connection: temporalSide.connection,
    workflows: temporalSide.client.workflow,
    namespace: temporalSide.namespace,
    log: options.log ?? silentLog,
    taskQueue,
    ...(options.clock ? { clock: options.clock } : {}),
    ...(options.workflowBundle ? { workflowBundle: options.workflowBundle } : {}),
  });
  const client = new WaybillClient({ config, actor: 'test' });
  return {
    client,
    config,
    taskQueue,
    worker,
    async stop() {
      await worker.stop();
      await client.close();
    },
  };
}

/** Looks until `find` answers something, for at most `withinMs`. */
export async function eventually<T>(
  find: () => Promise<T | undefined>,
  what: string,
  withinMs = 20_000,
): Promise<T> {
  const end = performance.now() + withinMs;
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    if (performance.now() > end) throw new Error(`not within ${withinMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
