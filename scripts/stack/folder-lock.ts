import { execFileSync } from 'node:child_process';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isCode } from './system-error.js';

interface Owner {
  pid: number;
  /** When that process started, since a pid alone may by now belong to another one. */
  startedAt: string;
}

/**
 * Takes the lock file for this process, in one step; answers the function that gives it back, or undefined while a
 * living process holds it. A lock whose owner was killed is taken over.
 */
export function tryLock(file: string): (() => void) | undefined {
  const me: Owner = { pid: process.pid, startedAt: startedAt(process.pid) ?? '' };
  const mine = `${file}.${process.pid}`;
  writeFileSync(mine, JSON.stringify(me));
  try {
    if (!link(mine, file) && !(dropIfStale(file, `${mine}.stale`) && link(mine, file))) return undefined;
  } finally {
    rmSync(mine, { force: true });
  }
  return () => {
    if (read(file)?.pid === process.pid) rmSync(file, { force: true });
  };
}

/** When the process started, in words that differ between two processes of one pid; undefined if it's not running. */
export function startedAt(pid: number): string | undefined {
  if (process.platform === 'linux') {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return state === 'Z' ? undefined : rest[18];
    } catch (error) {
      if (isCode(error, 'ENOENT', 'ESRCH')) return undefined;
      throw error;
    }
  }
  try {
    const out = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return out === '' ? undefined : out;
  } catch (error) {
    if ((error as { status?: number }).status === 1) return undefined;
    throw error;
  }
}

function link(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Of two who find the same stale lock, one moves it away; should it have moved a fresh one instead, it puts it back. */
function dropIfStale(file: string, aside: string): boolean {
  const owner = read(file);
  if (owner && startedAt(owner.pid) === owner.startedAt) return false;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return true;
    throw error;
  }
  const moved = read(aside);
  const fresh = moved !== undefined && startedAt(moved.pid) === moved.startedAt;
  if (fresh) link(aside, file);
  rmSync(aside, { force: true });
  return !fresh;
}

function read(file: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Owner;
  } catch (error) {
    if (isCode(error, 'ENOENT') || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
