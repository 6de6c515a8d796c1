import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { isCode } from '../scripts/stack/system-error.js';

/** What the kernel counts processor time in. */
const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

interface Stat {
  readonly parent: number;
  /** Of the process, its threads, and its children that have ended. */
  readonly cpuMs: number;
}

/** Processor time of each process and all below it, milliseconds. A child that ended stays counted with its parent. */
export function cpuMsOf(roots: readonly number[]): number[] {
  const stats = allStats();
  return roots.map((root) => treeOf(stats, root).reduce((sum, pid) => sum + (stats.get(pid)?.cpuMs ?? 0), 0));
}

/** Resident memory of a process and all below it; what several of them share counts once. Needs Linux. */
export function memoryBytesOf(root: number): number {
  return treeOf(allStats(), root).reduce((sum, pid) => sum + shareOf(pid), 0);
}

function treeOf(stats: ReadonlyMap<number, Stat>, root: number): number[] {
  const children = [...stats].filter(([, { parent }]) => parent === root).map(([pid]) => pid);
  return [root, ...children.flatMap((pid) => treeOf(stats, pid))];
}

function allStats(): Map<number, Stat> {
  const stats = new Map<number, Stat>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const text = readIfThere(`/proc/${pid}/stat`);
    // After the name, which may hold blanks and brackets: state, parent, ...; proc(5).
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0);
    if (text !== '') stats.set(pid, { parent: fields[1] ?? 0, cpuMs: (ticks * 1_000) / TICKS_PER_SECOND });
  }
  return stats;
}

function shareOf(pid: number): number {
  const share = /^Pss:\s+(\d+) kB/m.exec(readIfThere(`/proc/${pid}/smaps_rollup`))?.[1];
  return Number(share ?? 0) * 1_024;
}

/** '' where the process has ended meanwhile. */
function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ESRCH')) return '';
    throw error;
  }
}
