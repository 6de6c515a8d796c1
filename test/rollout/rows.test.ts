import { describe, expect, test } from 'vitest';
import { seen } from '../scale/seen.js';
import { shortIn } from '../support/proof-rows.js';
import type { EventRecord, Owed } from './ledger.js';
import { rowsOf, type Evidence } from './rows.js';

const owed = (shipment: string, subscriber: string, disposition = 'delivered'): Owed => ({
  ...{ key: `${shipment}:${subscriber}:1`, subscriber, disposition, createdAtMs: 1 },
  ...(disposition === 'shadowed' ? { intents: 1, shadowed: 1 } : { intents: 1, shadowed: 0 }),
});
const out = (subscriber: string, reason: string) => ({ subscriber, reason });
const event = (
  part: string,
  shipment: string,
  owe: readonly Owed[],
  leftOut: EventRecord['leftOut'] = [],
): EventRecord => ({ shipment, type: `rollout.${part}`, owed: owe, leftOut });
const request = (begin: number, group: string, name: string, shipment: string) =>
  seen({ begin, end: begin + 1, path: `/${group}/${name}`, shipment });

/** All as it must be, with two of each group and one event for each step. */
const good: Evidence = {
  sizes: { shadow: 2, live: 1, wave: 1, rest: 1, few: 2 },
  shadow: { shipments: ['s'], afterwards: 'then', turnedLive: 'shadow-1' },
  wave: {
    ...{ before: ['b'], after: ['a'], onAgain: 'on', openAtSwitch: 1, switchedAtMs: 5 },
    owedAtSwitch: new Set(['b:wave-0:1']),
  },
  few: { cap: 1, shipments: ['f'], raisedCap: 2, raised: ['r'], standing: ['few-1', 'few-0'] },
  stuck: 0,
  events: [
    event('shadow', 's', [
      owed('s', 'shadow-0', 'shadowed'),
      owed('s', 'shadow-1', 'shadowed'),
      owed('s', 'live-0'),
    ]),
    event('shadow', 'then', [
      owed('then', 'shadow-0', 'shadowed'),
      owed('then', 'shadow-1'),
      owed('then', 'live-0'),
    ]),
    event('wave', 'b', [owed('b', 'wave-0'), owed('b', 'rest-0')]),
    event('wave', 'a', [owed('a', 'rest-0')], [out('wave-0', 'cohort-off')]),
    event('wave', 'on', [owed('on', 'wave-0'), owed('on', 'rest-0')]),
    event('few', 'f', [owed('f', 'few-1')], [out('few-0', 'cohort-cap')]),
    event('few', 'r', [owed('r', 'few-0'), owed('r', 'few-1')]),
  ],
  requests: [
    request(1, 'shadow', 'shadow-1', 'then'),
    request(3, 'wave', 'wave-0', 'b'),
    request(5, 'few', 'few-1', 'f'),
    request(7, 'few', 'few-1', 'r'),
    request(9, 'few', 'few-0', 'r'),
  ],
};
const short = (change: Partial<Evidence>): string[] => shortIn({ rows: rowsOf({ ...good, ...change }) });
const withEvent = (changed: EventRecord): Partial<Evidence> => ({
  events: good.events.map((one) => (one.shipment === changed.shipment ? changed : one)),
});

describe('the rows of a roll-out', () => {
  test('are all as they must be', () => expect(short({})).toEqual([]));

  test('see a request to a subscriber in shadow mode', () => {
    const requests = [...good.requests, request(11, 'shadow', 'shadow-0', 's')];
    expect(short({ requests })).toEqual(['shadow: requests']);
  });

  test('see an attempt that is not on record, or not as a shadow', () => {
    const owe = [
      { ...owed('s', 'shadow-0', 'shadowed'), shadowed: 0 },
      owed('s', 'shadow-1', 'shadowed'),
      owed('s', 'live-0'),
    ];
    expect(short(withEvent(event('shadow', 's', owe)))).toEqual([
      'shadow: with one attempt on record, signed and not sent',
    ]);
  });

  test('see a new obligation of a cohort that is off', () => {
    const owe = [owed('a', 'rest-0'), owed('a', 'wave-0')];
    expect(short(withEvent(event('wave', 'a', owe)))).toEqual(
      expect.arrayContaining([
        'cohort off: new obligations after its answer',
        'cohort off: left out of later events, with the reason',
      ]),
    );
    const late = [{ ...owed('b', 'wave-0'), createdAtMs: 6 }, owed('b', 'rest-0')];
    expect(short(withEvent(event('wave', 'b', late)))).toEqual([
      'cohort off: new obligations after its answer',
    ]);
  });

  test('see running work that is dropped', () => {
    const owe = [owed('b', 'wave-0', 'terminated'), owed('b', 'rest-0')];
    expect(short(withEvent(event('wave', 'b', owe)))).toEqual(['cohort off: running ones delivered']);
  });

  test('see another subscriber than the longest-standing below the cap', () => {
    const other = event('few', 'f', [owed('f', 'few-0')], [out('few-1', 'cohort-cap')]);
    expect(short(withEvent(other))).toEqual(['cap: events to others than the longest-standing 1']);
  });

  test('see who is neither owed nor left out, and who is both', () => {
    expect(short(withEvent(event('few', 'f', [owed('f', 'few-1')])))).toEqual([
      'cap: left out, with the reason',
      'events whose counts do not add up',
    ]);
    const both = event('few', 'f', [owed('f', 'few-1')], [out('few-1', 'cohort-cap')]);
    expect(short(withEvent(both))).toEqual(['events whose counts do not add up']);
  });
});
