import { afterEach, expect, test } from 'vitest';
import { startScript, type ScriptRun } from '../../support/script-run.js';
import type { Report } from './prove.js';

const RUN_TIMEOUT_MS = 300_000;
let run: ScriptRun | undefined;
afterEach(async () => {
  await run?.dispose();
  run = undefined;
});

test(
  'a small proof against receivers that drip ends green',
  async () => {
    // While other tests run a deadline is seen late for want of a processor; the proof itself wants 250 ms.
    const small = ['--drips', '40', '--healthy', '200', '--timeout-ms', '6000', '--late-ms', '10000'];
    run = startScript('scripts/proof-drip.ts', [...small, '--json'], {});
    const { status, stdout, stderr } = await run.ended;
    expect(status, stderr).toBe(0);
    const report = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Report;
    expect(report).toMatchObject({ verdict: 'green', drips: 40, healthy: 200 });
    expect(report.rows).toHaveLength(9);
    expect(report.rssBytes.without).toBeGreaterThan(0);
  },
  RUN_TIMEOUT_MS,
);

test('wrong usage is told', async () => {
  run = startScript('scripts/proof-drip.ts', ['--drips', 'many'], {});
  const { status, stderr } = await run.ended;
  expect(status).toBe(2);
  expect(stderr).toContain('--drips must be a whole number');
});

test(
  'it turns red where a deadline is kept too late',
  async () => {
    const args = ['--drips', '2', '--healthy', '1', '--timeout-ms', '500', '--late-ms', '0', '--json'];
    run = startScript('scripts/proof-drip.ts', args, {});
    const { status, stdout } = await run.ended;
    const { rows } = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Report;
    expect(status).toBe(1);
    expect(rows.find(({ what }) => what.startsWith('ms over'))?.ok).toBe(false);
  },
  RUN_TIMEOUT_MS,
);
