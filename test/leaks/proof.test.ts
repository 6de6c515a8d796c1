import { expect, test } from 'vitest';
import { untilNoneIsLeft } from '../setup/launch.js';
import { PROOF_TIMEOUT_MS, useProof } from '../support/proof-run.js';
import type { Report } from './proof.js';

const proof = useProof<Report>('secrets');

test(
  'a short search for planted secrets finds none, and nothing of it is left behind',
  async () => {
    const run = proof.start(['--short', '--json']);
    const { status, stdout, stderr } = await run.ended;
    expect(status, stderr).toBe(0);
    const report = proof.reportOf(stdout);
    expect(report).toMatchObject({ verdict: 'green', reasons: [], short: true });
    expect(report.rows.length).toBeGreaterThan(20);
    expect(report.classes).toMatchObject({ '302': 'redirect', mutual: 'server_error', crash: 'success' });
    await untilNoneIsLeft(run.dataDir);
  },
  PROOF_TIMEOUT_MS,
);
