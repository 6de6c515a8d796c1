import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { buildWorkflowBundle } from '../../../scripts/build-workflow-bundle.js';
import { freePorts } from '../../../scripts/stack/ports.js';
import { startStack } from '../../../scripts/stack/stack.js';
import { WaybillClient } from '../../../src/client.js';
import { loadConfig } from '../../../src/config.js';
import { makePool } from '../../../src/ledger/pool.js';
import { DEFAULT_POLICY } from '../../../src/policy/delivery-policy.js';
import { buildOnce } from '../../kill/build.js';
import { answerOf, ask, openTroupe, scriptArgs, type Member } from '../../kill/troupe.js';
import { issue, makeAuthority } from '../../support/tls.js';
import { mutateBuild } from './mutations.js';
import type { Options } from './options.js';
import type { Ports, ReceiverSettings, Seen } from './receivers.js';

/** Slots of the worker that no receiver can hold by dripping. */
const SPARE_SLOTS = 150;
const LEASE_MARGIN_MS = 10_000;

/** Everything that runs during the proof, and the ways to look at it. */
export interface Stage {
  readonly client: WaybillClient;
  /** As the schema's owner. */
  readonly ledger: pg.Pool;
  readonly ports: Ports;
  /** The worker that sends. */
  readonly sender: Member;
  readonly databasePort: number;
  seen(): Promise<Seen>;
  /** How late a timer of an idle process was at most since the last `forget`. */
  machineLateMs(): Promise<number>;
  /** Receivers and the idle process count anew from now on. */
  forget(): Promise<void>;
  /** Ends everything, whatever state it is in. */
  stop(): Promise<void>;
}

export interface StageOptions extends Options {
  readonly dataDir: string;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

export async function setStage(options: StageOptions): Promise<Stage> {
  const { dataDir, drips, mutation, say, signal, timeoutMs } = options;
  const stack = await startStack({ fresh: true, ui: false, dataDir, signal, onProgress: say });
  const closers: (() => Promise<unknown>)[] = [() => stack.stop()];
  const stop = async (): Promise<void> => {
    for (let close = closers.pop(); close; close = closers.pop()) await close();
  };
  try {
    const folder = join(stack.dataDir, 'drip');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { mode: 0o700 });
    const troupe = openTroupe(folder);
    closers.push(() => troupe.stop());

    const build = join(folder, 'build');
    const program = buildOnce(build, 'src/cli.ts');
    await buildWorkflowBundle(join(build, 'src/workflow-bundle.js'));
    if (mutation) mutateBuild(build, mutation);

    const [controlPort, idlePort] = (await freePorts(2)) as [number, number];
    const authority = await makeAuthority('Waybill drip root');
    const caFile = join(folder, 'ca.pem');
    writeFileSync(caFile, authority.cert);
    const settings: ReceiverSettings = {
      identity: await issue(authority, { hosts: ['127.0.0.1'] }),
      ...{ controlPort, drips },
    };
    const settingsFile = join(folder, 'receivers.json');
    writeFileSync(settingsFile, JSON.stringify(settings), { mode: 0o600 });

    const env = {
      ...stack.env,
      WAYBILL_ALLOW: '127.0.0.1',
      WAYBILL_EXTRA_CA_FILE: caFile,
      WAYBILL_LEASE_MARGIN_MS: String(LEASE_MARGIN_MS),
      WAYBILL_DRAIN_MS: String(Math.max(timeoutMs, DEFAULT_POLICY.timeoutMs) + LEASE_MARGIN_MS),
      WAYBILL_CONCURRENT_SENDS: String(drips + SPARE_SLOTS),
    };
    const worker = (name: string, roles: string) =>
      troupe.startUntil(name, [program, 'worker', '--roles', roles], 'worker ready', env);
    await troupe.start(
      'receivers',
      scriptArgs('test/wire/drip/receivers.ts', settingsFile),
      controlPort,
      env,
    );
    await troupe.start('idle', scriptArgs('test/wire/drip/idle.ts', String(idlePort)), idlePort, env);
    await worker('rest', 'relay,obligations');
    const sender = await worker('sender', 'sends');

    const client = new WaybillClient({ config: loadConfig(env), actor: 'proof-drip' });
    closers.push(() => client.close());
    const ledger = makePool({ url: stack.adminUrl, max: 2 });
    closers.push(() => ledger.end());
    return {
      ...{ client, ledger, sender, stop },
      ports: await answerOf<Ports>(controlPort, 'ports'),
      databasePort: Number(new URL(stack.appUrl).port),
      seen: () => answerOf<Seen>(controlPort, 'seen'),
      machineLateMs: () => answerOf<number>(idlePort, 'late'),
      forget: async () => void (await Promise.all([ask(controlPort, 'forget'), ask(idlePort, 'forget')])),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
