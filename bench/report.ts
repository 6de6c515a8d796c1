import { cpus, totalmem } from 'node:os';
import Table from 'cli-table3';
import type { Spread } from './figures.js';

/** One figure, with what it must be where something is asked of it. */
export interface Row {
  readonly row: string;
  /** A median where there is a spread; null where it can't be known here. */
  readonly measured: number | null;
  readonly least?: number;
  readonly most?: number;
  /** As it must be, such as `<= 1.3`; '' where nothing is asked of it. */
  readonly limit: string;
  readonly ok: boolean;
}

/** What every bench answers; each adds figures of its own. */
export interface Report {
  readonly bench: string;
  readonly verdict: 'green' | 'red';
  readonly machine: Machine;
  readonly rows: readonly Row[];
  /** What the rows leave out, for people. */
  readonly notes: readonly string[];
  readonly seconds: number;
}

export interface Machine {
  readonly processors: number;
  readonly processor: string;
  readonly memoryGiB: number;
  readonly node: string;
}

export const thisMachine = (): Machine => ({
  processors: cpus().length,
  processor: cpus()[0]?.model.trim() ?? 'unknown',
  memoryGiB: Math.round(totalmem() / 1_073_741_824),
  node: process.versions.node,
});

/** A row that says how it is, whatever that is. */
export const shown = (row: string, measured: number | null | Spread): Row => ({
  ...figuresOf(row, measured),
  ...{ limit: '', ok: true },
});
export const exactly = (row: string, limit: number, measured: number): Row => ({
  ...{ row, measured, limit: String(limit) },
  ok: measured === limit,
});
/** What can't be known here doesn't fall short. */
export const atMost = (row: string, limit: number, measured: number | null | Spread): Row => {
  const figures = figuresOf(row, measured);
  return { ...figures, limit: `<= ${limit}`, ok: figures.measured === null || figures.measured <= limit };
};
export const atLeast = (row: string, limit: number, measured: number | null | Spread): Row => {
  const figures = figuresOf(row, measured);
  return { ...figures, limit: `>= ${limit}`, ok: figures.measured === null || figures.measured >= limit };
};

function figuresOf(
  row: string,
  measured: number | null | Spread,
): Pick<Row, 'row' | 'measured' | 'least' | 'most'> {
  if (measured === null || typeof measured === 'number') return { row, measured };
  return { row, measured: measured.median, least: measured.least, most: measured.most };
}

export function tableOf({ rows }: Report): string {
  const head = ['row', 'limit', 'measured', 'least', 'most', ''];
  const table = new Table({ head, style: { head: [], border: [], compact: true } });
  for (const { row, limit, measured, least = '', most = '', ok } of rows)
    table.push([row, limit, measured ?? 'unknown', least, most, ok ? '' : 'short']);
  return table.toString();
}
