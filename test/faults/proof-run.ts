import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { wipeDataDir } from '../../scripts/stack/data-dir.js';
import { startScript, type ScriptRun } from '../support/script-run.js';
import type { Report } from './proof.js';

export type ProofRun = ScriptRun;

/** Starts `npm run proof:faults` as a process of its own with a data folder of its own. */
export const startProof = (args: readonly string[], env: Record<string, string> = {}): ProofRun =>
  startScript('scripts/proof-faults.ts', args, env, async (dataDir) => {
    const data = join(dataDir, 'proof-faults');
    if (existsSync(data)) await wipeDataDir(data); // its Postgres may lie elsewhere, behind a link
  });

/** The JSON object on stdout's last line. */
export const reportOf = (stdout: string): Report =>
  JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Report;
