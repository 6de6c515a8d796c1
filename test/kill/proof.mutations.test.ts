import { describe, expect, test } from 'vitest';
import { PROOF_TIMEOUT_MS, useProof } from '../support/proof-run.js';
import type { Report } from './proof.js';

const proof = useProof<Report>('kill');

describe('the proof turns red', () => {
  const red = async (mutation: string, kind: string, rounds = 1): Promise<Report> => {
    const args = [
      '--rounds',
      `${rounds}`,
      '--size',
      `${12 * rounds}`,
      '--patience',
      '12',
      '--seed',
      '1',
      '--json',
    ];
    const run = proof.start([...args, '--kinds', kind], { WAYBILL_KILL_MUTATION: mutation });
    const { status, stdout, stderr } = await run.ended;
    expect(status, stderr).toBe(1);
    const report = proof.reportOf(stdout);
    expect(report.verdict).toBe('red');
    return report;
  };

  test(
    'when claim lets everybody send',
    async () => {
      const { rows } = await red('claim-always-go', 'attempt.completing');
      expect(rows[0]?.unexplained).toBeGreaterThan(0);
    },
    PROOF_TIMEOUT_MS,
  );

  test(
    'when settle records nothing',
    async () => {
      const { rows } = await red('settle-dropped', 'worker SIGKILL');
      expect(rows[0]?.stuck).toBeGreaterThan(0);
      expect(rows[0]?.answeredUnknown).toBeGreaterThan(0);
    },
    PROOF_TIMEOUT_MS,
  );

  test('when a running lease is not honoured', { timeout: PROOF_TIMEOUT_MS, retry: 2 }, async () => {
    // Second askers must come while a slow answer is awaited: on a busy machine not each of them does.
    const { rows } = await red('lease-not-honoured', 'worker SIGTERM', 3);
    expect(rows[0]?.wrong['sideBySide']).toBeGreaterThan(0);
  });

  test(
    "when an operator's act changes nothing",
    async () => {
      const { rows } = await red('act-ignored', 'signals and SIGKILL');
      expect(rows[0]?.wrong['notTerminated']).toBeGreaterThan(0);
    },
    PROOF_TIMEOUT_MS,
  );
});
