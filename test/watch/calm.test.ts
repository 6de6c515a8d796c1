import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { calm } from '../../src/watch/calm.js';
import { silentLog } from '../../src/watch/log.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function recorded() {
  const lines: (readonly [string, object])[] = [];
  const log = calm({ ...silentLog, warn: (fields, name) => void lines.push([name, fields]) });
  return { lines, log };
}

test('of a thousand warnings of one trouble in a second two lines come, and the second counts what it stands for', () => {
  const { lines, log } = recorded();
  for (let i = 1; i <= 1_000; i += 1) log.warn({ key: i }, 'claim.waiting');
  expect(lines).toEqual([['claim.waiting', { key: 1 }]]);
  vi.advanceTimersByTime(1_000);
  expect(lines.slice(1)).toEqual([['claim.waiting', { key: 1_000, lines: 999 }]]);
});

test('the next trouble is told at once again, and each name counts alone', () => {
  const { lines, log } = recorded();
  log.warn({ key: 1 }, 'claim.waiting');
  log.warn({ key: 2 }, 'settle.waiting');
  vi.advanceTimersByTime(1_000);
  log.warn({ key: 3 }, 'claim.waiting');
  expect(lines.map(([name]) => name)).toEqual(['claim.waiting', 'settle.waiting', 'claim.waiting']);
});

test('what is told once of each delivery is never left out', () => {
  const { lines, log } = recorded();
  for (let i = 0; i < 100; i += 1) log.warn({ key: i }, 'subscriber.gone');
  expect(lines).toHaveLength(100);
});
