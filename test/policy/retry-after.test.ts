import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseHttpDate, parseRetryAfter, RETRY_AFTER_MAX_MS } from '../../src/policy/retry-after.js';

const NOW_MS = Date.UTC(2026, 10, 30, 14, 41, 23);
const CUT = { waitMs: RETRY_AFTER_MAX_MS, clamped: true };

describe('seconds', () => {
  test.each([
    ['120', 120_000],
    ['0', 0],
    [' 30 ', 30_000],
    ['\t30', 30_000],
    ['007', 7_000],
    ['691200', 691_200_000],
    ['2592000', RETRY_AFTER_MAX_MS],
  ])('%j is obeyed in full', (raw, waitMs) => {
    expect(parseRetryAfter(raw, NOW_MS)).toEqual({ waitMs, clamped: false });
  });

  test.each(['2592001', '2147484000', '9999999999', '9'.repeat(400)])('%s is cut to 30 days', (raw) => {
    expect(parseRetryAfter(raw, NOW_MS)).toEqual(CUT);
  });

  test('more seconds than a 32-bit timer holds are still a long wait', () => {
    expect(parseRetryAfter('2147484', NOW_MS)).toEqual({ waitMs: 2_147_484_000, clamped: false });
  });
});

describe('what is neither seconds nor a date is not obeyed', () => {
  test.each([
    '',
    ' ',
    '-5',
    '+3',
    '1.5',
    '1e3',
    '0x10',
    'NaN',
    'Infinity',
    'soon',
    '1 hour',
    'PT5M',
    '1,2',
    '１２',
    '12\n',
    '2026-11-30T15:00:00',
    '2026-11-30T15:00:00Z',
    'Wed, 31 Feb 2027 00:00:00 GMT',
    'Mon, 29 Feb 2027 00:00:00 GMT',
    'Tue, 00 Dec 2026 00:00:00 GMT',
    'Tue, 01 Dec 2026 24:00:00 GMT',
    'Tue, 01 Dec 2026 00:60:00 GMT',
    'Tue, 01 Dec 2026 00:00:61 GMT',
    'Tue, 1 Dec 2026 00:00:00 GMT',
    'Tue, 01 Dec 2026 00:00:00 UTC',
    'Tue, 01 Dec 2026 00:00:00 +0100',
    'Tue, 01 Dec 2026 00:00:00',
    'tue, 01 dec 2026 00:00:00 gmt',
    'Tuesday, 01 Dec 2026 00:00:00 GMT',
  ])('%j', (raw) => {
    expect(parseRetryAfter(raw, NOW_MS)).toBeUndefined();
  });
});

describe('dates', () => {
  test.each([
    'Mon, 30 Nov 2026 14:42:53 GMT',
    'Monday, 30-Nov-26 14:42:53 GMT',
    'Mon Nov 30 14:42:53 2026',
    ' Mon, 30 Nov 2026 14:42:53 GMT ',
  ])('%j is 90 s ahead', (raw) => {
    expect(parseRetryAfter(raw, NOW_MS)).toEqual({ waitMs: 90_000, clamped: false });
  });

  test('a date in the past is no wait', () => {
    expect(parseRetryAfter('Wed, 21 Oct 2015 07:28:00 GMT', NOW_MS)).toEqual({ waitMs: 0, clamped: false });
  });

  test('a date in 2099 is cut to 30 days', () => {
    expect(parseRetryAfter('Thu, 01 Jan 2099 00:00:00 GMT', NOW_MS)).toEqual(CUT);
  });

  test('a single-digit day of the asctime form is padded with a blank', () => {
    expect(parseHttpDate('Sun Nov  6 08:49:37 1994', NOW_MS)).toBe(Date.UTC(1994, 10, 6, 8, 49, 37));
  });

  test('two digits of a year are read as at most 50 years ahead', () => {
    expect(parseHttpDate('Friday, 01-Jan-76 00:00:00 GMT', NOW_MS)).toBe(Date.UTC(2076, 0, 1));
    expect(parseHttpDate('Friday, 01-Jan-77 00:00:00 GMT', NOW_MS)).toBe(Date.UTC(1977, 0, 1));
    expect(parseHttpDate('Sunday, 06-Nov-94 08:49:37 GMT', NOW_MS)).toBe(Date.UTC(1994, 10, 6, 8, 49, 37));
    const in2099 = Date.UTC(2099, 11, 31);
    expect(parseHttpDate('Friday, 01-Jan-00 00:00:00 GMT', in2099)).toBe(Date.UTC(2100, 0, 1));
  });

  test('every second of four centuries is read as what it says', () => {
    const range = { min: Date.UTC(1900, 0, 1) / 1000, max: Date.UTC(2299, 11, 31) / 1000 };
    fc.assert(
      fc.property(fc.integer(range), (second) => {
        expect(parseHttpDate(new Date(second * 1000).toUTCString(), NOW_MS)).toBe(second * 1000);
      }),
    );
  });
});

test('no text gives a negative, endless or fractional wait', () => {
  const text = fc.oneof(fc.string(), fc.double().map(String), fc.bigInt().map(String));
  fc.assert(
    fc.property(text, fc.double({ min: 0, max: 4e12, noNaN: true }), (raw, nowMs) => {
      const wait = parseRetryAfter(raw, nowMs)?.waitMs ?? 0;
      expect(Number.isInteger(wait) && wait >= 0 && wait <= RETRY_AFTER_MAX_MS).toBe(true);
    }),
  );
});
