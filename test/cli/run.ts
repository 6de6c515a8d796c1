import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common';
import { inject } from 'vitest';
import { TEST_KEYS } from '../support/obligations.js';

const BIN = fileURLToPath(new URL('../../bin/waybill.cjs', import.meta.url));

export type Env = Readonly<Record<string, string | undefined>>;

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A `waybill` process with `env` and nothing of Waybill's or Temporal's from ours. */
export function start(args: readonly string[], env: Env, nodeOptions: readonly string[] = []): ChildProcess {
  const clean = Object.entries(process.env).filter(
    ([name]) => !/^(WAYBILL|TEMPORAL|NO_COLOR|FORCE_COLOR)/.test(name),
  );
  return spawn(process.execPath, [...nodeOptions, BIN, ...args], {
    env: { ...Object.fromEntries(clean), ...env },
  });
}

/** Runs `waybill` to its end. */
export async function waybill(args: readonly string[], env: Env, stdin: string | Buffer = ''): Promise<Ran> {
  const child = start(args, env);
  child.stdin?.on('error', () => undefined); // a command that reads no stdin closes it
  child.stdin?.end(stdin);
  return ended(child);
}

/** All the process says and how it ends. */
export function ended(child: ChildProcess): Promise<Ran> {
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** Resolves with all of stdout up to now once it holds `text`; rejects where the process ends before. */
export function says(child: ChildProcess, text: string): Promise<string> {
  let all = '';
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer | string) => {
      all += chunk.toString();
      if (all.includes(text)) resolve(all);
    });
    child.on('close', (code) => reject(new Error(`ended with ${code} before it said '${text}': ${all}`)));
  });
}

/** One JSON value, or one for each line. */
export const rows = <T>(ran: Pick<Ran, 'stdout'>): T[] =>
  ran.stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);

export const row = <T>(ran: Pick<Ran, 'stdout'>): T => rows<T>(ran)[0] as T;

export interface ErrorLine {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly field?: string;
    readonly line?: number;
  };
}
export const errorOf = (ran: Ran): ErrorLine['error'] => (JSON.parse(ran.stderr) as ErrorLine).error;

export const environment = (database: { url: string; adminUrl: string }, namespace = 'default'): Env => ({
  WAYBILL_DATABASE_URL: database.url,
  WAYBILL_ADMIN_DATABASE_URL: database.adminUrl,
  WAYBILL_KEYS: TEST_KEYS,
  WAYBILL_ALLOW: 'http://localhost',
  WAYBILL_ACTOR: 'ada',
  TEMPORAL_ADDRESS: inject('temporalAddress'),
  TEMPORAL_NAMESPACE: namespace,
});

/** A namespace of a test file's own: search attributes and task queues are its alone. */
export async function freshNamespace(retentionMs = 30 * 86_400_000): Promise<string> {
  const namespace = `t-${randomBytes(6).toString('hex')}`;
  const connection = await Connection.connect({ address: inject('temporalAddress') });
  try {
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: msToTs(retentionMs),
    });
    const deadline = Date.now() + 20_000;
    for (;;) {
      try {
        await connection.workflowService.countWorkflowExecutions({ namespace, query: "WorkflowType = 'x'" });
        return namespace;
      } catch (error) {
        if (Date.now() > deadline) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  } finally {
    await connection.close();
  }
}
