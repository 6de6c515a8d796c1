import { expect, test } from 'vitest';
import { untilNoneIsLeft } from '../setup/launch.js';
import { shortIn } from '../support/proof-rows.js';
import { PROOF_TIMEOUT_MS, useProof } from '../support/proof-run.js';
import type { Report } from './proof.js';

const proof = useProof<Report>('pause');

test(
  'a small proof of pauses ends green, and nothing of it is left behind',
  async () => {
    const small = ['--held', '100', '--ramp', '20', '--queued', '30', '--watch-ms', '1500'];
    const run = proof.start([...small, '--json']);
    const { status, stdout, stderr } = await run.ended;
    expect(status, stderr).toBe(0);
    const report = proof.reportOf(stdout);
    expect(report).toMatchObject({ verdict: 'green', held: 100, ramp: 20, queued: 30 });
    expect(shortIn(report)).toEqual([]);
    await untilNoneIsLeft(run.dataDir);
  },
  PROOF_TIMEOUT_MS,
);

test('wrong usage is told', async () => {
  const run = proof.start(['--held', 'all']);
  const { status, stderr } = await run.ended;
  expect(status).toBe(2);
  expect(stderr).toContain('--held must be a whole number');
});
