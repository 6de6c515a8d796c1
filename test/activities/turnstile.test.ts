import { expect, test, vi } from 'vitest';
import { makeTurnstile } from '../../src/activities/turnstile.js';

test('whoever comes alone passes at once; of a crowd one passes at a time, in order', async () => {
  vi.useFakeTimers();
  try {
    const turnstile = makeTurnstile(2);
    const passed: number[] = [];
    for (let i = 0; i < 5; i += 1) void turnstile.pass().then(() => passed.push(i));
    await vi.advanceTimersByTimeAsync(0);
    expect(passed).toEqual([0]);
    await vi.advanceTimersByTimeAsync(4);
    expect(passed).toEqual([0, 1, 2]);
    await vi.advanceTimersByTimeAsync(100);
    expect(passed).toEqual([0, 1, 2, 3, 4]);
    void turnstile.pass().then(() => passed.push(5));
    await vi.advanceTimersByTimeAsync(0);
    expect(passed.at(-1)).toBe(5);
  } finally {
    vi.useRealTimers();
  }
});
