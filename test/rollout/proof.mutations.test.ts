import { expect, test } from 'vitest';
import { shortIn } from '../support/proof-rows.js';
import { PROOF_TIMEOUT_MS, useProof } from '../support/proof-run.js';
import type { RolloutMutation } from './mutations.js';
import type { Report } from './proof.js';

const proof = useProof<Report>('rollout');

test.each<[RolloutMutation, string]>([
  ['shadow-sends', 'shadow: requests'],
  ['switch-ignored', 'cohort off: new obligations after its answer'],
  ['cap-ignored', 'cap: subscribers with requests'],
  ['left-out-forgotten', 'events whose counts do not add up'],
])(
  'proof:rollout turns red by %s',
  async (mutation, short) => {
    const small = ['--subscribers', '6', '--events', '4', '--patience', '20', '--json'];
    const run = proof.start(small, { WAYBILL_ROLLOUT_MUTATION: mutation });
    const { status, stdout, stderr } = await run.ended;
    expect(status, stderr).toBe(1);
    expect(shortIn(proof.reportOf(stdout))).toContain(short);
  },
  PROOF_TIMEOUT_MS,
);
