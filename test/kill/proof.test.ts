import { afterEach, describe, expect, test } from 'vitest';
import { untilNoneIsLeft } from '../setup/launch.js';
import { reportOf, startProof, type ProofRun } from './proof-run.js';

/** A minute or two on two quiet cores; the suite shares them. */
const RUN_TIMEOUT_MS = 600_000;

let run: ProofRun | undefined;
afterEach(async () => {
  await run?.dispose();
  run = undefined;
}, RUN_TIMEOUT_MS);

const KINDS = [
  ...['claim.granted', 'wire.head', 'settle.asking'],
  ...['worker SIGKILL', 'Postgres answer lost', 'receiver answer lost', 'publisher answer lost'],
];

test(
  'a small proof by kill ends green, and nothing of it is left behind',
  async () => {
    const small = ['--rounds', '8', '--size', '8', '--open', '8', '--seed', '3', '--json'];
    run = startProof([...small, '--kinds', KINDS.join(',')]);
    const { status, stdout, stderr } = await run.ended;
    expect(status, stderr).toBe(0);
    const report = reportOf(stdout);
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
  RUN_TIMEOUT_MS,
);

describe('the proof turns red', () => {
  const red = async (mutation: string, kind: string, rounds = 1): Promise<ReturnType<typeof reportOf>> => {
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
    run = startProof([...args, '--kinds', kind], { WAYBILL_KILL_MUTATION: mutation });
    const { status, stdout, stderr } = await run.ended;
    expect(status, stderr).toBe(1);
    const report = reportOf(stdout);
    expect(report.verdict).toBe('red');
    return report;
  };

  test(
    'when claim lets everybody send',
    async () => {
      const { rows } = await red('claim-always-go', 'attempt.completing');
      expect(rows[0]?.unexplained).toBeGreaterThan(0);
    },
    RUN_TIMEOUT_MS,
  );

  test(
    'when settle records nothing',
    async () => {
      const { rows } = await red('settle-dropped', 'worker SIGKILL');
      expect(rows[0]?.stuck).toBeGreaterThan(0);
      expect(rows[0]?.answeredUnknown).toBeGreaterThan(0);
    },
    RUN_TIMEOUT_MS,
  );

  test(
    'when a running lease is not honoured',
    // On a busy machine the second asker may come when the slow send is over already; then nothing was shown.
    { timeout: RUN_TIMEOUT_MS, retry: 2 },
    async () => {
      // Second askers must come while a slow answer is awaited: on a busy machine not each of them does.
      const { rows } = await red('lease-not-honoured', 'worker SIGTERM', 3);
      expect(rows[0]?.wrong['sideBySide']).toBeGreaterThan(0);
    },
  );

  test(
    "when an operator's act changes nothing",
    async () => {
      const { rows } = await red('act-ignored', 'signals and SIGKILL');
      expect(rows[0]?.wrong['notTerminated']).toBeGreaterThan(0);
    },
    RUN_TIMEOUT_MS,
  );
});

test(
  'ended in the middle, also with a process stopped, it leaves nothing behind',
  async () => {
    run = startProof(['--rounds', '1', '--size', '8', '--kinds', 'worker SIGSTOP']);
    await run.until('is stopped');
    run.child.kill('SIGINT');
    expect((await run.ended).status).toBe(130);
    await untilNoneIsLeft(run.dataDir);
  },
  RUN_TIMEOUT_MS,
);

test(
  'an unknown kind is refused with status 2 before anything starts',
  async () => {
    run = startProof(['--kinds', 'meteor']);
    const { status, stdout, stderr } = await run.ended;
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain('there is no meteor');
  },
  RUN_TIMEOUT_MS,
);
