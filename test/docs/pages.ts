import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));

/** Every page of the checkout, as its path from there. */
export const PAGES: readonly string[] = [
  ...readdirSync(CHECKOUT).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(CHECKOUT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

export const read = (page: string): string => readFileSync(join(CHECKOUT, page), 'utf8');

export interface Fence {
  readonly language: string;
  readonly text: string;
  /** The line before the fence, such as a marker. */
  readonly before: string;
}

export function fencesOf(page: string): Fence[] {
  return [...read(page).matchAll(/(?:^|\n)([^\n]*)\n\n?```([a-z]*)\n([\s\S]*?)```/g)].map((m) => ({
    before: m[1] ?? '',
    language: m[2] ?? '',
    text: m[3] ?? '',
  }));
}

export const withoutFences = (text: string): string => text.replace(/```[\s\S]*?```/g, '');

/** The cells of the table whose header row begins with these columns, without backticks. */
export function tableOf(page: string, ...columns: string[]): string[][] {
  const lines = read(page).split('\n');
  const start = lines.findIndex(
    (line) =>
      line.startsWith('|') &&
      cellsOf(line)
        .slice(0, columns.length)
        .every((cell, i) => cell === columns[i]),
  );
  if (start < 0) throw new Error(`${page} has no table with the columns ${columns.join(', ')}`);
  const rest = lines.slice(start + 2);
  const end = rest.findIndex((line) => !line.startsWith('|'));
  return rest.slice(0, end < 0 ? undefined : end).map(cellsOf);
}

const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('`', ''));

export interface StatusRow {
  readonly from: number;
  readonly to: number;
  readonly outcome: string;
  readonly class: string;
  readonly follows: string;
}

/** The rows of the published table of statuses; single ones first, so that "other" rows come after them. */
export function statusRows(): StatusRow[] {
  const rows = tableOf('docs/answers.md', 'status', 'outcome', 'class', 'what follows').map(
    ([what = '', outcome = '', cls = '', follows = '']) => {
      const others = /^other (\d)xx$/.exec(what)?.[1];
      const [from = '', to = from] = others ? [`${others}00`, `${others}99`] : what.split(' to ');
      return { from: Number(from), to: Number(to), outcome, class: cls, follows };
    },
  );
  return rows.sort((a, b) => a.to - a.from - (b.to - b.from));
}
