import { describe, expect, it } from 'vitest';
import { COOL_DOWN_MS, coolDownMs } from '../../src/policy/cool-down.js';
import { DEFAULT_POLICY } from '../../src/policy/delivery-policy.js';
import { RETRY_AFTER_MAX_MS } from '../../src/policy/retry-after.js';

const NOW_MS = Date.parse('2026-11-30T12:00:00Z');
const cool = (status: number, retryAfter?: string, firstRetryMs = DEFAULT_POLICY.firstRetryMs): number =>
  coolDownMs({ ...DEFAULT_POLICY, firstRetryMs }, { status, retryAfter }, NOW_MS);

describe.each([429, 503])('after a %i', (status) => {
  it.each([
    ['30', 30_000],
    ['Mon, 30 Nov 2026 12:01:00 GMT', 60_000],
    ['99999999', RETRY_AFTER_MAX_MS],
  ])('it lasts as long as Retry-After says: %s', (retryAfter, ms) => {
    expect(cool(status, retryAfter)).toBe(ms);
  });

  it.each([undefined, '0', '000', 'Mon, 30 Nov 2026 11:59:59 GMT', 'Sun, 06 Nov 1994 08:49:37 GMT', 'soon'])(
    'it is the usual one with %s, and never longer than the first retry waits',
    (retryAfter) => {
      expect(cool(status, retryAfter)).toBe(COOL_DOWN_MS);
      expect(cool(status, retryAfter, 200)).toBe(200);
    },
  );
});

it.each([200, 408, 425, 500, 502, 504])('a %i speaks for no endpoint, whatever it says', (status) => {
  expect(cool(status, '30')).toBe(0);
});
