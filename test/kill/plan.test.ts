import { expect, test } from 'vitest';
import { POINTS } from '../../src/watch/points.js';
import { KINDS, planOf, RANDOM_KINDS } from './plan.js';

const plans = Array.from({ length: 320 }, (_, round) => planOf(7, round, 50, KINDS));
const count = (kind: string): number => plans.filter((plan) => plan.kind === kind).length;

test('of 320 rounds half are at random times, and every point has at least 8, by both signals', () => {
  expect(plans.filter((plan) => plan.point === undefined)).toHaveLength(160);
  for (const point of POINTS) {
    expect(count(point)).toBeGreaterThanOrEqual(8);
    const signals = plans.filter((plan) => plan.point === point).map((plan) => plan.signal);
    expect(new Set(signals)).toEqual(new Set(['SIGKILL', 'SIGTERM']));
  }
  for (const kind of RANDOM_KINDS) expect(count(kind)).toBeGreaterThanOrEqual(8);
});

test('a round is the same whenever it is played, and another seed is another plan', () => {
  expect(planOf(7, 123, 50, KINDS)).toEqual(plans[123]);
  expect(planOf(8, 123, 50, KINDS)).not.toEqual(plans[123]);
});

test('an obligation is paused or terminated by one plan, never both, and each pause has its resume', () => {
  for (const { acts } of plans) {
    const paused = acts.filter((act) => act.verb === 'pause').map((act) => act.subscriber);
    const resumed = acts.filter((act) => act.verb === 'resume').map((act) => act.subscriber);
    const ended = acts.filter((act) => act.verb === 'terminate').map((act) => act.subscriber);
    expect(resumed).toEqual(paused);
    expect(paused.filter((subscriber) => ended.includes(subscriber))).toEqual([]);
  }
});
