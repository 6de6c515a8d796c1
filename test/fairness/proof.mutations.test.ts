import { expect, test } from 'vitest';
import { shortIn } from '../support/proof-rows.js';
import { PROOF_TIMEOUT_MS, useProof } from '../support/proof-run.js';
import type { FairnessMutation } from './mutations.js';
import type { Report } from './proof.js';
import { SMALL } from './small.js';

const proof = useProof<Report>('fairness');

test.each<[FairnessMutation, string]>([
  ['rate-ignored', 'limited: requests in the fullest second at 5/s'],
  ['cap-ignored', 'hanging: requests open at once, two workers'],
  ['line-forgotten', 'limited: claimsPerDelivery, by the histories of what was delivered in the measurement'],
  ['change-untold', 'limited: seconds until 50/s shows at the receiver'],
  ['one-queue', 'retries: ms from due to begun, p99'],
])(
  'proof:fairness turns red by %s',
  async (mutation, short) => {
    const run = proof.start([...SMALL, '--json'], { WAYBILL_FAIRNESS_MUTATION: mutation });
    const { status, stdout, stderr } = await run.ended;
    expect(status, stderr).toBe(1);
    expect(shortIn(proof.reportOf(stdout))).toContain(short);
  },
  PROOF_TIMEOUT_MS,
);
