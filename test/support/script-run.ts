import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));

export interface ScriptRun {
  readonly child: ChildProcess;
  readonly dataDir: string;
  /** Resolves once stderr holds the text; rejects when the script ends before. */
  until(text: string): Promise<void>;
  /** Exit status and output, once it has ended. */
  readonly ended: Promise<{ status: number | null; stdout: string; stderr: string }>;
  /** Ends it if it still runs, and deletes its data. */
  dispose(): Promise<void>;
}

/**
 * Starts a script as its npm script does, as a process of its own with a data folder of its own. `beforeDeletion` is for
 * data that lies outside that folder.
 */
export function startScript(
  script: string,
  args: readonly string[],
  env: Record<string, string>,
  beforeDeletion: (dataDir: string) => Promise<void> = () => Promise.resolve(),
): ScriptRun {
  const dataDir = mkdtempSync(join(tmpdir(), 'waybill-script-'));
  chmodSync(dataDir, 0o711);
  const child = spawn(process.execPath, ['scripts/run.mjs', script, ...args], {
    cwd: CHECKOUT,
    env: { ...process.env, ...env, WAYBILL_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  const heard = new Set<() => void>();
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    for (const look of heard) look();
  });
  const ended = new Promise<{ status: number | null; stdout: string; stderr: string }>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, stdout, stderr }));
  });
  return {
    child,
    dataDir,
    ended,
    until: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (stderr.includes(text)) resolve();
        };
        heard.add(look);
        look();
        void ended.then(() => reject(new Error(`${script} ended without "${text}":\n${stderr}`)));
      }),
    async dispose() {
      if (child.exitCode === null) child.kill('SIGTERM');
      await ended;
      await beforeDeletion(dataDir);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
