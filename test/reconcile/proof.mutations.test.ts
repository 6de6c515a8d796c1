import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { wipeDataDir } from '../../scripts/stack/data-dir.js';
import { startScript, type ScriptRun } from '../support/script-run.js';
import type { Report } from './proof.js';

const RUN_TIMEOUT_MS = 400_000;

let run: ScriptRun | undefined;
afterEach(async () => {
  await run?.dispose();
  run = undefined;
}, RUN_TIMEOUT_MS);

const startProof = (args: readonly string[], env: Record<string, string> = {}): ScriptRun =>
  startScript('scripts/proof-reconcile.ts', args, env, async (dataDir) => {
    const data = join(dataDir, 'proof-reconcile');
    if (existsSync(data)) await wipeDataDir(data); // its Postgres may lie elsewhere, behind a link
  });
const reportOf = (stdout: string): Report => JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Report;

const SMALL = ['--size', '10', '--json'];

describe('the proof turns red', () => {
  const red = async (mutation: string, patience: string): Promise<Report> => {
    run = startProof([...SMALL, '--patience', patience], { WAYBILL_RECONCILE_MUTATION: mutation });
    const { status, stdout, stderr } = await run.ended;
    expect(status, stderr).toBe(1);
    return reportOf(stdout);
  };

  test(
    'when what may have been sent is not held',
    async () => {
      const { rows } = await red('record-lost-not-held', '120');
      const all = rows.find((row) => row.what === 'all of a delivered one');
      expect(all?.held).toBe(0);
      expect(all?.unexplained).toBeGreaterThan(0);
    },
    RUN_TIMEOUT_MS,
  );

  test(
    'when a row is said to be rebuilt and is not',
    async () => {
      const { rows, reasons } = await red('rebuild-nothing', '20');
      expect(rows.find((row) => row.what === 'row')?.wrongEnd).toBeGreaterThan(0);
      expect(reasons).toContainEqual(expect.stringMatching(/were still open at the end$/));
    },
    RUN_TIMEOUT_MS,
  );
});
