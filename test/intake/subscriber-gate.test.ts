import { describe, expect, it, test } from 'vitest';
import { RAMP_BOUNDS, checkTerms, termsOf } from '../../src/intake/act-terms.js';
import { DEFAULT_GATE, GATE_BOUNDS, checkGate } from '../../src/intake/subscriber-gate.js';
import { checkSubscriber } from '../../src/intake/subscriber-input.js';
import { DEFAULT_POLICY, isPolicyFault, mergePolicy } from '../../src/policy/delivery-policy.js';
import { parseAllowList } from '../../src/wire/allow-list.js';

const fault = (check: () => unknown): { field?: string; code?: string } => {
  try {
    check();
  } catch (error) {
    return error as { field?: string };
  }
  throw new Error('nothing was refused');
};
const allow = parseAllowList('');
const subscriber = (more: object) => checkSubscriber({ name: 'a', url: 'https://a.example', ...more }, allow);

describe('the gate of a subscriber', () => {
  it('has a default for what is not given, and keeps what is', () => {
    expect(subscriber({}).gate).toEqual(DEFAULT_GATE);
    const given = {
      ...{ maxConcurrency: 2, ratePerSecond: 0.5, order: 'serialize', orderWaitMs: 1_000 },
      ...{ mode: 'shadow', cohort: 'canary' },
    };
    expect(subscriber(given).gate).toEqual(given);
    expect(subscriber({ ratePerSecond: null, cohort: null }).gate).toEqual(DEFAULT_GATE);
  });

  it('of a change has only what is named', () => {
    expect(checkGate({})).toEqual({});
    expect(checkGate({ ratePerSecond: null, mode: undefined })).toEqual({ ratePerSecond: null });
  });

  test.each(Object.entries(GATE_BOUNDS))(
    '%s is taken at its bounds %j and refused beyond them',
    (field, bounds) => {
      const [least, most] = bounds;
      for (const value of bounds) expect(checkGate({ [field]: value })).toEqual({ [field]: value });
      for (const value of [least - 0.001, most + 1, -1, NaN, Infinity, '5', true, [], {}]) {
        expect(
          fault(() => subscriber({ [field]: value })),
          String(value),
        ).toMatchObject({
          code: 'invalid_field',
          field,
        });
      }
    },
  );

  test.each([
    ['maxConcurrency', 1.5],
    ['maxConcurrency', null],
    ['orderWaitMs', 1_000.5],
    ['orderWaitMs', null],
    ['order', 'newest'],
    ['order', null],
    ['order', 1],
    ['mode', 'Shadow'],
    ['mode', null],
    ['cohort', ''],
    ['cohort', 'none'],
    ['cohort', 'a'.repeat(101)],
    ['cohort', 'a\nb'],
    ['cohort', 7],
  ])('refuses %s %j by its field', (field, value) => {
    expect(fault(() => subscriber({ [field]: value }))).toMatchObject({ code: 'invalid_field', field });
  });
});

test('a policy pauses after days of failing, or never', () => {
  const HOUR_MS = 3_600_000;
  for (const pauseAfterMs of [0, HOUR_MS, 366 * 24 * HOUR_MS]) {
    expect(mergePolicy(DEFAULT_POLICY, { pauseAfterMs })).toMatchObject({ pauseAfterMs });
  }
  for (const pauseAfterMs of [-1, 1, HOUR_MS - 1, 366 * 24 * HOUR_MS + 1, null, '5d']) {
    const merged = mergePolicy(DEFAULT_POLICY, { pauseAfterMs });
    expect(isPolicyFault(merged) && merged.field, String(pauseAfterMs)).toBe('pauseAfterMs');
  }
});

describe('the terms of an act', () => {
  const NOW = new Date('2026-11-30T12:00:00Z');
  const terms = (verb: string, given: object, alone = false) => checkTerms(given, termsOf(verb, alone), NOW);

  it('are an end for a pause and a ramp for a resume of many', () => {
    expect(terms('pause', {})).toEqual({ until: null, rampPerSecond: null });
    expect(terms('pause', { until: '2026-11-30T13:00:01+01:00' })).toEqual({
      until: new Date('2026-11-30T12:00:01Z'),
      rampPerSecond: null,
    });
    for (const rampPerSecond of RAMP_BOUNDS)
      expect(terms('resume', { rampPerSecond })).toMatchObject({ rampPerSecond });
  });

  test.each([
    ['pause', { until: '2026-11-30T12:00:00Z' }, 'until'],
    ['pause', { until: new Date('2026-11-30T11:59:59Z') }, 'until'],
    ['pause', { until: '2026-12-01T12:00:00' }, 'until'],
    ['pause', { until: 'tomorrow' }, 'until'],
    ['pause', { until: 1_800_000_000_000 }, 'until'],
    ['pause', { until: new Date(NaN) }, 'until'],
    ['pause', { rampPerSecond: 5 }, 'rampPerSecond'],
    ['resume', { until: '2026-12-01T12:00:00Z' }, 'until'],
    ['resume', { rampPerSecond: 0.09 }, 'rampPerSecond'],
    ['resume', { rampPerSecond: 10_001 }, 'rampPerSecond'],
    ['resume', { rampPerSecond: '5' }, 'rampPerSecond'],
    ['resume', { rampPerSecond: null }, 'rampPerSecond'],
    ['remove', { until: '2026-12-01T12:00:00Z' }, 'until'],
    ['off', { rampPerSecond: 5 }, 'rampPerSecond'],
    ['pause', { untill: '2026-12-01T12:00:00Z' }, 'untill'],
  ])('refuse %s with %j by the field %s', (verb, given, field) => {
    expect(fault(() => terms(verb, given))).toMatchObject({ code: 'invalid_field', field });
  });

  it('have no ramp where one delivery is resumed', () => {
    expect(fault(() => terms('resume', { rampPerSecond: 5 }, true)).field).toBe('rampPerSecond');
  });
});
