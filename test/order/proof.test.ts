import { expect, test } from 'vitest';
import { untilNoneIsLeft } from '../setup/launch.js';
import { shortIn } from '../support/proof-rows.js';
import { PROOF_TIMEOUT_MS, useProof } from '../support/proof-run.js';
import type { Report } from './proof.js';

const proof = useProof<Report>('order');

test(
  'a small proof of order ends green, and nothing of it is left behind',
  async () => {
    const small = ['--shipments', '12', '--versions', '4', '--subscribers', '1', '--json'];
    const run = proof.start(small);
    const { status, stdout, stderr } = await run.ended;
    expect(status, stderr).toBe(0);
    const report = proof.reportOf(stdout);
    expect(report).toMatchObject({ verdict: 'green', shipments: 12, versions: 4, subscribers: 1, seed: 1 });
    expect(shortIn(report)).toEqual([]);
    await untilNoneIsLeft(run.dataDir);
  },
  PROOF_TIMEOUT_MS,
);

test('wrong usage is told', async () => {
  const run = proof.start(['--shipments', 'many']);
  const { status, stderr } = await run.ended;
  expect(status).toBe(2);
  expect(stderr).toContain('--shipments must be a whole number');
});
