import { expect, test } from 'vitest';
import { untilNoneIsLeft } from '../setup/launch.js';
import { PROOF_TIMEOUT_MS, useProof } from '../support/proof-run.js';
import type { Report } from './proof.js';

const proof = useProof<Report>('faults');

const QUICK = ['commit-lost', 'read-only', 'temporal-cut'];

test(
  'a small proof by faults ends green, and nothing of it is left behind',
  async () => {
    const run = proof.start(['--only', QUICK.join(','), '--size', '6', '--short', '--json']);
    const { status, stdout, stderr } = await run.ended;
    expect(status, stderr).toBe(0);
    const report = proof.reportOf(stdout);
    expect(report).toMatchObject({ verdict: 'green', reasons: [], size: 6, short: true });
    expect(report.rows.map((row) => row.fault)).toEqual(QUICK);
    for (const row of report.rows) {
      expect(row).toMatchObject({ lost: 0, stuck: 0, unexplained: 0, wrongState: 0, tries: 0, fellAlone: 0 });
      expect(row).toMatchObject({ publishUncoded: 0, publishForgotten: 0, publishNotOne: 0 });
      expect(row.blows).toBeGreaterThan(0);
      expect(row.secondsLong).toBeGreaterThanOrEqual(4);
      expect(row.secondsToFirstDelivery).not.toBeNull();
      expect(row.memoryMb.after).toBeGreaterThan(0);
    }
    const [, readOnly, temporalCut] = report.rows;
    expect(readOnly?.publishDuringFault.errors['database_unavailable']).toBeGreaterThan(0);
    // Whoever publishes needs no Temporal.
    expect(temporalCut?.publishDuringFault).toMatchObject({ errors: {} });
    expect(temporalCut?.publishDuringFault.succeeded).toBeGreaterThan(0);
    await untilNoneIsLeft(run.dataDir);
  },
  PROOF_TIMEOUT_MS,
);

test(
  'ended in the middle, with a link held, it leaves nothing behind',
  async () => {
    const run = proof.start(['--only', 'database-half-open', '--size', '4']);
    await run.until('database-half-open lasts');
    run.child.kill('SIGINT');
    expect((await run.ended).status).toBe(130);
    await untilNoneIsLeft(run.dataDir);
  },
  PROOF_TIMEOUT_MS,
);

test(
  'an unknown fault is refused with status 2 before anything starts',
  async () => {
    const run = proof.start(['--only', 'meteor']);
    const { status, stdout, stderr } = await run.ended;
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain('there is no meteor');
  },
  PROOF_TIMEOUT_MS,
);
