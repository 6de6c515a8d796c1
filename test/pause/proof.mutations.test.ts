import { expect, test } from 'vitest';
import { shortIn } from '../support/proof-rows.js';
import { PROOF_TIMEOUT_MS, useProof } from '../support/proof-run.js';
import type { PauseMutation } from './mutations.js';
import type { Report } from './proof.js';

const proof = useProof<Report>('pause');

test.each<[PauseMutation, RegExp]>([
  ['pause-ignored', /^subscriber: requests begun after the pause was confirmed$/],
  ['scope-ignored', /^account: requests begun after the pause was confirmed$/],
  // Whose send it was that the worker had in hand and had not begun, is chance.
  ['lease-outlived', /: requests begun after the pause was confirmed$/],
  ['ramp-ignored', /^requests in the worst second above ramp and burst$/],
  ['end-forgotten', /^subscriber paused until then: delivered without a resume$/],
])(
  'proof:pause turns red by %s',
  async (mutation, short) => {
    const small = ['--held', '60', '--ramp', '10', '--queued', '40', '--patience', '15', '--json'];
    const run = proof.start(small, { WAYBILL_PAUSE_MUTATION: mutation });
    const { status, stdout, stderr } = await run.ended;
    expect(status, stderr).toBe(1);
    expect(shortIn(proof.reportOf(stdout))).toContainEqual(expect.stringMatching(short));
  },
  PROOF_TIMEOUT_MS,
);
