import Table from 'cli-table3';

export const KINDS = [
  'spelling',
  'range',
  'resolver',
  'allow-list',
  'status',
  'redirect',
  'retry-after',
  'receiver',
  'handshake',
  'certificate',
  'header',
  'proxy',
  'property',
] as const;
export type Kind = (typeof KINDS)[number];

/** One case: what was done, what its table says must come of it, and what came. */
export interface Row {
  readonly kind: Kind;
  readonly name: string;
  readonly input: string;
  readonly expected: string;
  readonly got: string;
  /** Sockets that were opened to an address this case permits none to, as the kernel was asked and as traps counted. */
  readonly forbiddenSockets: number;
  readonly overDeadlineMs: number;
  /** The most memory this process held in the case above what it held before. */
  readonly memoryGrowthBytes: number;
}

/** Bounds of every row. */
export interface Limits {
  readonly overDeadlineMs: number;
  readonly memoryGrowthBytes: number;
}

/** Why a row falls short, in words; empty where it doesn't. */
export function faultsIn(row: Row, limits: Limits): string[] {
  const faults: string[] = [];
  if (row.got !== row.expected) faults.push(`got ${row.got}`);
  if (row.forbiddenSockets > 0) faults.push(`${row.forbiddenSockets} forbidden sockets`);
  if (row.overDeadlineMs > limits.overDeadlineMs) faults.push(`${row.overDeadlineMs} ms over the deadline`);
  if (row.memoryGrowthBytes > limits.memoryGrowthBytes)
    faults.push(`grew by ${mib(row.memoryGrowthBytes)} MiB`);
  return faults;
}

/** For people: one line for each kind, then each row that falls short. */
export function tableOf(rows: readonly Row[], limits: Limits): string {
  const head = ['kind', 'rows', 'short', 'forbidden sockets', 'ms over deadline, most', 'MiB grown, most'];
  const table = new Table({ head, style: { head: [], border: [], compact: true } });
  for (const kind of KINDS) {
    const of = rows.filter((row) => row.kind === kind);
    if (of.length === 0) continue;
    table.push([
      kind,
      of.length,
      of.filter((row) => faultsIn(row, limits).length > 0).length,
      of.reduce((sum, row) => sum + row.forbiddenSockets, 0),
      Math.max(...of.map((row) => row.overDeadlineMs)),
      mib(Math.max(...of.map((row) => row.memoryGrowthBytes))),
    ]);
  }
  const short = rows
    .map((row) => ({ row, faults: faultsIn(row, limits) }))
    .filter(({ faults }) => faults.length > 0)
    .map(({ row, faults }) => `  ${row.kind}: ${row.name}: expected ${row.expected}: ${faults.join('; ')}`);
  return [table.toString(), ...short].join('\n');
}

const mib = (bytes: number): string => (bytes / 1_048_576).toFixed(1);
