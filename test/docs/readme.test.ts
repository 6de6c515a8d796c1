import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { newDataDir, untilNoneIsLeft } from '../setup/launch.js';
import { CHECKOUT, fencesOf } from './pages.js';

const TIMEOUT_MS = 180_000;
const MARKER = '<!-- runs in test/docs/readme.test.ts -->';

let dataDir: string;
beforeAll(() => {
  dataDir = newDataDir();
});
afterAll(async () => {
  await untilNoneIsLeft(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
});

it(
  'what the README says to paste for a first publish delivers, word for word',
  async () => {
    const [block, ...others] = fencesOf('README.md').filter(({ before }) => before === MARKER);
    expect(others).toEqual([]);
    const { status, stdout, stderr } = await run(block?.text ?? 'exit 99');
    expect(status, stderr).toBe(0);
    expect(stderr).toMatch(
      /receiver: attempt 1 of ORDER-\d+:sub_\w+:1: \d+ bytes, signature valid, answered 204/,
    );
    expect(stdout).toMatch(/\b1 delivered\b/);
    expect(stdout).toMatch(/ORDER-\d+:sub_\w+:1: delivered since /);
  },
  TIMEOUT_MS,
);

async function run(script: string): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const temporary = join(dataDir, 'tmp');
  mkdirSync(temporary);
  const child = spawn('bash', ['-c', script], {
    cwd: CHECKOUT,
    env: {
      ...process.env,
      TMPDIR: temporary,
      WAYBILL_DATA_DIR: join(dataDir, 'stack'),
      TEMPORAL_CLI_PATH: inject('temporalCliPath'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, stdout, stderr };
}
