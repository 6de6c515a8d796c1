import { rounded } from './figures.js';
import { cpuMsOf } from './processes.js';
import type { Part, Stage } from './stage.js';

/** Processor time by process, milliseconds; null where it can't be seen from here. */
export type Cost = Readonly<Record<Part | 'publisher', number | null>>;

export const PARTS: readonly Part[] = ['temporal', 'postgres', 'worker', 'relay', 'floor', 'receivers'];
/** What a delivery costs, and what the floor does: receivers and whoever publishes belong to the world. */
export const OURS = ['temporal', 'postgres', 'worker', 'relay'] as const;
export const FLOORS = ['temporal', 'floor'] as const;

export interface Spent {
  readonly cost: Cost;
  /** It was counted over so long. */
  readonly costSeconds: number;
}

/** What every process has used so far. */
export function costSoFar({ pids }: Stage): { readonly cost: Cost; readonly atMs: number } {
  const roots = PARTS.flatMap((part) => pids[part]);
  const msOf = new Map(cpuMsOf(roots).map((ms, i) => [roots[i], ms]));
  const { user, system } = process.cpuUsage();
  const cost = { publisher: (user + system) / 1_000 } as Record<Part | 'publisher', number | null>;
  for (const part of PARTS) {
    const known = pids[part].map((pid) => msOf.get(pid) ?? 0);
    cost[part] = known.length === 0 ? null : known.reduce((sum, ms) => sum + ms, 0);
  }
  return { cost, atMs: performance.now() };
}

const overParts = (how: (part: Part | 'publisher') => number | null): Cost =>
  Object.fromEntries(([...PARTS, 'publisher'] as const).map((part) => [part, how(part)])) as Cost;

type SoFar = ReturnType<typeof costSoFar>;

export const costSince = (before: SoFar, after: SoFar): Spent => ({
  costSeconds: (after.atMs - before.atMs) / 1_000,
  cost: overParts((part) => {
    const [from, to] = [before.cost[part], after.cost[part]];
    return from === null || to === null ? null : to - from;
  }),
});

/** Per delivery, or per whatever else there are so many of. */
export const costPer = (cost: Cost, count: number): Cost =>
  overParts((part) => {
    const ms = cost[part];
    return ms === null ? null : rounded(ms / count);
  });

/** Null where one of the parts is unknown. */
export const sumOf = (cost: Cost, parts: readonly Part[]): number | null =>
  parts.reduce<number | null>((sum, part) => {
    const ms = cost[part];
    return sum === null || ms === null ? null : sum + ms;
  }, 0);
