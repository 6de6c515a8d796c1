import { invalid } from '../errors.js';

/** ISO 8601 (RFC 3339) with a zone. A zoneless time would mean another moment on each machine. */
const ISO_WITH_ZONE =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d{1,9})?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/**
 * A moment in whole milliseconds, or null where none is given.
 * @throws WaybillError `invalid_field` for a zoneless time, a day that doesn't exist, or anything else.
 */
export function parseInstant(field: string, value: Date | string | undefined): Date | null {
  if (value === undefined) return null;
  if (value instanceof Date) {
    const year = value.getUTCFullYear();
    if (!(year >= 1 && year <= 9999)) throw invalid(field, 'must be a moment of the years 1 to 9999');
    return value;
  }
  const match = typeof value === 'string' ? ISO_WITH_ZONE.exec(value) : null;
  if (!match) throw invalid(field, 'must be an ISO 8601 time with a zone, such as 2026-11-01T05:30:00Z');
  const [, year, month, day, hour] = match;
  const daysInMonth = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  const parsed = new Date(value);
  if (
    Number.isNaN(parsed.getTime()) ||
    Number(day) > daysInMonth ||
    Number(hour) > 23 ||
    Number(year) === 0
  ) {
    throw invalid(field, 'names a day or time that does not exist');
  }
  return parsed;
}
