import Table from 'cli-table3';

/** A number beside its limit. */
export interface Row {
  readonly row: string;
  readonly measured: number;
  /** As it must be, such as `<= 1.3`. */
  readonly limit: string;
  readonly ok: boolean;
}

export const exactly = (row: string, limit: number, measured: number): Row => ({
  ...{ row, measured, limit: String(limit) },
  ok: measured === limit,
});
export const atMost = (row: string, limit: number, measured: number): Row => ({
  ...{ row, measured, limit: `<= ${limit}` },
  ok: measured <= limit,
});
export const atLeast = (row: string, limit: number, measured: number): Row => ({
  ...{ row, measured, limit: `>= ${limit}` },
  ok: measured >= limit,
});

export const verdictOf = (rows: readonly Row[]): 'green' | 'red' =>
  rows.every(({ ok }) => ok) ? 'green' : 'red';

/** The rows that aren't as they must be, by name. */
export const shortIn = ({ rows }: { readonly rows: readonly Row[] }): string[] =>
  rows.filter(({ ok }) => !ok).map(({ row }) => row);

/** For people. */
export function tableOf(rows: readonly Row[]): string {
  const head = ['row', 'limit', 'measured', ''];
  const table = new Table({ head, style: { head: [], border: [], compact: true } });
  for (const { row, limit, measured, ok } of rows) table.push([row, limit, measured, ok ? '' : 'short']);
  return table.toString();
}
