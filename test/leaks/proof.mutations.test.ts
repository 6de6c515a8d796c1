import { expect, test } from 'vitest';
import { PROOF_TIMEOUT_MS, useProof } from '../support/proof-run.js';
import type { Report } from './proof.js';

const proof = useProof<Report>('secrets');

test(
  'proof:secrets turns red by a secret in a log, and by nothing else',
  async () => {
    const run = proof.start(['--short', '--json'], { WAYBILL_SECRETS_MUTATION: 'leak' });
    const { status, stdout, stderr } = await run.ended;
    expect(status, stderr).toBe(1);
    const leaked = 'logs of workers, level trace: payload (URL-encoded)';
    expect(proof.reportOf(stdout)).toMatchObject({ verdict: 'red', reasons: [leaked] });
  },
  PROOF_TIMEOUT_MS,
);
