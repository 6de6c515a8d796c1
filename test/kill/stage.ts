import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReceiverSettings } from '../../demo/receiver.js';
import { buildWorkflowBundle } from '../../scripts/build-workflow-bundle.js';
import { freePorts } from '../../scripts/stack/ports.js';
import { startStack, type Stack } from '../../scripts/stack/stack.js';
import { issue, makeAuthority } from '../support/tls.js';
import { buildOnce } from './build.js';
import { openLink, type Link } from './link.js';
import { PROCESSES, type ProcessName } from './plan.js';
import { ask, openTroupe, scriptArgs, type Member, type Troupe } from './troupe.js';

const ROLES: Readonly<Record<ProcessName, string>> = {
  relay: 'relay',
  'worker-a': 'obligations,sends',
  'worker-b': 'obligations,sends',
};
/** Time to settle in; with the deadline of a send (plan of a round) it makes the lease. */
const LEASE_MARGIN_MS = 1_000;
/** Above the lease of the longest deadline that a proof gives (`test/faults` has 4 s), or workers refuse to start. */
const DRAIN_MS = 5_000;

export interface Links {
  readonly Postgres: Link;
  readonly Temporal: Link;
}

/** A way to Postgres of its own. */
export interface Office {
  readonly link: Link;
  readonly databaseUrl: string;
}

/** Everything that runs during a proof by kill, and the handles by which it is made to fail. */
export interface Stage {
  readonly stack: Stack;
  readonly say: (line: string) => void;
  /** For whoever is no victim: past the links. */
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly journal: string;
  /** In front of the receiver, for both workers. */
  readonly receiver: Link;
  /** Where subscribers' URLs lead: to that link. */
  readonly receiverPort: number;
  /** To Postgres, of those who publish and act. */
  readonly offices: Readonly<Record<'publisher' | 'operator', Office>>;
  readonly links: Readonly<Record<ProcessName, Links>>;
  readonly troupe: Troupe;
  member(name: ProcessName): Member;
  /** Starts one again that has died; resolves once it is ready. */
  restart(name: ProcessName): Promise<void>;
  /** Hands signing secrets over, by name; those told before stay. */
  tellSecrets(secrets: Readonly<Record<string, string>>): Promise<void>;
  /** From now on this subscriber's endpoint behaves. */
  mend(name: string): Promise<void>;
  /** Ends everything, whatever state it is in. A second call waits for the first. */
  stop(): Promise<void>;
}

export interface StageOptions {
  readonly dataDir: string;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

export async function setStage({ dataDir, signal, say }: StageOptions): Promise<Stage> {
  const stack = await startStack({
    ...{ fresh: true, ui: false, durable: true, temporalDbFile: 'temporal.db' },
    ...{ dataDir, signal, onProgress: say },
  });
  const folder = join(stack.dataDir, 'kill');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  const links: Link[] = [];
  const troupe = openTroupe(folder);
  let stopped: Promise<void> | undefined;
  const stop = () =>
    (stopped ??= (async () => {
      await troupe.stop();
      await Promise.all(links.map((link) => link.close()));
      await stack.stop();
    })());
  try {
    const bundle = join(folder, 'workflow-bundle.js');
    await buildWorkflowBundle(bundle);
    const program = buildOnce(join(folder, 'build'), 'test/kill/worker.ts');
    const { settings, caFile } = await props(folder);
    const settingsFile = join(folder, 'receiver.json');
    writeFileSync(settingsFile, JSON.stringify(settings), { mode: 0o600 });
    const common = {
      ...stack.env,
      WAYBILL_ALLOW: '127.0.0.0/8',
      WAYBILL_EXTRA_CA_FILE: caFile,
      WAYBILL_LEASE_MARGIN_MS: String(LEASE_MARGIN_MS),
      WAYBILL_DRAIN_MS: String(DRAIN_MS),
    };
    const open = async (port: string): Promise<Link> => {
      const link = await openLink(Number(port));
      links.push(link);
      return link;
    };
    const linked = async (): Promise<Links> => ({
      Postgres: await open(new URL(stack.appUrl).port),
      Temporal: await open((stack.temporalAddress ?? '').split(':')[1] ?? ''),
    });
    const receiver = await open(String(settings.port));
    const throughLink = (link: Link): string => {
      const url = new URL(stack.appUrl);
      url.port = String(link.port);
      return url.href;
    };
    const office = async (): Promise<Office> => {
      const link = await open(new URL(stack.appUrl).port);
      return { link, databaseUrl: throughLink(link) };
    };
    const offices = { publisher: await office(), operator: await office() };
    const byName = { relay: await linked(), 'worker-a': await linked(), 'worker-b': await linked() };

    const start = async (name: ProcessName): Promise<void> => {
      const [port] = (await freePorts(1)) as [number];
      await troupe.start(name, [program, ROLES[name], bundle], port, {
        ...common,
        WAYBILL_DATABASE_URL: throughLink(byName[name].Postgres),
        TEMPORAL_ADDRESS: `127.0.0.1:${byName[name].Temporal.port}`,
        WAYBILL_KILL_PORT: String(port),
      });
    };
    const control = settings.controlPort;
    await troupe.start('receiver', scriptArgs('demo/receiver.ts', settingsFile), control, common);
    await Promise.all(PROCESSES.map(start));
    return {
      ...{ stack, say, folder, links: byName, troupe, stop, restart: start },
      env: common,
      journal: settings.journal,
      ...{ receiver, offices },
      receiverPort: receiver.port,
      member: (name) => troupe.member(name),
      tellSecrets: async (secrets) => {
        writeFileSync(settings.secretsFile, JSON.stringify(secrets), { mode: 0o600 });
        await ask(control, 'secrets');
      },
      mend: (name) => ask(control, `mend/${name}`),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Ports, certificates and files of the receiver. */
async function props(folder: string): Promise<{ settings: ReceiverSettings; caFile: string }> {
  const [port, strangerPort, controlPort] = (await freePorts(3)) as [number, number, number];
  const authority = await makeAuthority('Waybill kill root');
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
