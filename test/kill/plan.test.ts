import { expect, test } from 'vitest';
import { POINTS } from '../../src/watch/points.js';
import { KINDS, planOf, PROCESSES, RANDOM_KINDS } from './plan.js';

const plans = Array.from({ length: 320 }, (_, round) => planOf(7, round, 50, KINDS));
const count = (kind: string): number => plans.filter((plan) => plan.kind === kind).length;

test('of 320 rounds half are at random times, and every point has at least 8, each signal at least twice', () => {
  expect(plans.filter((plan) => plan.point === undefined)).toHaveLength(160);
  for (const point of POINTS) {
    expect(count(point)).toBeGreaterThanOrEqual(8);
    for (const signal of ['SIGKILL', 'SIGTERM', 'SIGSTOP'])
      expect(
        plans.filter((plan) => plan.point === point && plan.signal === signal).length,
        `${signal} at ${point}`,
      ).toBeGreaterThanOrEqual(2);
  }
  for (const kind of RANDOM_KINDS) expect(count(kind)).toBeGreaterThanOrEqual(8);
});

test.each([
  ['the worker', /^worker SIG/],
  ['the relay', /^relay SIG/],
  ['Postgres', /^Postgres SIG/],
  ['Temporal', /^Temporal SIG/],
  ['a link', /link cut|answer lost/],
  ["an operator's signals", /^signals and/],
])('%s has its turn among those at random times', (_victim, kinds) => {
  const hits = plans.filter((plan) => plan.point === undefined && kinds.test(plan.kind));
  expect(hits.length).toBeGreaterThanOrEqual(8);
});

test('both workers and the relay are victims, and operators act in the rounds that strike over their signals', () => {
  expect(new Set(plans.map((plan) => plan.victim))).toEqual(new Set(PROCESSES));
  for (const { acts } of plans.filter((plan) => /^(heed|signals)/.test(plan.kind)))
    expect(acts.length).toBeGreaterThan(0);
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
