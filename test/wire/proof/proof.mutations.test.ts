import { expect, test } from 'vitest';
import { PROOF_TIMEOUT_MS, useProof } from '../../support/proof-run.js';
import type { Report } from './prove.js';

const proof = useProof<Report>('wire');

test(
  'proof:wire turns red when the guard lets everything through, and counts the sockets',
  async () => {
    const args = ['--only', 'spelling,property', '--runs', '300', '--json'];
    const run = proof.start(args, { WAYBILL_WIRE_MUTATION: 'unguarded' });
    const { status, stdout, stderr } = await run.ended;
    expect(status, stderr).toBe(1);
    const report = proof.reportOf(stdout);
    expect(report.verdict).toBe('red');
    const loopback = report.rows.find(({ name }) => name === '"https://127.0.0.1:TRAP/h"');
    expect(loopback?.forbiddenSockets).toBeGreaterThan(0);
    expect(report.rows.some(({ kind, got, expected }) => kind === 'property' && got !== expected)).toBe(true);
  },
  PROOF_TIMEOUT_MS,
);
