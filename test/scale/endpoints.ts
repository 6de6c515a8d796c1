import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from '../../scripts/stack/ports.js';
import { answerOf, ask, scriptArgs, type Troupe } from '../kill/troupe.js';
import { issue, makeAuthority } from '../support/tls.js';
import type { Behaviours } from './behaviour.js';
import { readRequests, type Mark, type SeenRequest } from './journal.js';
import type { ReceiverSettings } from './receiver.js';

/** The receivers of a proof: one process, and what it has seen. */
export interface Endpoints {
  /** `/group/name`, spread over the ports by `i`. */
  url(path: string, i?: number): string;
  /** These behave so from now on; others as before. */
  behave(behaviours: Behaviours): Promise<void>;
  /** What hangs is answered. */
  release(): Promise<void>;
  /** Requests that have begun and not ended, by group. */
  open(): Promise<Readonly<Record<string, number>>>;
  /** Writes a moment into the journal, by the receiver's own clock and row. */
  mark(name: string): Promise<Mark>;
  /** Everything so far, in the order in which the requests began. */
  requests(): SeenRequest[];
}

/** Starts the process on `ports` ports. `caFile` is to be trusted by whoever sends there. */
export async function openEndpoints(
  troupe: Troupe,
  folder: string,
  ports: number,
): Promise<{ endpoints: Endpoints; caFile: string }> {
  const [controlPort = 0, ...open] = await freePorts(ports + 1);
  const authority = await makeAuthority('Waybill scale root');
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, authority.cert);
  const settings: ReceiverSettings = {
    ...{ ports: open, controlPort, journal: join(folder, 'journal.ndjson') },
    identity: await issue(authority, { hosts: ['127.0.0.1', 'localhost'] }),
  };
  const settingsFile = join(folder, 'receiver.json');
  writeFileSync(settingsFile, JSON.stringify(settings), { mode: 0o600 });
  await troupe.start('receiver', scriptArgs('test/scale/receiver.ts', settingsFile), controlPort, {});
  return {
    caFile,
    endpoints: {
      url: (path, i = 0) => `https://127.0.0.1:${open[i % open.length]}${path}`,
      behave: (behaviours) => ask(controlPort, 'behave', behaviours),
      release: () => ask(controlPort, 'release'),
      open: () => answerOf<Record<string, number>>(controlPort, 'open'),
      mark: (name) => answerOf<Mark>(controlPort, `mark/${encodeURIComponent(name)}`),
      requests: () => readRequests(settings.journal),
    },
  };
}
