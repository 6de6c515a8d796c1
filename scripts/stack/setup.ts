import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tail } from './postgres.js';
import { exitStatus, supervise } from './supervised.js';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));
const SETUP_TIMEOUT_MS = 120_000;

/**
 * Runs `waybill setup` (migrations, search attributes) with the stack's environment. Throws an error with the end of
 * its output when it fails. Does nothing in a checkout that has no command line yet.
 */
export async function runSetup(
  env: Record<string, string>,
  dataDir: string,
  signal?: AbortSignal,
): Promise<void> {
  if (!existsSync(join(CHECKOUT, 'src/cli.ts')) && !existsSync(join(CHECKOUT, 'dist/cli.js'))) return;
  const logFile = join(dataDir, 'setup.log');
  const log = openSync(logFile, 'w', 0o600);
  const setup = await supervise({
    name: 'waybill setup',
    command: process.execPath,
    args: [join(CHECKOUT, 'bin/waybill.cjs'), 'setup', '--json'],
    env: { ...process.env, ...env },
    output: { fd: log },
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 5_000,
    wholeGroup: true,
  }).finally(() => closeSync(log));
  const giveUp = AbortSignal.any([AbortSignal.timeout(SETUP_TIMEOUT_MS), ...(signal ? [signal] : [])]);
  giveUp.addEventListener('abort', () => void setup.stop(), { once: true });
  const exit = await setup.exited;
  signal?.throwIfAborted();
  const status = exitStatus(exit);
  if (status !== 0) {
    throw new Error(`waybill setup ended with status ${status}:\n${tail(readFileSync(logFile, 'utf8'))}`);
  }
}
