import { expect, test } from 'vitest';
import { untilNoneIsLeft } from '../../setup/launch.js';
import { shortIn } from '../../support/proof-rows.js';
import { PROOF_TIMEOUT_MS, useProof } from '../../support/proof-run.js';
import type { Report } from './prove.js';

const proof = useProof<Report>('drip');

test(
  'a small proof against receivers that drip ends green, and nothing of it is left behind',
  async () => {
    // While other tests run a deadline is seen late for want of a processor; the proof itself wants 250 ms.
    const small = ['--drips', '20', '--healthy', '60', '--timeout-ms', '15000', '--late-ms', '10000'];
    const run = proof.start([...small, '--json']);
    const { status, stdout, stderr } = await run.ended;
    expect(status, stderr).toBe(0);
    const report = proof.reportOf(stdout);
    expect(report).toMatchObject({ verdict: 'green', drips: 20, healthy: 60, timeoutMs: 15_000 });
    expect(shortIn(report)).toEqual([]);
    expect(report.rows).toHaveLength(14);
    expect(report.rssBytes.alone).toBeGreaterThan(0);
    expect(report.descriptors.most).toBeGreaterThanOrEqual(report.descriptors.resting + 20);
    await untilNoneIsLeft(run.dataDir);
  },
  PROOF_TIMEOUT_MS,
);

test(
  'ended in the middle it leaves nothing behind',
  async () => {
    const run = proof.start(['--drips', '4', '--healthy', '20']);
    await run.until('to warm up');
    run.child.kill('SIGINT');
    expect((await run.ended).status).toBe(130);
    await untilNoneIsLeft(run.dataDir);
  },
  PROOF_TIMEOUT_MS,
);

test('wrong usage is told', async () => {
  const run = proof.start(['--drips', 'many']);
  const { status, stderr } = await run.ended;
  expect(status).toBe(2);
  expect(stderr).toContain('--drips must be a whole number');
});
