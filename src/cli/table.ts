import Table from 'cli-table3';
import pc from 'picocolors';
import type { Disposition } from '../contract.js';
import { printable, write } from './output.js';

export type Cell = string | number | boolean | Date | null | undefined;
type Paint = (text: string) => string;

/** Whether stdout is a terminal; tables and colours are for people. */
export const isTerminal = (): boolean => process.stdout.isTTY === true;

/** Colours on a terminal, unless NO_COLOR is set (to anything but an empty text) or the terminal is `dumb`. */
export const paints = () =>
  pc.createColors(isTerminal() && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb');

/** Any value as one line of safe text; times in UTC, nothing as a dash. */
export function shown(cell: Cell): string {
  if (cell === null || cell === undefined || cell === '') return '-';
  return printable(cell instanceof Date ? cell.toISOString() : String(cell));
}

/** A rowless table isn't printed. On a terminal aligned under a head, otherwise one tab-separated line a row. */
export async function writeTable(
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
  paintOf: (column: string, text: string) => Paint | undefined = () => undefined,
): Promise<void> {
  if (rows.length === 0) return;
  if (!isTerminal()) {
    await write([head, ...rows.map((row) => row.map(shown))].map((line) => line.join('\t') + '\n').join(''));
    return;
  }
  const { dim } = paints();
  const table = new Table({
    head: head.map((name) => dim(name)),
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2 },
    chars: NO_LINES,
  });
  for (const row of rows) {
    table.push(
      row.map((cell, i) => {
        const text = shown(cell);
        return (paintOf(head[i] ?? '', text) ?? String)(text);
      }),
    );
  }
  await write(table.toString() + '\n');
}

/** Columns stand apart by blanks alone. */
const PARTS = ['mid', 'left', 'right'];
const NO_LINES = Object.fromEntries(
  [
    'middle',
    ...['top', 'bottom', 'left', 'right', 'mid'].flatMap((side) => [
      side,
      ...PARTS.map((p) => `${side}-${p}`),
    ]),
  ].map((name) => [name, '']),
);

/** Good news green, an end that needs a person red, what waits yellow. */
export function paintDisposition(disposition: Disposition | string): Paint | undefined {
  const { green, red, yellow, magenta, cyan } = paints();
  const paint: Readonly<Record<string, Paint>> = {
    delivered: green,
    dead: red,
    expired: red,
    waiting: yellow,
    held: magenta,
    attempting: cyan,
  };
  return paint[disposition];
}

export const paintColumns = (column: string, text: string): Paint | undefined =>
  column === 'disposition' || column === 'outcome' ? paintDisposition(text) : undefined;
