import { describe, expect, it } from 'vitest';
import { firstPace, LEAST_PER_SECOND, nextPace, QUICK_TAKE_UP_MS, type Pace } from '../../src/policy/pace.js';

const MOST = 200;
const after = (answers: readonly number[], from: Pace = firstPace(MOST), most = MOST): Pace =>
  answers.reduce((pace, answerMs) => nextPace(pace, answerMs, most), from);
const times = (count: number, answerMs: number): number[] => Array<number>(count).fill(answerMs);

describe('the pace of fan-outs', () => {
  it('climbs to the most that is allowed while answers are quick, and no farther', () => {
    expect(after([5]).perSecond).toBeGreaterThan(firstPace(MOST).perSecond);
    expect(after(times(1_000, 5)).perSecond).toBe(MOST);
  });

  it('begins, and stays, below a limit that is lower than where it would begin', () => {
    expect(firstPace(3).perSecond).toBe(3);
    expect(after(times(10, 5), firstPace(3), 3).perSecond).toBe(3);
    expect(after(times(10, 900), firstPace(3), 3).perSecond).toBe(3);
  });

  it('falls faster than it climbs when answers are slow, and never to a standstill', () => {
    const climbed = after(times(20, 5));
    const fallen = after([QUICK_TAKE_UP_MS + 1], climbed);
    expect(climbed.perSecond - fallen.perSecond).toBeGreaterThan(
      after([5]).perSecond - firstPace(MOST).perSecond,
    );
    expect(after([5, ...times(100, 500)]).perSecond).toBe(LEAST_PER_SECOND);
    expect(after(times(100, Infinity)).perSecond).toBe(LEAST_PER_SECOND);
  });

  it('comes back once answers are quick again', () => {
    expect(after([...times(100, 500), ...times(1_000, 5)]).perSecond).toBe(MOST);
  });

  it('takes what a far Temporal always needs for its ease', () => {
    const far = 4 * QUICK_TAKE_UP_MS;
    const begun = after([far]);
    expect(after(times(10, far * 1.1), begun).perSecond).toBeGreaterThan(begun.perSecond);
    expect(after([far * 2.5], begun).perSecond).toBeLessThan(begun.perSecond);
  });
});
