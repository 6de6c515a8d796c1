import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GO_MODULES } from '../../scripts/test-tools.js';
import type { ServerIdentity } from '../support/tls.js';
import { run } from './judges.js';

const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url));

/** The three receivers under examples/, and how each is started. */
export type Example = 'TypeScript' | 'Python' | 'Go';

/** What an example prints of each request; the TypeScript one prints more. */
export interface Said {
  readonly key: string;
  readonly signature: 'valid' | 'invalid' | 'old' | '' | null;
  readonly duplicate: boolean;
  readonly older: boolean;
  readonly status: number | null;
}

export interface RunningExample {
  readonly url: string;
  readonly said: readonly Said[];
  stop(): Promise<void>;
}

/** Builds what has to be built; the command that runs the example. */
export async function prepareExample(
  example: Example,
  program: string,
  folder: string,
): Promise<readonly string[]> {
  switch (example) {
    case 'TypeScript':
      return [program, '--import', 'tsx', join(EXAMPLES, 'receiver.ts')];
    case 'Python':
      return [program, join(EXAMPLES, 'receiver.py')];
    case 'Go': {
      const built = join(folder, 'receiver');
      await run(program, ['build', '-o', built, '.'], {}, '', GO_MODULES[0]);
      return [built];
    }
  }
}

/** Starts an example as a process of its own, over TLS, and waits until it listens. */
export async function startExample(
  command: readonly string[],
  identity: ServerIdentity,
  secrets: readonly string[],
  folder: string,
): Promise<RunningExample> {
  mkdirSync(folder, { recursive: true });
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const args = [
    ...['--cert', file('cert.pem', identity.cert), '--key', file('key.pem', identity.key)],
    ...['--secret-file', file('secret', `${secrets.join('\n')}\n`)],
  ];
  const [program = '', ...rest] = command;
  const child = spawn(program, [...rest, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const said: Said[] = [];
  const url = await listening(child, said);
  return {
    url,
    said,
    async stop() {
      const ended = once(child, 'close');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function listening(child: ChildProcess, said: Said[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let rest = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line.startsWith('listening on ')) resolve(line.slice('listening on '.length));
        else said.push(JSON.parse(line) as Said);
      }
    });
    child.on('error', reject);
    child.on('close', (code) => reject(new Error(`it ended with ${code} before it listened`)));
  });
}
