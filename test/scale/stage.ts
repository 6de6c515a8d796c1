import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { editFunction, type FunctionEdit } from '../../demo/mutation.js';
import { buildWorkflowBundle } from '../../scripts/build-workflow-bundle.js';
import { freePorts } from '../../scripts/stack/ports.js';
import { startStack, type Stack } from '../../scripts/stack/stack.js';
import { WaybillClient } from '../../src/client.js';
import { loadConfig } from '../../src/config.js';
import { makePool } from '../../src/ledger/pool.js';
import { ROLES } from '../../src/worker.js';
import { buildOnce, editBuild, type BuildEdit } from '../kill/build.js';
import { openTroupe, type Member, type Troupe } from '../kill/troupe.js';
import { openEndpoints, type Endpoints } from './endpoints.js';

/** The parts of a proof about many subscribers: a stack of its own, workers by name, and receivers. */
export interface Stage {
  readonly stack: Stack;
  /** What every Waybill process of it runs with. */
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly troupe: Troupe;
  readonly endpoints: Endpoints;
  /** As the schema's owner. */
  readonly ledger: pg.Pool;
  /** A `waybill worker` from a build of its own; resolves once it is ready. */
  worker(name: string, options?: WorkerOptions): Promise<Member>;
  /** The one of this account; closed with the stage. */
  client(account?: string): WaybillClient;
  /** Ends everything, whatever state it is in. */
  stop(): Promise<void>;
}

export interface WorkerOptions {
  /** All when unset. */
  readonly roles?: string;
  /** Obeys `POST /arm` on its port: it can be told to stop at a point (test/kill/worker.ts). */
  readonly stoppable?: boolean;
  /** Settings beside {@link Stage.env}. */
  readonly env?: Readonly<Record<string, string>>;
}

/** What every proof is called with. */
export interface Occasion {
  readonly dataDir: string;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

export interface StageOptions extends Occasion {
  /** Of the proof. */
  readonly name: string;
  /** Ports of the receivers; 4 when unset. */
  readonly ports?: number;
  /** Settings of all processes. */
  readonly env?: Readonly<Record<string, string>>;
  /** Breaks ledger and build before any worker runs. */
  readonly mutation?: Mutation | undefined;
}

/** Ways to break what a proof is about. */
export interface Mutation {
  readonly ledger?: readonly FunctionEdit[];
  readonly build?: readonly BuildEdit[];
}

const PORTS = 4;
/** Time to settle in; short, so that the lease of a worker that stands still is over soon. */
const LEASE_MARGIN_MS = 1_000;
const DRAIN_MS = 30_000;

export async function setStage(options: StageOptions): Promise<Stage> {
  const { dataDir, name, say, signal } = options;
  const stack = await startStack({
    ...{ fresh: true, ui: false, durable: false },
    ...{ dataDir, signal, onProgress: say },
  });
  const closers: (() => Promise<unknown>)[] = [() => stack.stop()];
  const stop = async (): Promise<void> => {
    for (let close = closers.pop(); close; close = closers.pop()) await close();
  };
  try {
    const folder = join(stack.dataDir, name);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { mode: 0o700 });
    const troupe = openTroupe(folder);
    closers.push(() => troupe.stop());
    for (const edit of options.mutation?.ledger ?? []) await editFunction(stack.adminUrl, edit);

    const build = join(folder, 'build');
    const program = join(build, 'src/cli.js');
    const stoppable = buildOnce(build, 'test/kill/worker.ts');
    const bundle = join(build, 'src/workflow-bundle.js');
    await buildWorkflowBundle(bundle);
    for (const edit of options.mutation?.build ?? []) editBuild(build, edit);

    const { caFile, endpoints } = await openEndpoints(troupe, folder, options.ports ?? PORTS);
    const env: Record<string, string> = {
      ...stack.env,
      ...{ WAYBILL_ALLOW: '127.0.0.0/8', WAYBILL_EXTRA_CA_FILE: caFile },
      ...{ WAYBILL_LEASE_MARGIN_MS: String(LEASE_MARGIN_MS), WAYBILL_DRAIN_MS: String(DRAIN_MS) },
      ...options.env,
    };
    const ledger = makePool({ url: stack.adminUrl, max: 4 });
    closers.push(() => ledger.end());
    const clients = new Map<string, WaybillClient>();
    closers.push(() => Promise.all([...clients.values()].map((client) => client.close())));
    return {
      ...{ stack, env, folder, troupe, endpoints, ledger, stop },
      worker: async (worker, { roles = ROLES.join(), stoppable: controlled = false, env: more } = {}) => {
        const own = { ...env, WAYBILL_WORKER_NAME: worker, ...more };
        if (!controlled)
          return troupe.startUntil(worker, [program, 'worker', '--roles', roles], 'worker ready', own);
        const [port = 0] = await freePorts(1);
        const withPort = { ...own, WAYBILL_KILL_PORT: String(port) };
        return troupe.start(worker, [stoppable, roles, bundle], port, withPort);
      },
      client: (account = 'default') => {
        const known = clients.get(account);
        if (known) return known;
        const client = new WaybillClient({ account, config: loadConfig(env), actor: `proof-${name}` });
        clients.set(account, client);
        return client;
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
