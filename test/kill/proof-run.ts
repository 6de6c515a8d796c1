import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { wipeDataDir } from '../../scripts/stack/data-dir.js';
import type { Report } from './proof.js';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));

export interface ProofRun {
  readonly child: ChildProcess;
  readonly dataDir: string;
  /** Resolves once stderr holds the text; rejects when the proof ends before. */
  until(text: string): Promise<void>;
  readonly ended: Promise<{ status: number | null; stdout: string; stderr: string }>;
  /** Ends it if it still runs, and deletes its data. */
  dispose(): Promise<void>;
}

/** Starts `npm run proof:kill` as a process of its own with a data folder of its own. */
export function startProof(args: readonly string[], env: Record<string, string> = {}): ProofRun {
  const dataDir = mkdtempSync(join(tmpdir(), 'waybill-kill-'));
  chmodSync(dataDir, 0o711);
  const child = spawn(process.execPath, ['scripts/run.mjs', 'scripts/proof-kill.ts', ...args], {
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
        void ended.then(() => reject(new Error(`the proof ended without "${text}":\n${stderr}`)));
      }),
    async dispose() {
      if (child.exitCode === null) child.kill('SIGTERM');
      await ended;
      const data = join(dataDir, 'proof-kill');
      if (existsSync(data)) await wipeDataDir(data); // its Postgres may lie elsewhere, behind a link
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The JSON object on stdout's last line. */
export const reportOf = (stdout: string): Report =>
  JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Report;
