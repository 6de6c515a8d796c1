import { expect, test } from 'vitest';
import { untilNoneIsLeft } from '../setup/launch.js';
import { PROOF_TIMEOUT_MS, useProof } from '../support/proof-run.js';
import type { Report } from './proof.js';

const proof = useProof<Report>('reconcile');

const SMALL = ['--size', '10', '--json'];

test(
  'what is taken away by hand is named, mended and delivered, or held; nothing of the proof is left behind',
  async () => {
    const run = proof.start(SMALL);
    const { status, stdout, stderr } = await run.ended;
    expect(status, stderr).toBe(0);
    const report = proof.reportOf(stdout);
    expect(report).toMatchObject({ verdict: 'green', reasons: [], size: 10 });
    expect(report).toMatchObject({ strange: [], dryRunChanged: false, foundAgain: 0 });
    expect(report.rows.reduce((sum, row) => sum + row.obligations, 0)).toBe(40);
    expect(new Set(report.rows.map((row) => row.kind))).toEqual(
      new Set([
        ...['outbox-not-relayed', 'event-not-relayed', 'workflow-missing', 'workflow-terminated'],
        ...['record-missing', '-'],
      ]),
    );
    for (const row of report.rows) {
      expect(row).toMatchObject({ notNamed: 0, wrongEnd: 0, unexplained: 0 });
      expect([row.named, row.repaired]).toEqual([row.removed, row.removed]);
      expect(row.delivered + row.held + row.terminated).toBe(row.obligations);
      if (row.kind !== '-') expect(row.removed).toBeGreaterThan(0);
    }
    expect(stderr).toMatch(/^proof:reconcile: the dry run named \d+$/m);
    await untilNoneIsLeft(run.dataDir);
  },
  PROOF_TIMEOUT_MS,
);

test(
  'ended in the middle it leaves nothing behind',
  async () => {
    const run = proof.start(SMALL);
    await run.until('before the relay stops');
    run.child.kill('SIGINT');
    expect((await run.ended).status).toBe(130);
    await untilNoneIsLeft(run.dataDir);
  },
  PROOF_TIMEOUT_MS,
);

test('a size of nothing is refused with status 2 before anything starts', async () => {
  const run = proof.start(['--size', '0']);
  const { status, stdout, stderr } = await run.ended;
  expect(status).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toContain('--size must be a whole number from 10 to 2000');
});
