import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { lastLine, startDemo, type DemoRun } from './demo-run.js';

/** A run takes half a minute on two quiet cores; the suite shares them. */
const RUN_TIMEOUT_MS = 300_000;
const SUBSCRIBERS = 24;
const SMALL = ['--once', '--json', '--subscribers', String(SUBSCRIBERS)];

let run: DemoRun | undefined;
afterEach(async () => {
  await run?.dispose();
  run = undefined;
}, RUN_TIMEOUT_MS);

test(
  'a small demo ends green, and its figures add up',
  async () => {
    run = startDemo(SMALL);
    const { status, stdout, stderr } = await run.ended;
    expect(status, stderr).toBe(0);
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    const figures = lastLine(stdout);
    const { subscribers, obligations, workflows, delivered, dead, terminated, open, byDisposition } = figures;
    expect(figures).toMatchObject({ verdict: 'green', reasons: [], open: 0, subscribers: SUBSCRIBERS });
    expect([obligations, workflows]).toEqual([subscribers, subscribers]);
    expect(delivered + dead + terminated + open).toBe(obligations);
    expect(Object.values(byDisposition).reduce((a, b) => a + b)).toBe(obligations);
    // One is dead by its certificate (its receiver never saw its key), one was terminated; all others got it.
    expect({ dead, terminated, keysReceived: figures.keysReceived }).toEqual({
      dead: 1,
      terminated: 1,
      keysReceived: SUBSCRIBERS - 1,
    });
    expect(figures).toMatchObject({
      requestsUnexplained: 0,
      sentWhileHeld: 0,
      sentAfterTerminate: 0,
      overConcurrencyCap: 0,
      badSignatures: 0,
      alteredBodies: 0,
      payloadBytesInHistories: 0,
      historiesRead: SUBSCRIBERS,
    });
    // Hanging and dropping subscribers leave an unknown behind, and are asked again.
    expect(figures.unknown).toBeGreaterThanOrEqual(2);
    expect(figures.requests).toBeGreaterThan(figures.keysReceived);
    expect(figures.attempts).toBeGreaterThanOrEqual(figures.requests);
    expect(figures.historyBytesMedian).toBeGreaterThan(0);
    expect(figures.ledgerBytesPerObligation).toBeGreaterThan(0);
    expect(figures.seconds).toBeGreaterThan(0);
    expect(figures.capEvent).toMatchObject({ cap: 2, obligations: 24, delivered: 24 });
    expect(figures.capEvent.mostOpenAtOnce).toBeLessThanOrEqual(2);
  },
  RUN_TIMEOUT_MS,
);

test(
  'Ctrl-C in the middle ends everything that was started',
  async () => {
    run = startDemo(['--subscribers', String(SUBSCRIBERS)]);
    await run.until('published');
    const env = readFileSync(join(run.dataDir, 'demo', 'env'), 'utf8');
    const receiver = JSON.parse(readFileSync(join(run.dataDir, 'demo', 'receiver.json'), 'utf8')) as {
      port: number;
    };
    const ports = [
      receiver.port,
      Number(/WAYBILL_DATABASE_URL='.*:(\d+)\//.exec(env)?.[1]),
      Number(/TEMPORAL_ADDRESS='.*:(\d+)'/.exec(env)?.[1]),
    ];
    const worker = Number(
      /"worker":"[^"]*\/(\d+)"/.exec(readFileSync(join(run.dataDir, 'demo', 'worker.log'), 'utf8'))?.[1],
    );
    expect(await Promise.all(ports.map(listens))).toEqual([true, true, true]);
    expect(isAlive(worker)).toBe(true);

    run.child.kill('SIGINT');
    expect((await run.ended).status).toBe(130);
    expect(await Promise.all(ports.map(listens))).toEqual([false, false, false]);
    expect(isAlive(worker)).toBe(false);
  },
  RUN_TIMEOUT_MS,
);

test(
  'an unknown option is refused with status 2 before anything starts',
  async () => {
    run = startDemo(['--twice']);
    const { status, stderr, stdout } = await run.ended;
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain('--subscribers N');
  },
  RUN_TIMEOUT_MS,
);

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
