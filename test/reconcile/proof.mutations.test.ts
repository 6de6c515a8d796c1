import { describe, expect, test } from 'vitest';
import { PROOF_TIMEOUT_MS, useProof } from '../support/proof-run.js';
import type { Report } from './proof.js';

const proof = useProof<Report>('reconcile');

const SMALL = ['--size', '10', '--json'];

describe('the proof turns red', () => {
  const red = async (mutation: string, patience: string): Promise<Report> => {
    const run = proof.start([...SMALL, '--patience', patience], { WAYBILL_RECONCILE_MUTATION: mutation });
    const { status, stdout, stderr } = await run.ended;
    expect(status, stderr).toBe(1);
    return proof.reportOf(stdout);
  };

  test(
    'when what may have been sent is not held',
    async () => {
      const { rows } = await red('record-lost-not-held', '120');
      const all = rows.find((row) => row.what === 'all of a delivered one');
      expect(all?.held).toBe(0);
      expect(all?.unexplained).toBeGreaterThan(0);
    },
    PROOF_TIMEOUT_MS,
  );

  test(
    'when a row is said to be rebuilt and is not',
    async () => {
      const { rows, reasons } = await red('rebuild-nothing', '20');
      expect(rows.find((row) => row.what === 'row')?.wrongEnd).toBeGreaterThan(0);
      expect(reasons).toContainEqual(expect.stringMatching(/were still open at the end$/));
    },
    PROOF_TIMEOUT_MS,
  );
});
