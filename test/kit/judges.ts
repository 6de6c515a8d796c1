import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GO_MODULES } from '../../scripts/test-tools.js';

/** A request as a receiver has it; the fields are those of docs/signature-vectors.json. */
export interface SignedRequest {
  readonly secrets: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly base64: string; readonly repeat?: number };
  /** Judged as of now where unset. */
  readonly nowSeconds?: number;
  readonly ignoreTimestamp?: boolean;
}

export interface PythonAnswer {
  readonly example: 'valid' | 'invalid' | 'old';
  /** The name of an exception where it is none of the library's own. */
  readonly library?: boolean | string;
}

/** What examples/receiver.py says, and with a `library` folder what PyPI's `standardwebhooks` in it does. */
export async function askPython(
  python: string,
  library: string | undefined,
  requests: readonly SignedRequest[],
): Promise<PythonAnswer[]> {
  const judge = fileURLToPath(new URL('judge.py', import.meta.url));
  const env = { PYTHONDONTWRITEBYTECODE: '1', ...(library ? { PYTHONPATH: library } : {}) };
  const said = await run(python, [judge, ...(library ? ['--library'] : [])], env, JSON.stringify(requests));
  return JSON.parse(said) as PythonAnswer[];
}

export interface GoLibrary {
  /** Whether Go's `standardwebhooks` accepts each. It reads the clock itself. */
  ask(requests: readonly SignedRequest[]): Promise<boolean[]>;
  dispose(): void;
}

export async function buildGoLibrary(go: string): Promise<GoLibrary> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-go-'));
  const program = join(folder, 'judge');
  await run(go, ['build', '-o', program, '.'], {}, '', GO_MODULES[1]);
  return {
    ask: async (requests) => JSON.parse(await run(program, [], {}, JSON.stringify(requests))) as boolean[],
    dispose: () => rmSync(folder, { recursive: true }),
  };
}

/** Runs a program to its end; its stdout. Rejects with its stderr where it fails. */
export function run(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  stdin: string,
  cwd?: string,
): Promise<string> {
  const child = spawn(program, args, { env: { ...process.env, ...env }, ...(cwd ? { cwd } : {}) });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.end(stdin);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(stdout);
      else reject(new Error(`${program} ended with ${code}: ${stderr}${stdout}`));
    });
  });
}
