import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { DeliverReport } from '../../bench/deliver.js';
import { wipeDataDir } from '../../scripts/stack/data-dir.js';
import { untilNoneIsLeft } from '../setup/launch.js';
import { PROOF_TIMEOUT_MS } from '../support/proof-run.js';
import { startScript, type ScriptRun } from '../support/script-run.js';

const runs: ScriptRun[] = [];
afterEach(async () => {
  for (const run of runs.splice(0)) await run.dispose();
}, PROOF_TIMEOUT_MS);

function bench(...args: string[]): ScriptRun {
  const run = startScript('bench/main.ts', args, {}, async (dataDir) => {
    const data = join(dataDir, 'bench');
    if (existsSync(data)) await wipeDataDir(data); // its Postgres may lie elsewhere, behind a link
  });
  runs.push(run);
  return run;
}

test(
  'a small bench of deliveries counts what it should, and nothing of it is left behind',
  async () => {
    const run = bench('deliver', '--size', '6', '--events', '2', '--repeats', '2', '--json');
    const { stdout, stderr } = await run.ended;
    const report = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as DeliverReport;
    // What it costs is no business of a test; that all was delivered once, and every process seen, is.
    const counts = report.rows.filter(({ limit }) => /^\d+$/.test(limit));
    expect(counts, stderr).toEqual(
      ['delivered by one attempt, by the ledger', 'keys received', 'requests received'].map((row) => ({
        ...{ row, limit: '12', measured: 12, ok: true },
      })),
    );
    expect(report).toMatchObject({ bench: 'deliver', events: 2, subscribers: 3, repeats: 2 });
    expect(report.ours).toHaveLength(2);
    expect(report.floor).toHaveLength(2);
    expect(report.cpuRatio).toBeGreaterThan(0);
    expect(report.throughputRatio).toBeGreaterThan(0);
    for (const { cpuMsEachByProcess: cost } of report.ours) expect(Object.values(cost)).not.toContain(null);
    await untilNoneIsLeft(run.dataDir);
  },
  PROOF_TIMEOUT_MS,
);

test('wrong usage is told', async () => {
  const { status, stderr } = await bench('fly').ended;
  expect(status).toBe(2);
  expect(stderr).toContain('the first word is one of deliver');
});
