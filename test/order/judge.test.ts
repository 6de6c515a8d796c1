import { describe, expect, test } from 'vitest';
import type { SeenRequest } from '../scale/journal.js';
import { seen } from '../scale/seen.js';
import { judgeLanes, type Known } from './judge.js';
import { outOfOrderIn, planOf } from './plan.js';

/** Published at 0, granted at the time of the first request. */
const nothingLate: Known = { publishedAtMs: () => 0, grantedAtMs: () => 1 };
const judge = (requests: readonly SeenRequest[], known = nothingLate) => judgeLanes(requests, known);
const counts = (requests: readonly SeenRequest[], known = nothingLate) => {
  const { gaps, inversions, overlaps, stale, unfounded } = judge(requests, known);
  return [inversions, stale, overlaps, unfounded, gaps].map(({ length }) => length);
};

describe('the judge of lanes', () => {
  test('finds nothing where versions come one after the other, with repeats and gaps', () => {
    const requests = [
      seen({ begin: 1, end: 2, version: 1, status: 500 }),
      seen({ begin: 3, end: 4, version: 1 }),
      seen({ begin: 5, end: 6, version: 4 }),
    ];
    expect(counts(requests)).toEqual([0, 0, 0, 0, 0]);
  });

  test('finds an older version that begins after a newer one, a repeat of it, too', () => {
    const requests = [
      seen({ begin: 1, end: 2, version: 1, status: 500 }),
      seen({ begin: 3, end: 4, version: 2 }),
      seen({ begin: 5, end: 6, version: 1 }),
    ];
    expect(judge(requests).inversions).toEqual(['S:/group/name:1 after S:/group/name:2']);
    expect(counts(requests)).toEqual([1, 1, 0, 0, 0]);
  });

  test('keeps shipments and endpoints apart', () => {
    const requests = [
      seen({ begin: 1, version: 2 }),
      seen({ begin: 2, end: 3, version: 1, shipment: 'T' }),
      seen({ begin: 4, end: 5, version: 1, path: '/group/other' }),
    ];
    expect(counts(requests)).toEqual([0, 0, 0, 0, 0]);
  });

  test('finds requests of two versions that are open at once, also where one has no end', () => {
    const beside = [seen({ begin: 1, end: 3, version: 1 }), seen({ begin: 2, end: 4, version: 2 })];
    expect(counts(beside)).toEqual([0, 0, 1, 0, 0]);
    expect(counts([seen({ begin: 1, version: 1 }), seen({ begin: 2, end: 3, version: 2 })])).toEqual([
      0, 0, 1, 0, 0,
    ]);
  });

  test('lets a version that was published late come after a newer one where it is marked', () => {
    const late: Known = { publishedAtMs: (_, version) => (version === 1 ? 9 : 0), grantedAtMs: () => 1 };
    const requests = [
      seen({ begin: 3, end: 4, version: 2 }),
      seen({ begin: 10, end: 11, version: 1, order: 'out-of-order' }),
    ];
    expect(counts(requests, late)).toEqual([0, 1, 0, 0, 0]);
    expect(judge(requests, late).outOfOrder).toEqual(new Set(['S:/group/name:1']));
    const unmarked = requests.map((request) => ({ ...request, order: null }));
    expect(counts(unmarked, late)).toEqual([1, 1, 0, 0, 0]);
  });

  test('finds a mark that has no cause', () => {
    const marked = [
      seen({ begin: 3, end: 4, version: 2 }),
      seen({ begin: 10, end: 11, version: 1, order: 'out-of-order' }),
    ];
    expect(counts(marked)).toEqual([0, 1, 0, 1, 0]);
    expect(counts(marked.slice(1))).toEqual([0, 0, 0, 1, 0]);
  });

  test('takes a gap for cause enough, and counts it', () => {
    const requests = [
      seen({ begin: 3, end: 4, version: 2, order: 'gap' }),
      seen({ begin: 10, end: 11, version: 1, order: 'out-of-order' }),
    ];
    expect(counts(requests)).toEqual([0, 1, 0, 0, 1]);
  });
});

describe('the plan', () => {
  const plan = planOf(1, 40, 5);

  test('is the same for the same seed, and another for another', () => {
    expect(planOf(1, 40, 5)).toEqual(plan);
    expect(planOf(2, 40, 5)).not.toEqual(plan);
  });

  test('publishes out of order, leaves numbers out, and has late versions, none of them the newest', () => {
    expect(plan.steps).toHaveLength(40 * 5 - 10);
    expect(outOfOrderIn(plan.steps)).toBeGreaterThan(20);
    expect(Math.max(...plan.newest.values())).toBeGreaterThan(5);
    expect(plan.late).toHaveLength(10);
    for (const { shipment, version } of plan.late)
      expect(version).toBeLessThan(plan.newest.get(shipment) ?? 0);
  });
});
