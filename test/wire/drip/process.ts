import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { isCode } from '../../../scripts/stack/system-error.js';

const SAMPLE_MS = 50;

export interface Watched {
  /** The most that was resident, in bytes. */
  readonly rssBytes: number;
  /** The most descriptors that were open. */
  readonly descriptors: number;
}

/** Looks at a process from outside every {@link SAMPLE_MS} until the answer is called for. Needs /proc. */
export function watchProcess(pid: number): () => Watched {
  let rssBytes = 0;
  let descriptors = 0;
  const look = (): void => {
    rssBytes = Math.max(rssBytes, rssOf(pid));
    descriptors = Math.max(descriptors, readdirSync(`/proc/${pid}/fd`).length);
  };
  const timer = setInterval(() => {
    try {
      look();
    } catch (error) {
      // It ended; whoever waits for its work will say so.
      if (!isCode(error, 'ENOENT', 'ESRCH')) throw error;
    }
  }, SAMPLE_MS);
  return () => {
    clearInterval(timer);
    look();
    return { rssBytes, descriptors };
  };
}

/** Open descriptors of a process but for its connections to this port, such as those of a pool that comes and goes. */
export function descriptorsOf(pid: number, exceptToPort: number): number {
  const pool = new Set(
    readFileSync(`/proc/${pid}/net/tcp`, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , remote = '']) => parseInt(remote.split(':')[1] ?? '', 16) === exceptToPort)
      .map((columns) => `socket:[${columns[9]}]`),
  );
  return readdirSync(`/proc/${pid}/fd`).filter((fd) => !pool.has(targetOf(pid, fd))).length;
}

function targetOf(pid: number, fd: string): string {
  try {
    return readlinkSync(`/proc/${pid}/fd/${fd}`);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return ''; // closed since it was listed
    throw error;
  }
}

const rssOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1_024;
