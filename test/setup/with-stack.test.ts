import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { waitUntil } from '../../scripts/stack/wait-until.js';
import { newDataDir, processesOf, untilNoneIsLeft, withStack, type Launch } from './launch.js';

const READY_TIMEOUT_MS = 45_000;
const TEST_TIMEOUT_MS = 90_000;

/** Tells that it runs, then stays until it's ended; two processes, so that both have to go. */
const LINGER = 'touch "$0"; sleep 600 & sleep 600';
/** Tells that it runs; notes each SIGINT, and ends with status 5 a moment after the first. */
const COUNT_SIGINTS = `
  const fs = require('node:fs');
  const [ready, log] = process.argv.slice(1);
  process.on('SIGINT', () => { fs.appendFileSync(log, 'x'); setTimeout(() => process.exit(5), 300); });
  setInterval(() => undefined, 1000);
  fs.writeFileSync(ready, '');
`;

let dataDir: string;
let ready: string;

beforeAll(() => {
  dataDir = newDataDir();
  ready = join(dataDir, 'ready');
});
afterEach(async () => {
  rmSync(ready, { force: true });
  await untilNoneIsLeft(dataDir);
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const launch = (...command: string[]) => withStack(dataDir, inject('temporalCliPath'), ...command);

async function untilReady(run: Launch): Promise<void> {
  await waitUntil(`the command runs: ${run.stderr()}`, READY_TIMEOUT_MS, () => {
    if (run.process.exitCode !== null) throw new Error(`ended early:\n${run.stderr()}`);
    return existsSync(ready);
  });
}

test(
  "a run has the command's output and status, and leaves no process behind",
  async () => {
    const run = launch('bash', '-c', 'sleep 600 & echo "$WAYBILL_DATABASE_URL $TEMPORAL_ADDRESS"; exit 7');
    expect(await run.status, run.stderr()).toBe(7);
    expect(run.stdout()).toMatch(/^postgres:\/\/waybill:\S+@127\.0\.0\.1:\d+\/waybill 127\.0\.0\.1:\d+\n$/);
    expect(processesOf(dataDir)).toEqual([]);
  },
  TEST_TIMEOUT_MS,
);

test(
  "a command that isn't there is 127, and none is a usage error",
  async () => {
    const none = launch();
    expect(await none.status).toBe(2);
    expect(none.stderr()).toContain('usage:');
    const missing = launch('waybill-no-such-command');
    expect(await missing.status, missing.stderr()).toBe(127);
  },
  TEST_TIMEOUT_MS,
);

test(
  'a postmaster.pid that a crash left does not block, even if the pid now belongs to another process',
  async () => {
    writeFileSync(join(dataDir, 'postgres', 'postmaster.pid'), `${process.pid}\n${dataDir}/postgres\n`);
    const run = launch('true');
    expect(await run.status, run.stderr()).toBe(0);
  },
  TEST_TIMEOUT_MS,
);

test(
  'SIGINT reaches the command once, its status is returned, and no process is left',
  async () => {
    const log = join(dataDir, 'sigints');
    const run = launch(process.execPath, '-e', COUNT_SIGINTS, ready, log);
    await untilReady(run);
    // Twice, as when both the terminal and npm hand on one Ctrl-C.
    run.process.kill('SIGINT');
    run.process.kill('SIGINT');
    expect(await run.status, run.stderr()).toBe(5);
    expect(readFileSync(log, 'utf8')).toBe('x');
    expect(processesOf(dataDir)).toEqual([]);
  },
  TEST_TIMEOUT_MS,
);

test(
  'SIGINT while the stack starts ends the run, and no process is left',
  async () => {
    const run = launch('true');
    await waitUntil('it starts', READY_TIMEOUT_MS, () => run.stderr().includes('starting Postgres'));
    run.process.kill('SIGINT');
    expect(await run.status, run.stderr()).toBe(130);
    expect(processesOf(dataDir)).toEqual([]);
  },
  TEST_TIMEOUT_MS,
);

test(
  'kill -9 of the launcher leaves no process, and the next run starts',
  async () => {
    const run = launch('bash', '-c', LINGER, ready);
    await untilReady(run);
    expect(processesOf(dataDir).length).toBeGreaterThan(5);
    run.process.kill('SIGKILL');
    expect(await run.status).toBe(137);
    await untilNoneIsLeft(dataDir);
    const next = launch('true');
    expect(await next.status, next.stderr()).toBe(0);
  },
  TEST_TIMEOUT_MS,
);

test(
  'two runs at once in one data folder both work, and the second says where it lies',
  async () => {
    const first = launch('bash', '-c', LINGER, ready);
    await untilReady(first);
    const second = launch('bash', '-c', 'echo "$WAYBILL_DATABASE_URL"');
    expect(await second.status, second.stderr()).toBe(0);
    expect(second.stderr()).toContain(join(dataDir, 'stack-2'));
    first.process.kill('SIGTERM');
    expect(await first.status, first.stderr()).toBe(143);
  },
  TEST_TIMEOUT_MS,
);
