/** In the largest unit that leaves at least two of it: `90 s`, `5 min`, `36 h`, `8 d`. */
export function span(ms: number): string {
  const units = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['min', 60_000],
  ] as const;
  const [name, unitMs] = units.find(([, size]) => ms >= 2 * size) ?? (['s', 1_000] as const);
  return `${Math.ceil(ms / unitMs)} ${name}`;
}
