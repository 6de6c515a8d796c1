import { expect, test } from 'vitest';
import { untilNoneIsLeft } from '../setup/launch.js';
import { shortIn } from '../support/proof-rows.js';
import { PROOF_TIMEOUT_MS, useProof } from '../support/proof-run.js';
import type { Report } from './proof.js';
import { SMALL } from './small.js';

const proof = useProof<Report>('fairness');

test(
  'a small proof of fair shares ends green, and nothing of it is left behind',
  async () => {
    const run = proof.start([...SMALL, '--json']);
    const { status, stdout, stderr } = await run.ended;
    expect(status, stderr).toBe(0);
    const report = proof.reportOf(stdout);
    expect(report).toMatchObject({ verdict: 'green', fanout: 300 });
    expect(shortIn(report)).toEqual([]);
    await untilNoneIsLeft(run.dataDir);
  },
  PROOF_TIMEOUT_MS,
);

test('wrong usage is told', async () => {
  const run = proof.start(['--limited', 'all']);
  const { status, stderr } = await run.ended;
  expect(status).toBe(2);
  expect(stderr).toContain('--limited must be a whole number');
});
