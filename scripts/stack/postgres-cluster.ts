import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { isReachable, reachableTmp, type PostgresPrograms } from './postgres-programs.js';
import { isCode } from './system-error.js';
import { waitUntil } from './wait-until.js';

const INITDB_TIMEOUT_MS = 120_000;
/** After this long without its launcher a postmaster that still runs is told to end. */
const ORPHAN_GRACE_MS = 10_000;
const ORPHAN_TIMEOUT_MS = 30_000;

export interface Passwords {
  admin: string;
  app: string;
}

export interface Cluster {
  /** The real path of the data directory. */
  folder: string;
  passwords: Passwords;
}

/**
 * The cluster under `dataDir`, made with generated passwords if there is none. Complete or absent: it is made beside
 * and renamed, so that one cut short is never taken for a cluster.
 *
 * As root, Postgres runs as another user, who must be able to walk to its data. Where a folder above `dataDir` is
 * private to root (not ours to open up), the data goes to a temporary folder and `postgres` is a link to it.
 */
export async function ensureCluster(programs: PostgresPrograms, dataDir: string): Promise<Cluster> {
  const link = join(dataDir, 'postgres');
  const passwordFile = join(dataDir, 'passwords');
  if (existsSync(join(link, 'PG_VERSION'))) {
    const passwords = JSON.parse(readFileSync(passwordFile, 'utf8')) as Passwords;
    return { folder: realpathSync(link), passwords };
  }
  dropCluster(dataDir);
  const passwords = { admin: newPassword(), app: newPassword() };
  writeFileSync(passwordFile, JSON.stringify(passwords), { mode: 0o600 });
  chmodSync(passwordFile, 0o600);

  const elsewhere = programs.runAs !== undefined && !isReachable(dataDir);
  const parent = elsewhere ? mkdtempSync(join(reachableTmp(), 'waybill-data-')) : dataDir;
  if (elsewhere) chmodSync(parent, 0o711);
  const unfinished = join(parent, 'postgres.unfinished');
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  if (programs.runAs) chownSync(unfinished, programs.runAs.uid, programs.runAs.gid);
  await initdb(programs, unfinished, passwords.admin);
  const folder = join(parent, 'postgres');
  renameSync(unfinished, folder);
  if (elsewhere) symlinkSync(folder, link);
  return { folder: realpathSync(folder), passwords };
}

/** Deletes the cluster of a data folder, also where it lies behind a link. Nothing may run in it. */
export function dropCluster(dataDir: string): void {
  const link = join(dataDir, 'postgres');
  try {
    rmSync(dirname(readlinkSync(link)), { recursive: true, force: true });
  } catch (error) {
    if (!isCode(error, 'ENOENT', 'EINVAL')) throw error;
  }
  rmSync(link, { recursive: true, force: true });
}

async function initdb(programs: PostgresPrograms, folder: string, password: string): Promise<void> {
  const flags = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  // initdb opens the file as the user it runs as, so it lies in the one folder which that user owns alone.
  const passwordFile = `${folder}.password-${randomBytes(6).toString('hex')}`;
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (programs.runAs) chownSync(passwordFile, programs.runAs.uid, programs.runAs.gid);
  try {
    await promisify(execFile)(
      programs.initdb,
      [
        `--pgdata=${folder}`,
        '--username=postgres',
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        ...flags,
      ],
      { ...programs.runAs, cwd: '/', timeout: INITDB_TIMEOUT_MS, env: { ...process.env, LC_ALL: 'C' } },
    );
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/**
 * Makes sure that nothing runs in the data directory, whose lock the caller holds. A postmaster there has lost its
 * launcher: it gets time to end, then a signal. A `postmaster.pid` that names no postmaster of this directory
 * is removed, since Postgres would take any process that by now has the same pid for one.
 */
export async function endOrphan(folder: string): Promise<void> {
  const pidFile = join(folder, 'postmaster.pid');
  const since = Date.now();
  let told = false;
  await waitUntil(`the Postgres that still runs in ${folder} has ended`, ORPHAN_TIMEOUT_MS, () => {
    const pid = readPid(pidFile);
    if (pid === undefined || !isPostmasterOf(pid, folder)) return true;
    if (!told && Date.now() - since > ORPHAN_GRACE_MS) {
      told = true;
      process.kill(pid, 'SIGINT');
    }
    return false;
  });
  rmSync(pidFile, { force: true });
}

/** In doubt yes: two postmasters in one directory would ruin it. */
function isPostmasterOf(pid: number, folder: string): boolean {
  try {
    // A postmaster's working directory is its data directory, however it was started.
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === folder;
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).includes('postgres');
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ESRCH') || (error as { status?: number }).status === 1) return false;
    if (isCode(error, 'EACCES', 'EPERM')) return true;
    throw error;
  }
}

function readPid(pidFile: string): number | undefined {
  try {
    const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
    return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Safe in a URL as it is. */
function newPassword(): string {
  return randomBytes(24).toString('base64url');
}
