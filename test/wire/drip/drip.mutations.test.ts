import { expect, test } from 'vitest';
import { shortIn } from '../../support/proof-rows.js';
import { PROOF_TIMEOUT_MS, useProof } from '../../support/proof-run.js';
import type { Report } from './prove.js';

const proof = useProof<Report>('drip');

test.each([
  ['late', ['ms over the deadline, on record', 'ms over the deadline, as receivers saw it']],
  ['held', ['descriptors left over', 'connections left over at the receivers']],
])(
  'proof:drip turns red by the wire that is %s',
  async (mutation, short) => {
    const few = ['--drips', '4', '--healthy', '4', '--timeout-ms', '4000', '--json'];
    const run = proof.start(few, { WAYBILL_DRIP_MUTATION: mutation });
    const { status, stdout, stderr } = await run.ended;
    expect(status, stderr).toBe(1);
    expect(shortIn(proof.reportOf(stdout))).toEqual(expect.arrayContaining(short));
  },
  PROOF_TIMEOUT_MS,
);
