import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Whether a process is stopped by SIGSTOP; false where there is none of this id. */
export function isStopped(pid: number): boolean {
  try {
    return stateOf(pid).startsWith('T');
  } catch (error) {
    const { code, status } = error as { code?: string; status?: number };
    if (code === 'ENOENT' || code === 'ESRCH' || status === 1) return false;
    throw error;
  }
}

/** The letter by which the system names a process's state. */
function stateOf(pid: number): string {
  if (process.platform !== 'linux')
    return execFileSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2);
}
