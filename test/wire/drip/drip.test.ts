import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { wipeDataDir } from '../../../scripts/stack/data-dir.js';
import { untilNoneIsLeft } from '../../setup/launch.js';
import { startScript, type ScriptRun } from '../../support/script-run.js';
import type { Report } from './prove.js';

/** Well under a minute on two quiet cores; the suite shares them. */
const RUN_TIMEOUT_MS = 300_000;

let run: ScriptRun | undefined;
afterEach(async () => {
  await run?.dispose();
  run = undefined;
}, RUN_TIMEOUT_MS);

const startProof = (args: readonly string[], env: Record<string, string> = {}): ScriptRun =>
  startScript('scripts/proof-drip.ts', args, env, async (dataDir) => {
    const data = join(dataDir, 'proof-drip');
    if (existsSync(data)) await wipeDataDir(data); // its Postgres may lie elsewhere, behind a link
  });

const reportOf = (stdout: string): Report => JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Report;

const shortIn = ({ rows }: Report): string[] => rows.filter(({ ok }) => !ok).map(({ row }) => row);

test(
  'a small proof against receivers that drip ends green, and nothing of it is left behind',
  async () => {
    // While other tests run a deadline is seen late for want of a processor; the proof itself wants 250 ms.
    const small = ['--drips', '20', '--healthy', '60', '--timeout-ms', '15000', '--late-ms', '10000'];
    run = startProof([...small, '--json']);
    const { status, stdout, stderr } = await run.ended;
    expect(status, stderr).toBe(0);
    const report = reportOf(stdout);
    expect(report).toMatchObject({ verdict: 'green', drips: 20, healthy: 60, timeoutMs: 15_000 });
    expect(shortIn(report)).toEqual([]);
    expect(report.rows).toHaveLength(14);
    expect(report.rssBytes.alone).toBeGreaterThan(0);
    expect(report.descriptors.most).toBeGreaterThanOrEqual(report.descriptors.resting + 20);
    await untilNoneIsLeft(run.dataDir);
  },
  RUN_TIMEOUT_MS,
);

test.each([
  ['late', ['ms over the deadline, on record', 'ms over the deadline, as receivers saw it']],
  ['held', ['descriptors left over', 'connections left over at the receivers']],
])(
  'it turns red by the wire that is %s',
  async (mutation, short) => {
    const few = ['--drips', '4', '--healthy', '4', '--timeout-ms', '4000', '--json'];
    run = startProof(few, { WAYBILL_DRIP_MUTATION: mutation });
    const { status, stdout, stderr } = await run.ended;
    expect(status, stderr).toBe(1);
    expect(shortIn(reportOf(stdout))).toEqual(expect.arrayContaining(short));
  },
  RUN_TIMEOUT_MS,
);

test(
  'ended in the middle it leaves nothing behind',
  async () => {
    run = startProof(['--drips', '4', '--healthy', '20']);
    await run.until('to warm up');
    run.child.kill('SIGINT');
    expect((await run.ended).status).toBe(130);
    await untilNoneIsLeft(run.dataDir);
  },
  RUN_TIMEOUT_MS,
);

test('wrong usage is told', async () => {
  run = startProof(['--drips', 'many']);
  const { status, stderr } = await run.ended;
  expect(status).toBe(2);
  expect(stderr).toContain('--drips must be a whole number');
});
