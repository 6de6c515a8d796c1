import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Figures } from '../../demo/check/figures.js';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));

export interface DemoRun {
  readonly child: ChildProcess;
  readonly dataDir: string;
  /** Resolves once a line on stderr holds the text; rejects when the demo ends before. */
  until(text: string): Promise<void>;
  /** Exit status and output, once it has ended. */
  readonly ended: Promise<{ status: number | null; stdout: string; stderr: string }>;
  /** Ends it if it still runs, and deletes its data. */
  dispose(): Promise<void>;
}

/** Starts `npm run demo` as a process of its own with a data folder of its own. */
export function startDemo(args: readonly string[], env: Record<string, string> = {}): DemoRun {
  const dataDir = mkdtempSync(join(tmpdir(), 'waybill-demo-'));
  chmodSync(dataDir, 0o711);
  const child = spawn(process.execPath, ['scripts/run.mjs', 'demo/main.ts', ...args], {
    cwd: CHECKOUT,
    env: { ...process.env, ...env, WAYBILL_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  const ended = new Promise<{ status: number | null; stdout: string; stderr: string }>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, stdout, stderr }));
  });
  const heard = new Set<() => void>();
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    for (const look of heard) look();
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
        void ended.then(() => reject(new Error(`the demo ended without "${text}":\n${stderr}`)));
      }),
    async dispose() {
      if (child.exitCode === null) child.kill('SIGTERM');
      await ended;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The JSON object on stdout's last line. */
export function lastLine(stdout: string): Figures {
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Figures;
}
