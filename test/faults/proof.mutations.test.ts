import { expect, test } from 'vitest';
import { PROOF_TIMEOUT_MS, useProof } from '../support/proof-run.js';
import type { Report } from './proof.js';

const proof = useProof<Report>('faults');

test(
  'the proof turns red when settle records nothing',
  async () => {
    const args = ['--only', 'temporal-killed', '--size', '4', '--short', '--patience', '8', '--json'];
    const run = proof.start(args, { WAYBILL_FAULTS_MUTATION: 'settle-dropped' });
    const { status, stdout, stderr } = await run.ended;
    expect(status, stderr).toBe(1);
    const report = proof.reportOf(stdout);
    expect(report.verdict).toBe('red');
    expect(report.rows[0]?.stuck).toBeGreaterThan(0);
  },
  PROOF_TIMEOUT_MS,
);
