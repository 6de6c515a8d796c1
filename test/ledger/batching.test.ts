import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { batched } from '../../src/ledger/batching.js';

const LONG_MS = 60_000;

test('calls of one moment share a batch, up to its size', async () => {
  const sizes: number[] = [];
  const double = batched<number, number>((items) => {
    sizes.push(items.length);
    return Promise.resolve(items.map((item) => item * 2));
  }, 2);
  expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6]);
  expect(sizes).toEqual([2, 1]);
});

test('a call that comes alone waits for no other', async () => {
  const one = batched<number, number>((items) => Promise.resolve([...items]), 50, LONG_MS);
  expect(await one(1)).toBe(1);
});

test('once calls come thick, those that follow each other share a batch', async () => {
  const sizes: number[] = [];
  const one = batched<number, number>(
    (items) => {
      sizes.push(items.length);
      return Promise.resolve([...items]);
    },
    50,
    100,
  );
  await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(one));
  const ninth = one(9);
  await sleep(1);
  expect(await Promise.all([ninth, one(10)])).toEqual([9, 10]);
  expect(sizes).toEqual([8, 2]);
});

test('what fails together is asked for one by one', async () => {
  const one = batched<number, number>(
    (items) => (items.includes(2) ? Promise.reject(new Error('two')) : Promise.resolve([...items])),
    50,
  );
  const answers = await Promise.allSettled([1, 2, 3].map(one));
  expect(answers.map((answer) => answer.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});
