import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { wipeDataDir } from '../../scripts/stack/data-dir.js';
import { startStack } from '../../scripts/stack/stack.js';
import {
  findTemporalProgram,
  TEMPORAL_CLI,
  TEMPORAL_TEST_SERVER,
} from '../../scripts/stack/temporal-binaries.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Superuser of the run's Postgres, on an empty database `waybill`; tests make databases of their own. */
    adminUrl: string;
    /** The same server as login role `waybill`, a member of `waybill_app`. */
    appUrl: string;
    /** The run's Temporal dev server, shared by all files: a task queue and ids of one's own, please. */
    temporalAddress: string;
    temporalCliPath: string;
    /** For `TestWorkflowEnvironment.createTimeSkipping` with `type: 'existing-path'`. */
    temporalTestServerPath: string;
  }
}

/**
 * Vitest's global set-up: one Postgres without fsync and one Temporal dev server for the run, in a temporary folder.
 * Their addresses reach tests through `inject('adminUrl')` and so on. Works for a plain `npx vitest`, too.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'waybill-test-'));
  chmodSync(dataDir, 0o711);
  const onProgress = (line: string) => void process.stderr.write(`test stack: ${line}\n`);
  const testServer = await findTemporalProgram(TEMPORAL_TEST_SERVER, { onProgress });
  const cli = await findTemporalProgram(TEMPORAL_CLI, { onProgress });
  const stack = await startStack({ dataDir, ui: false, durable: false, setup: false, onProgress });
  project.provide('adminUrl', stack.adminUrl);
  project.provide('appUrl', stack.appUrl);
  project.provide('temporalAddress', stack.temporalAddress ?? '');
  project.provide('temporalCliPath', cli);
  project.provide('temporalTestServerPath', testServer);
  return async () => {
    await stack.stop();
    await wipeDataDir(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  };
}
