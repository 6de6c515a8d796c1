import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GO_MODULES } from '../../scripts/test-tools.js';
import type { JournalLine } from '../../examples/receiver.js';
import type { ServerIdentity } from '../support/tls.js';
import { run } from './judges.js';

const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url));

/** The three receivers under examples/, and how each is started. */
export type Example = 'TypeScript' | 'Python' | 'Go';

/** What an example prints of each request. */
export type Said = JournalLine;

export interface RunningExample {
  readonly url: string;
  readonly said: readonly Said[];
  /** All that stands on its stderr so far. */
  complaints(): string;
  stop(): Promise<void>;
}

/** Where the source of each example lies. */
export const SOURCES: Readonly<Record<Example, string>> = {
  TypeScript: join(EXAMPLES, 'receiver.ts'),
  Python: join(EXAMPLES, 'receiver.py'),
  Go: join(EXAMPLES, 'go', 'receiver.go'),
};

/** Builds what has to be built; the command that runs the example, or a copy of it. */
export async function prepareExample(
  example: Example,
  program: string,
  folder: string,
  source: string = SOURCES[example],
): Promise<readonly string[]> {
  switch (example) {
    case 'TypeScript':
      return [program, '--import', 'tsx', source];
    case 'Python':
      return [program, source];
    case 'Go': {
      const built = join(folder, 'receiver');
      await run(program, ['build', '-o', built, source], {}, '', GO_MODULES[0]);
      return [built];
    }
  }
}

/**
 * Starts an example as a process of its own, over TLS, and waits until it listens. Rejects with how it ended and what
 * it said where it ends instead.
 */
export async function startExample(
  command: readonly string[],
  identity: ServerIdentity,
  secrets: readonly string[],
  folder: string,
  more: readonly string[] = [],
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
  const child = spawn(program, [...rest, ...args, ...more], { stdio: ['ignore', 'pipe', 'pipe'] });
  const said: Said[] = [];
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
  const url = await listening(child, said, () => complaints);
  return {
    url,
    said,
    complaints: () => complaints,
    async stop() {
      const ended = once(child, 'close');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function listening(child: ChildProcess, said: Said[], complaints: () => string): Promise<string> {
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
    child.on('close', (code) =>
      reject(new Error(`it ended with ${code} before it listened: ${complaints()}`)),
    );
  });
}
