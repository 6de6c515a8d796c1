import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoffMs } from '../../src/policy/backoff.js';
import { decide } from '../../src/policy/decide.js';
import { DEFAULT_POLICY, isPolicyFault, mergePolicy } from '../../src/policy/delivery-policy.js';

const DAY_MS = 86_400_000;
const at = (tryNumber: number, uncounted = 0) => ({ tryNumber, uncounted, nowMs: 0, random: 0 });
const failed = (retryAfter?: string) => ({ outcome: 'failed', class: 'server_error', retryAfter }) as const;

describe('the default schedule', () => {
  it('begins with five minutes exactly, whatever the jitter', () => {
    for (const random of [0, 0.5, 0.999]) expect(backoffMs(DEFAULT_POLICY, 1, random)).toBe(300_000);
  });

  it('covers at least 7.8 days even with the least jitter, and stays below 16', () => {
    const horizonMs = (random: number): number =>
      Array.from({ length: DEFAULT_POLICY.maxTries - 1 }, (_, i) =>
        backoffMs(DEFAULT_POLICY, i + 1, random),
      ).reduce((sum, wait) => sum + wait);
    expect(horizonMs(0)).toBeGreaterThanOrEqual(7.8 * DAY_MS);
    expect(horizonMs(1)).toBeLessThan(16 * DAY_MS);
  });

  it('never waits longer than the ceiling, less than half the curve, or not at all', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 10_000 }),
        fc.double({ min: 0, max: 0.9999, noNaN: true }),
        (tries, random) => {
          const wait = backoffMs(DEFAULT_POLICY, tries, random);
          const curve = Math.min(DEFAULT_POLICY.ceilingMs, 300_000 * 2 ** (tries - 1));
          expect(wait).toBeGreaterThanOrEqual(Math.floor(curve / 2));
          expect(wait).toBeLessThanOrEqual(DEFAULT_POLICY.ceilingMs);
        },
      ),
    );
  });

  it('goes beyond a week for a single wait when the ceiling says so', () => {
    const patient = { ...DEFAULT_POLICY, ceilingMs: 20 * DAY_MS };
    expect(backoffMs(patient, 20, 1)).toBe(20 * DAY_MS);
  });
});

describe('what follows from an attempt', () => {
  it.each([
    [
      { outcome: 'delivered', class: 'success' },
      { to: 'delivered', counted: true },
    ],
    [
      { outcome: 'rejected', class: 'client_error' },
      { to: 'dead', counted: true },
    ],
    [
      { outcome: 'blocked', class: 'address_policy' },
      { to: 'dead', counted: true },
    ],
    [
      { outcome: 'blocked', class: 'payload_unavailable' },
      { to: 'dead', counted: true },
    ],
    [
      { outcome: 'failed', class: 'tls' },
      { to: 'waiting', counted: true, waitMs: 300_000 },
    ],
    [
      { outcome: 'unknown', class: 'timeout' },
      { to: 'waiting', counted: true, waitMs: 300_000 },
    ],
    [
      { outcome: 'unknown', class: 'lease_over' },
      { to: 'waiting', counted: false },
    ],
    [
      { outcome: 'unknown', class: 'shutdown' },
      { to: 'waiting', counted: false, waitMs: 0 },
    ],
    [
      { outcome: 'cancelled', class: 'shutdown' },
      { to: 'waiting', counted: false, waitMs: 0 },
    ],
    [
      { outcome: 'cancelled', class: 'own_fault' },
      { to: 'waiting', counted: false, waitMs: 5_000 },
    ],
  ] as const)('%o', (judged, expected) => {
    expect(decide(DEFAULT_POLICY, judged, at(1))).toMatchObject(expected);
  });

  it('slows down while the fault is our own, to a quarter of an hour at most', () => {
    const fault = { outcome: 'cancelled', class: 'own_fault' } as const;
    const waits = [0, 1, 2, 10, 1_000].map((uncounted) => decide(DEFAULT_POLICY, fault, at(1, uncounted)));
    expect(waits.map((d) => [d.waitMs, d.counted])).toEqual(
      [5_000, 10_000, 20_000, 900_000, 900_000].map((ms) => [ms, false]),
    );
  });

  it('is death at the last try, and not before', () => {
    expect(decide(DEFAULT_POLICY, failed(), at(23)).to).toBe('waiting');
    expect(decide(DEFAULT_POLICY, failed(), at(24)).to).toBe('dead');
  });

  it('takes the longer of Retry-After and its own wait, in full beyond the ceiling, cut at 30 days and saying so', () => {
    expect(decide(DEFAULT_POLICY, failed('10'), at(1)).waitMs).toBe(300_000);
    expect(decide(DEFAULT_POLICY, failed('691200'), at(1))).toMatchObject({
      waitMs: 8 * DAY_MS,
      retryClamped: false,
    });
    expect(decide(DEFAULT_POLICY, failed('9999999999'), at(1))).toMatchObject({
      waitMs: 30 * DAY_MS,
      retryClamped: true,
    });
    expect(decide(DEFAULT_POLICY, failed('soon'), at(1)).waitMs).toBe(300_000);
  });
});

describe('a policy', () => {
  it.each([
    [{ firstRetryMs: '5' }, 'firstRetryMs'],
    [{ maxTries: 1.5 }, 'maxTries'],
    [{ timeoutMs: 0 }, 'timeoutMs'],
    [{ factor: Number.NaN }, 'factor'],
    [{ retries: 3 }, 'retries'],
    [{ validityMsByType: { 'shipment.late': -1 } }, 'validityMsByType.shipment.late'],
    [{ validityMsByType: [1] }, 'validityMsByType'],
    [{ validityMsByType: { 'a\u0000': 1 } }, 'validityMsByType'],
    [
      { validityMsByType: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`t${i}`, 1])) },
      'validityMsByType',
    ],
  ])('%o is refused, naming %s', (given, field) => {
    expect(mergePolicy(DEFAULT_POLICY, given)).toMatchObject({ field });
  });

  it('keeps what is not overridden', () => {
    const merged = mergePolicy(DEFAULT_POLICY, { maxTries: 3, factor: 1.5 });
    expect(isPolicyFault(merged)).toBe(false);
    expect(merged).toEqual({ ...DEFAULT_POLICY, maxTries: 3, factor: 1.5 });
  });
});
