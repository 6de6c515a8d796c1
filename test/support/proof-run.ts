import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { wipeDataDir } from '../../scripts/stack/data-dir.js';
import { startScript, type ScriptRun } from './script-run.js';

/** A proof takes a minute on two quiet cores; the suite shares them. */
export const PROOF_TIMEOUT_MS = 600_000;

/** `npm run proof:NAME` for the tests of one file; what a test started is ended and deleted after it. */
export function useProof<Report>(name: string) {
  const runs: ScriptRun[] = [];
  afterEach(async () => {
    for (const run of runs.splice(0)) await run.dispose();
  }, PROOF_TIMEOUT_MS);
  return {
    /** Starts it as a process of its own with a data folder of its own. */
    start(args: readonly string[], env: Record<string, string> = {}): ScriptRun {
      const run = startScript(`scripts/proof-${name}.ts`, args, env, async (dataDir) => {
        const data = join(dataDir, `proof-${name}`);
        if (existsSync(data)) await wipeDataDir(data); // its Postgres may lie elsewhere, behind a link
      });
      runs.push(run);
      return run;
    },
    /** The JSON object on stdout's last line. */
    reportOf: (stdout: string): Report => JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Report,
  };
}
