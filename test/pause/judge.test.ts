import { describe, expect, test } from 'vitest';
import { seen } from '../scale/seen.js';
import { begunBetween, burstOf, judgeRamp, rampRate, unanswered } from './judge.js';

describe('what began while nothing may', () => {
  const requests = [1, 3, 5, 7].map((begin) => seen({ begin, path: begin === 5 ? '/other/x' : '/paused/x' }));
  const isPaused = ({ path }: { readonly path: string }): boolean => path.startsWith('/paused/');

  test('is counted between the marks, for the endpoints in question', () => {
    const begun = (from: number, to: number): number[] =>
      begunBetween(requests, isPaused, { place: from }, { place: to }).map(({ begin }) => begin);
    expect(begun(2, 8)).toEqual([3, 7]);
    expect(begun(3, 7)).toEqual([]);
    expect(begun(4, 6)).toEqual([]);
    expect(begun(4, Infinity)).toEqual([7]);
  });
});

describe('the ramp', () => {
  /** So many a second, evenly, beginning so long after the resume. */
  const evenly = (perSecond: number, fromMs: number, count: number): number[] =>
    Array.from({ length: count }, (_, i) => fromMs + (i * 1_000) / perSecond);

  test('climbs from a tenth to the whole within half a minute', () => {
    expect([-1, 0, 15_000, 30_000, 90_000].map((ms) => rampRate(40, ms))).toEqual([4, 4, 22, 40, 40]);
    expect([4, 8, 40].map(burstOf)).toEqual([2, 2, 10]);
  });

  test('is kept by requests at its rate, and by its burst', () => {
    expect(judgeRamp(evenly(40, 30_000, 400), 0, 40)).toEqual({ above: 0, fullest: 40 });
    expect(judgeRamp([...evenly(40, 30_000, 400), ...Array(10).fill(32_000)], 0, 40).above).toBe(0);
  });

  test('is broken by what comes at once, by the whole rate from the beginning, and by a burst too many', () => {
    expect(judgeRamp(Array(50).fill(100), 0, 40).above).toBeGreaterThan(40);
    expect(judgeRamp(evenly(40, 0, 400), 0, 40).above).toBeGreaterThan(20);
    expect(judgeRamp([...evenly(40, 30_000, 400), ...Array(12).fill(32_000)], 0, 40).above).toBeGreaterThan(
      0,
    );
  });

  test('counts seconds wherever they begin', () => {
    // Ten at the end of one second of the clock and ten at the beginning of the next.
    const begins = [...Array(10).fill(40_900), ...Array(10).fill(41_100)] as number[];
    expect(judgeRamp(begins, 0, 10)).toEqual({ above: 7.5, fullest: 20 });
  });

  test('says nothing of nothing', () => {
    expect(judgeRamp([], 0, 40)).toEqual({ above: 0, fullest: 0 });
  });
});

test('a key without an answer 200 is named', () => {
  const requests = [
    seen({ begin: 1, end: 2, key: 'a' }),
    seen({ begin: 3, end: 4, key: 'b', status: 500 }),
    seen({ begin: 5, key: 'c' }),
  ];
  expect(unanswered(['a', 'b', 'c', 'd'], requests)).toEqual(['b', 'c', 'd']);
});
