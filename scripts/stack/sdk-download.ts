import { spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Fetch } from './temporal-binaries.js';
import { isCode } from './system-error.js';
import { waitUntil } from './wait-until.js';

const SCRIPT = fileURLToPath(new URL('sdk-download.mjs', import.meta.url));
/** Given up when no byte has come for this long: where there is no way out, that must not hold up a start. */
const STALL_MS = 10_000;
const TOTAL_TIMEOUT_MS = 5 * 60_000;

/** Gets a program by the download built into Temporal's SDK, which fails at once on a machine without its network. */
export const fromSdk: Fetch = async (program, folder) => {
  const child = spawn(process.execPath, [SCRIPT, program.sdkKind, folder, `v${program.version}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const exit = once(child, 'exit');
  let ended = false;
  void exit.then(() => (ended = true));
  let progress = { bytes: 0, at: Date.now() };
  try {
    await waitUntil(`the SDK has downloaded ${program.file}`, TOTAL_TIMEOUT_MS, () => {
      const bytes = folderBytes(folder);
      if (bytes !== progress.bytes) progress = { bytes, at: Date.now() };
      if (!ended && bytes === 0 && Date.now() - progress.at > STALL_MS)
        throw new Error('nothing came for 10 s');
      return ended;
    });
  } finally {
    child.kill('SIGKILL');
  }
  const file = readdirSync(folder).find((name) => !name.endsWith('.downloading'));
  if (file) return join(folder, file);
  const reason = stderr.split('\n').find((line) => line.includes('Error:')) ?? 'it left no file';
  throw new Error(reason.trim().slice(0, 300));
};

function folderBytes(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + sizeOf(join(folder, name)), 0);
}

/** A file renamed in the meantime counts as empty. */
function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return 0;
    throw error;
  }
}
