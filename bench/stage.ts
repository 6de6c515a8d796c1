import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from '@temporalio/client';
import type pg from 'pg';
import { buildWorkflowBundle } from '../scripts/build-workflow-bundle.js';
import { freePorts } from '../scripts/stack/ports.js';
import { startStack, type Stack } from '../scripts/stack/stack.js';
import { WaybillClient } from '../src/client.js';
import { loadConfig } from '../src/config.js';
import { RECONCILE_SCHEDULE } from '../src/contract.js';
import { makePool } from '../src/ledger/pool.js';
import { connectClient } from '../src/temporal.js';
import { buildOnce } from '../test/kill/build.js';
import { openTroupe, scriptArgs } from '../test/kill/troupe.js';
import { issue, makeAuthority } from '../test/support/tls.js';
import { call } from './control.js';
import type { FloorSettings } from './floor/worker.js';
import type { Options } from './options.js';
import type { ReceiverSettings } from './receivers.js';

/** The processes whose cost is told; `receivers` are the world's. */
export type Part = 'temporal' | 'postgres' | 'worker' | 'relay' | 'floor' | 'receivers';

/** Everything that runs during a bench, and the ways to look at it. */
export interface Stage {
  readonly client: WaybillClient;
  /** As the schema's owner. */
  readonly ledger: pg.Pool;
  readonly temporal: Client;
  readonly namespace: string;
  /** Ports of the receivers, each an origin of its own. */
  readonly ports: readonly number[];
  /** None where it can't be seen from here, as a Temporal elsewhere. */
  readonly pids: Readonly<Record<Part, readonly number[]>>;
  /** Says something to the receivers' or the floor's control endpoint. */
  receivers<Answer>(path: string): Promise<Answer>;
  floor<Answer>(path: string, body: object): Promise<Answer>;
  /** Ends everything, whatever state it is in. */
  stop(): Promise<void>;
}

export interface StageOptions extends Options {
  readonly dataDir: string;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

interface Parts {
  /** Whether the floor's worker runs as well. */
  readonly withFloor: boolean;
  /** Whether reconciliation runs every few minutes, as it does: it would fall into some repeats and not into others. */
  readonly reconciles: boolean;
}

/** Up to so many origins; more subscribers than this share them. */
const PORTS = 100;
const FLOOR_QUEUE = 'floor';
const FLOOR_WORKFLOWS = fileURLToPath(new URL('floor/workflows.ts', import.meta.url));

/**
 * A stack of its own, receivers, a worker (obligations and sends) and a relay, each a process; and the floor's worker,
 * where `withFloor`. The stack's Temporal is the environment's where TEMPORAL_ADDRESS is set.
 */
export async function setStage(options: StageOptions, { withFloor, reconciles }: Parts): Promise<Stage> {
  const { dataDir, say, signal, temporalPids } = options;
  const elsewhere = Boolean(process.env['TEMPORAL_ADDRESS']);
  const stack = await startStack({
    ...{ fresh: true, ui: false, temporal: !elsewhere, dataDir, signal },
    onProgress: say,
  });
  const closers: (() => Promise<unknown>)[] = [() => stack.stop()];
  const stop = async (): Promise<void> => {
    for (let close = closers.pop(); close; close = closers.pop()) await close();
  };
  try {
    const folder = join(stack.dataDir, 'bench');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { mode: 0o700 });
    const troupe = openTroupe(folder);
    closers.push(() => troupe.stop());
    say('building');
    const { program, floorProgram, floorBundle } = await build(join(folder, 'build'));
    const [receiversPort, floorPort] = (await freePorts(2)) as [number, number];
    const { settingsFile, caFile } = await props(folder, receiversPort);
    const env = {
      ...stack.env,
      WAYBILL_ALLOW: '127.0.0.1',
      WAYBILL_EXTRA_CA_FILE: caFile,
    };

    say('starting receivers, worker and relay');
    const receivers = await troupe.start(
      'receivers',
      scriptArgs('bench/receivers.ts', settingsFile),
      receiversPort,
      env,
    );
    const waybill = (name: string, roles: string) =>
      troupe.startUntil(name, [program, 'worker', '--roles', roles], 'worker ready', env);
    const worker = await waybill('worker', 'obligations,sends');
    const relay = await waybill('relay', 'relay');
    const floorFile = join(folder, 'floor.json');
    const floorSettings: FloorSettings = {
      controlPort: floorPort,
      taskQueue: FLOOR_QUEUE,
      workflowBundle: floorBundle,
    };
    writeFileSync(floorFile, JSON.stringify(floorSettings));
    const floor = withFloor
      ? await troupe.start('floor', [floorProgram, floorFile], floorPort, env)
      : undefined;

    const client = new WaybillClient({ config: loadConfig(env), actor: 'bench' });
    closers.push(() => client.close());
    const ledger = makePool({ url: stack.adminUrl, max: 4, statementTimeoutMs: 600_000 });
    closers.push(() => ledger.end());
    const temporal = await reach(stack);
    closers.push(() => temporal.close());
    if (!elsewhere && !reconciles)
      await temporal.client.schedule.getHandle(RECONCILE_SCHEDULE).pause('a bench runs');

    const pidsOf = (pid: number | undefined): number[] => (pid === undefined ? [] : [pid]);
    return {
      ...{ client, ledger, temporal: temporal.client, namespace: temporal.namespace, stop },
      ports: await call<number[]>(receiversPort, 'ports'),
      pids: {
        temporal: elsewhere ? temporalPids : pidsOf(stack.pidOf('Temporal')),
        postgres: pidsOf(stack.pidOf('Postgres')),
        worker: [worker.process.pid],
        relay: [relay.process.pid],
        floor: pidsOf(floor?.process.pid),
        receivers: [receivers.process.pid],
      },
      receivers: (path) => call(receiversPort, path, undefined, signal),
      floor: (path, body) => call(floorPort, path, body, signal),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function build(folder: string) {
  const program = buildOnce(folder, 'src/cli.ts', 'bench/floor/worker.ts');
  await buildWorkflowBundle(join(folder, 'src/workflow-bundle.js'));
  const floorBundle = join(folder, 'bench/floor/workflow-bundle.js');
  await buildWorkflowBundle(floorBundle, FLOOR_WORKFLOWS);
  return { program, floorBundle, floorProgram: join(folder, 'bench/floor/worker.js') };
}

async function props(folder: string, controlPort: number): Promise<{ settingsFile: string; caFile: string }> {
  const authority = await makeAuthority('Waybill bench root');
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, authority.cert);
  const settingsFile = join(folder, 'receivers.json');
  const identity = await issue(authority, { hosts: ['127.0.0.1'] });
  const settings: ReceiverSettings = { identity, controlPort, ports: PORTS };
  writeFileSync(settingsFile, JSON.stringify(settings), { mode: 0o600 });
  return { settingsFile, caFile };
}

/** Temporal's own environment says where it is: the stack's, unless it had been set already. */
async function reach(stack: Stack) {
  for (const [name, value] of Object.entries(stack.env))
    if (name.startsWith('TEMPORAL_')) process.env[name] = value;
  return connectClient();
}
