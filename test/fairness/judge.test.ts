import { expect, test } from 'vitest';
import { seen } from '../scale/seen.js';
import { begunWithin, fullestSecond, mostOpen, openAt, percentile } from './judge.js';

test('a percentile is one of the values, by nearest rank', () => {
  const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);
  expect(percentile(hundred, 0.5)).toBe(50);
  expect(percentile(hundred, 0.99)).toBe(99);
  expect(percentile([7], 0.99)).toBe(7);
  expect(percentile([3, Number.POSITIVE_INFINITY], 0.99)).toBe(Number.POSITIVE_INFINITY);
  expect(percentile([], 0.5)).toBeNaN();
});

test('the fullest second may begin at any moment, and its end is not of it', () => {
  expect(fullestSecond([])).toBe(0);
  expect(fullestSecond([900, 0, 1_000, 1_899, 1_900])).toBe(3);
  expect(fullestSecond([0, 999, 1_000])).toBe(2);
  expect(fullestSecond([5, 5, 5])).toBe(3);
});

test('requests are open from their begin to their end', () => {
  const requests = [
    seen({ begin: 1, end: 4 }),
    seen({ begin: 2, end: 3 }),
    seen({ begin: 5 }),
    seen({ begin: 6, end: 8 }),
    seen({ begin: 7, end: 9 }),
  ];
  expect(mostOpen(requests)).toBe(3);
  expect(mostOpen(requests.slice(0, 2))).toBe(2);
  expect([openAt(requests, 2), openAt(requests, 3), openAt(requests, 100)]).toEqual([2, 1, 1]);
});

test('a span holds its first moment and not its last', () => {
  const requests = [1, 2, 3].map((begin) => seen({ begin }));
  expect(begunWithin(requests, { fromMs: 1, toMs: 3 }).map(({ begin }) => begin)).toEqual([1, 2]);
});
