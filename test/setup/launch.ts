import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exitStatus } from '../../scripts/stack/supervised.js';
import { isCode } from '../../scripts/stack/system-error.js';
import { waitUntil } from '../../scripts/stack/wait-until.js';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));
const GONE_TIMEOUT_MS = 25_000;

export interface Launch {
  process: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** As a shell would report it. */
  status: Promise<number>;
}

/** A data folder of a test's own, in a temporary folder that any user may walk to. */
export function newDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-setup-'));
  chmodSync(folder, 0o711);
  return realpathSync(folder);
}

/** Starts `with-stack` as its npm script does, on a data folder of its own. */
export function withStack(dataDir: string, cliPath: string, ...command: string[]): Launch {
  const child = spawn(process.execPath, ['scripts/run.mjs', 'scripts/with-stack.ts', ...command], {
    cwd: CHECKOUT,
    env: { ...process.env, WAYBILL_DATA_DIR: dataDir, TEMPORAL_CLI_PATH: cliPath },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const status = once(child, 'close').then(([code, signal]) =>
    exitStatus({ code: code as number | null, signal: signal as NodeJS.Signals | null }),
  );
  return { process: child, stdout: () => stdout, stderr: () => stderr, status };
}

/** Waits until no process of the data folder's stacks is left; the error names those that stay. */
export async function untilNoneIsLeft(dataDir: string): Promise<void> {
  let left: string[] = [];
  try {
    await waitUntil('no process is left', GONE_TIMEOUT_MS, () => (left = processesOf(dataDir)).length === 0);
  } catch (error) {
    throw new Error(`${(error as Error).message}; still there:\n${left.join('\n')}`, { cause: error });
  }
}

/** All that runs with the data folder in its environment (so all that the launcher started), arguments or as its place. */
export function processesOf(dataDir: string): string[] {
  if (process.platform !== 'linux') {
    const all = execFileSync('ps', ['-A', '-E', '-o', 'pid=,command='], { encoding: 'utf8' }).split('\n');
    return all.filter((line) => line.includes(dataDir));
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => traces(pid).some((text) => text.includes(dataDir)))
    .map(
      (pid) => `${pid} ${orEmpty(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ')}`,
    );
}

function traces(pid: string): string[] {
  return [
    orEmpty(() => readFileSync(`/proc/${pid}/environ`, 'utf8')),
    orEmpty(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')),
    orEmpty(() => readlinkSync(`/proc/${pid}/cwd`)),
  ];
}

/** Processes end while we look, and others' are none of our business. */
function orEmpty(read: () => string): string {
  try {
    return read();
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ESRCH', 'EACCES', 'EPERM')) return '';
    throw error;
  }
}
