/** The longest wait a receiver may ask for; more is cut to this. */
export const RETRY_AFTER_MAX_MS = 30 * 24 * 60 * 60 * 1000;

/** A wait a receiver asked for. `clamped`: it asked for more than {@link RETRY_AFTER_MAX_MS}. */
export interface RetryAfter {
  waitMs: number;
  clamped: boolean;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MONTH = MONTHS.join('|');
const DAY = 'Mon|Tue|Wed|Thu|Fri|Sat|Sun';
const LONG_DAY = 'Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday';
const TIME = '(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)';

/** The three forms of RFC 9110 5.6.7, the obsolete ones included since a recipient must accept all three. */
const HTTP_DATES = [
  new RegExp(`^(?:${DAY}), (?<day>\\d\\d) (?<month>${MONTH}) (?<year>\\d{4}) ${TIME} GMT$`),
  new RegExp(`^(?:${LONG_DAY}), (?<day>\\d\\d)-(?<month>${MONTH})-(?<year>\\d\\d) ${TIME} GMT$`),
  new RegExp(`^(?:${DAY}) (?<month>${MONTH}) (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})$`),
];

/**
 * The wait a raw `Retry-After` header asks for, counted from `nowMs` (epoch milliseconds at the answer's
 * receipt), or undefined where it is neither whole seconds nor an HTTP-date (RFC 9110 10.2.3). A date in the past
 * is a wait of 0; no text gives a negative or endless one.
 */
export function parseRetryAfter(raw: string, nowMs: number): RetryAfter | undefined {
  const text = raw.replace(/^[ \t]+/, '').replace(/[ \t]+$/, '');
  if (/^[0-9]+$/.test(text)) return bounded(Number(text) * 1000);
  const dateMs = parseHttpDate(text, nowMs);
  return dateMs === undefined ? undefined : bounded(dateMs - nowMs);
}

/**
 * Epoch milliseconds of an HTTP-date in one of its three forms, undefined where it isn't one or names a day or
 * time that doesn't exist. The weekday must be one but isn't compared with the date. A leap second (`:60`) counts
 * as the second after `:59`.
 */
export function parseHttpDate(text: string, nowMs: number): number | undefined {
  for (const form of HTTP_DATES) {
    const parts = form.exec(text)?.groups;
    if (!parts) continue;
    const digits = parts.year ?? '';
    const year = digits.length === 2 ? centuryOf(Number(digits), nowMs) : Number(digits);
    const month = MONTHS.indexOf(parts.month ?? '');
    const [day, hour, minute, second] = [parts.day, parts.hour, parts.minute, parts.second].map(Number);
    if (day === undefined || hour === undefined || minute === undefined || second === undefined)
      return undefined;
    if (day < 1 || day > daysInMonth(year, month)) return undefined;
    if (hour > 23 || minute > 59 || second > 60) return undefined;
    return (daysFromCivil(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second) * 1000;
  }
  return undefined;
}

function bounded(ms: number): RetryAfter {
  return ms > RETRY_AFTER_MAX_MS
    ? { waitMs: RETRY_AFTER_MAX_MS, clamped: true }
    : { waitMs: Math.max(0, Math.ceil(ms)), clamped: false };
}

/** RFC 9110 5.6.7: a two-digit year more than 50 years ahead is the latest past year with those digits. */
function centuryOf(twoDigits: number, nowMs: number): number {
  const thisYear = yearOf(nowMs);
  const year = thisYear - (thisYear % 100) + twoDigits;
  if (year > thisYear + 50) return year - 100;
  return year <= thisYear - 50 ? year + 100 : year;
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** `month` counts from 0. */
function daysInMonth(year: number, month: number): number {
  if (month === 1) return isLeap(year) ? 29 : 28;
  return month === 3 || month === 5 || month === 8 || month === 10 ? 30 : 31;
}

/**
 * Days from 1970-01-01 to a date of the proleptic Gregorian calendar; `month` counts from 0. Years are counted
 * from March, so that the leap day is the last one (Hinnant, "chrono-compatible low-level date algorithms").
 */
function daysFromCivil(year: number, month: number, day: number): number {
  const y = month < 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 10) % 12) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

function yearOf(ms: number): number {
  const days = Math.floor(ms / 86_400_000);
  let year = 1970 + Math.floor(days / 365.2425);
  while (daysFromCivil(year, 0, 1) > days) year -= 1;
  while (daysFromCivil(year + 1, 0, 1) <= days) year += 1;
  return year;
}
