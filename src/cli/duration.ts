import { InvalidArgumentError } from 'commander';

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `90s`, `30m`, `24h`, `7d` or `0` in milliseconds. */
export function duration(text: string): number {
  const [, digits, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  if (text === '0') return 0;
  if (digits === undefined || unit === undefined) {
    throw new InvalidArgumentError('It is not a time such as 90s, 30m, 24h, 7d or 0.');
  }
  return Number(digits) * (UNITS_MS[unit] ?? NaN);
}
