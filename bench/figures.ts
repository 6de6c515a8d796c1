/** Of repeated measurements: the median, the least and the most. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

/** Null where any of them is unknown. */
export function spreadOf(values: readonly (number | null)[]): Spread | null {
  const known = values.filter((value) => value !== null).sort((a, b) => a - b);
  if (known.length < values.length || known.length === 0) return null;
  return {
    median: rounded(quantile(known, 0.5)),
    least: rounded(known[0] as number),
    most: rounded(known.at(-1) as number),
  };
}

/** Between the two nearest of `sorted`, in proportion. */
export function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] ?? NaN;
  const high = sorted[Math.ceil(at)] ?? NaN;
  return low + (high - low) * (at - Math.floor(at));
}

/** To three digits after the point: enough for any figure here. */
export const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

/** Unknown where either is. */
export const ratio = (a: number | null, b: number | null): number | null =>
  a === null || b === null || b === 0 ? null : a / b;
