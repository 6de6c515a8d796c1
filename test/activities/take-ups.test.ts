import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeTakeUps } from '../../src/activities/take-ups.js';
import type { ObligationKey } from '../../src/contract.js';

const key = (name: string): ObligationKey => `${name}:s:1` as ObligationKey;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('how soon what a fan-out starts is taken up', () => {
  const seen = (forMs: () => ReadonlyMap<ObligationKey, number | null>) => {
    const learned: number[] = [];
    const takeUps = makeTakeUps(
      () => Promise.resolve(forMs()),
      (tookMs) => learned.push(Math.round(tookMs)),
    );
    return { learned, takeUps };
  };

  it('is told to the millisecond, however late it is looked at', async () => {
    const { learned, takeUps } = seen(() => new Map([[key('a'), 60]]));
    const stop = takeUps.watch();
    takeUps.started(key('a'));
    await vi.advanceTimersByTimeAsync(100);
    expect(learned).toEqual([40]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(learned).toEqual([40]);
    stop();
  });

  it('is waited for, and given up in the end', async () => {
    const { learned, takeUps } = seen(() => new Map([[key('a'), null]]));
    const stop = takeUps.watch();
    takeUps.started(key('a'));
    await vi.advanceTimersByTimeAsync(9_000);
    expect(learned).toEqual([]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(learned).toHaveLength(1);
    expect(learned[0]).toBeGreaterThan(10_000);
    stop();
  });

  it('says nothing of one that waits for something else', async () => {
    const { learned, takeUps } = seen(() => new Map());
    const stop = takeUps.watch();
    takeUps.started(key('a'));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(learned).toEqual([]);
    stop();
  });
});
