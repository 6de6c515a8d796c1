import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { DEFAULT_POLICY, POLICY_BOUNDS } from '../../src/policy/delivery-policy.js';
import {
  attemptTimeMs,
  coveredTimeoutMs,
  faultInTimes,
  longestStopMs,
  silenceMs,
  TIME_BOUNDS,
} from '../../src/policy/times.js';

const within = ([min, max]: readonly [number, number]) => fc.integer({ min, max });
const deadline = within(POLICY_BOUNDS.timeoutMs);
const times = fc.record({
  leaseMarginMs: within(TIME_BOUNDS.leaseMarginMs),
  drainMs: within(TIME_BOUNDS.drainMs),
});
const variable = (name: string, value: number) =>
  loadConfig({ WAYBILL_DATABASE_URL: 'postgres://localhost/w', [name]: String(value) });

describe('the time Temporal gives an attempt', () => {
  it('holds a whole lease of any legal deadline, also of one that was raised since the obligation began', () => {
    fc.assert(
      fc.property(deadline, deadline, times, (began, now, { leaseMarginMs }) => {
        expect(attemptTimeMs(began)).toBeGreaterThan(now + leaseMarginMs + 60_000);
      }),
    );
    const [shortest, longest] = POLICY_BOUNDS.timeoutMs;
    expect(attemptTimeMs(shortest)).toBeGreaterThan(longest + TIME_BOUNDS.leaseMarginMs[1] + 60_000);
  });

  it('rests on bounds that the settings are held to', () => {
    const [least, most] = TIME_BOUNDS.leaseMarginMs;
    expect(variable('WAYBILL_LEASE_MARGIN_MS', most).leaseMarginMs).toBe(most);
    expect(() => variable('WAYBILL_LEASE_MARGIN_MS', most + 1)).toThrow(/WAYBILL_LEASE_MARGIN_MS/);
    expect(() => variable('WAYBILL_LEASE_MARGIN_MS', least - 1)).toThrow(/WAYBILL_LEASE_MARGIN_MS/);
    expect(() => variable('WAYBILL_DRAIN_MS', TIME_BOUNDS.drainMs[1] + 1)).toThrow(/WAYBILL_DRAIN_MS/);
  });
});

describe('a drain', () => {
  it('is at fault exactly where it is shorter than the longest lease', () => {
    fc.assert(
      fc.property(times, deadline, (set, timeoutMs) => {
        const fault = faultInTimes(set, { timeoutMs, subscriber: 'acme' });
        expect(fault === undefined).toBe(set.drainMs >= timeoutMs + set.leaseMarginMs);
        expect(
          faultInTimes({ ...set, drainMs: timeoutMs + set.leaseMarginMs }, { timeoutMs, subscriber: 'acme' }),
        ).toBe(undefined);
        if (coveredTimeoutMs(set) >= timeoutMs) expect(fault).toBeUndefined();
        expect(longestStopMs(set)).toBeGreaterThan(set.drainMs);
      }),
    );
  });

  it('can be set for every legal deadline and margin', () => {
    const [, most] = TIME_BOUNDS.drainMs;
    expect(most).toBeGreaterThanOrEqual(POLICY_BOUNDS.timeoutMs[1] + TIME_BOUNDS.leaseMarginMs[1]);
  });

  it('names what it is too short for, and what would do', () => {
    const fault = faultInTimes(
      { drainMs: 30_000, leaseMarginMs: 10_000 },
      { timeoutMs: 60_000, subscriber: 'acme' },
    );
    expect(fault).toMatch(
      /60000 ms of subscriber acme .* 10000 ms of WAYBILL_LEASE_MARGIN_MS; set it to 70000 or more/,
    );
  });

  it('is no matter where nobody is owed anything', () => {
    expect(faultInTimes({ drainMs: 0, leaseMarginMs: 10_000 }, undefined)).toBeUndefined();
  });
});

describe('the silence after which an attempt is taken for dead', () => {
  it('is 5 to 20 s, and is over before the lease of any but the shortest deadlines', () => {
    fc.assert(
      fc.property(deadline, deadline, (one, other) => {
        const [shorter, longer] = one < other ? [one, other] : [other, one];
        expect(silenceMs(shorter)).toBeGreaterThanOrEqual(5_000);
        expect(silenceMs(longer)).toBeLessThanOrEqual(20_000);
        expect(silenceMs(shorter)).toBeLessThanOrEqual(silenceMs(longer));
        if (one >= 5_000) expect(silenceMs(one)).toBeLessThanOrEqual(one);
      }),
    );
  });

  it('stays 5 s for the deadline a subscriber has by default', () => {
    expect(silenceMs(DEFAULT_POLICY.timeoutMs)).toBe(5_000);
  });
});

it('the defaults agree', () => {
  const config = loadConfig({ WAYBILL_DATABASE_URL: 'postgres://localhost/w' });
  expect(faultInTimes(config, { timeoutMs: DEFAULT_POLICY.timeoutMs, subscriber: 'acme' })).toBeUndefined();
});
