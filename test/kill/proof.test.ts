import { expect, test } from 'vitest';
import { untilNoneIsLeft } from '../setup/launch.js';
import { PROOF_TIMEOUT_MS, useProof } from '../support/proof-run.js';
import type { Report } from './proof.js';

const proof = useProof<Report>('kill');

const KINDS = [
  ...['claim.granted', 'wire.head', 'settle.asking'],
  ...['worker SIGKILL', 'Postgres answer lost', 'receiver answer lost', 'publisher answer lost'],
];

test(
  'a small proof by kill ends green, and nothing of it is left behind',
  async () => {
    const small = ['--rounds', '8', '--size', '8', '--open', '8', '--seed', '3', '--json'];
    const run = proof.start([...small, '--kinds', KINDS.join(',')]);
    const { status, stdout, stderr } = await run.ended;
    expect(status, stderr).toBe(0);
    const report = proof.reportOf(stdout);
    expect(report).toMatchObject({ verdict: 'green', reasons: [], rounds: 8, size: 8, seed: 3 });
    expect(report.reconcileFindings).toBe(0);
    const signals = report.rows.flatMap((row) => Object.keys(row.signals));
    expect(new Set(signals)).toEqual(new Set(['SIGKILL', 'SIGTERM', 'SIGSTOP']));
    const unheard = report.rows.find((row) => row.kind === 'receiver answer lost');
    expect(unheard?.answeredUnknown).toBeGreaterThan(0);
    expect(report.rows.map((row) => row.kind).sort()).toEqual([...KINDS].sort());
    for (const row of report.rows) {
      expect(row).toMatchObject({ lost: 0, stuck: 0, unexplained: 0, wrongState: 0, red: [] });
      expect(row.rounds).toBeGreaterThanOrEqual(1);
      // Each round has one that drops its first request after the body, and others that refuse theirs.
      expect(row.sentTwice).toBeGreaterThanOrEqual(row.rounds);
      expect(row.retried).toBeGreaterThanOrEqual(row.rounds);
    }
    expect(Math.max(...report.rows.map((row) => row.unknownWindowMs.max))).toBeGreaterThan(0);
    expect(stderr).toMatch(/^proof:kill: 8\/8 round /m);
    await untilNoneIsLeft(run.dataDir);
  },
  PROOF_TIMEOUT_MS,
);

test(
  'ended in the middle, also with a process stopped, it leaves nothing behind',
  async () => {
    const run = proof.start(['--rounds', '1', '--size', '8', '--kinds', 'worker SIGSTOP']);
    await run.until('is stopped');
    run.child.kill('SIGINT');
    expect((await run.ended).status).toBe(130);
    await untilNoneIsLeft(run.dataDir);
  },
  PROOF_TIMEOUT_MS,
);

test(
  'an unknown kind is refused with status 2 before anything starts',
  async () => {
    const run = proof.start(['--kinds', 'meteor']);
    const { status, stdout, stderr } = await run.ended;
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain('there is no meteor');
  },
  PROOF_TIMEOUT_MS,
);
