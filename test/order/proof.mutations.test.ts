import { expect, test } from 'vitest';
import { shortIn } from '../support/proof-rows.js';
import { PROOF_TIMEOUT_MS, useProof } from '../support/proof-run.js';
import type { OrderMutation } from './mutations.js';
import type { Report } from './proof.js';

const proof = useProof<Report>('order');

test.each<[OrderMutation, string]>([
  ['order-ignored', 'serialize: older versions begun after a newer one, unmarked'],
  ['stale-sent', 'skip-stale: older versions begun after a newer one'],
  ['mark-forgotten', 'serialize: late versions sent out-of-order'],
])(
  'proof:order turns red by %s',
  async (mutation, short) => {
    const small = [
      '--shipments',
      '20',
      '--versions',
      '4',
      '--subscribers',
      '1',
      '--patience',
      '20',
      '--json',
    ];
    const run = proof.start(small, { WAYBILL_ORDER_MUTATION: mutation });
    const { status, stdout, stderr } = await run.ended;
    expect(status, stderr).toBe(1);
    expect(shortIn(proof.reportOf(stdout))).toContain(short);
  },
  PROOF_TIMEOUT_MS,
);
