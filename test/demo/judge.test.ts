import { describe, expect, test } from 'vitest';
import { judge, type Judgement } from '../../demo/check/judge.js';
import type { ActFact, AttemptFact } from '../../demo/check/ledger.js';
import type { JournalRequest } from '../../demo/journal.js';
import { act, attempt, ledger, obligation, outcome, request } from './evidence.js';

const LATER_MS = 1_000_000;

function faults(
  journal: JournalRequest[],
  attempts: AttemptFact[],
  acts: ActFact[] = [],
  obligations = [obligation()],
): Partial<Judgement> {
  const { mostOpen: _, ...counts } = judge(journal, ledger({ attempts, acts, obligations }), LATER_MS);
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
}

const delivered = attempt(1, 100, outcome('delivered', 120, 200));
const failed = attempt(1, 100, outcome('failed', 120, 503));
const second = attempt(2, 2_100, outcome('delivered', 2_120, 200));

describe('requestsUnexplained', () => {
  test.each<[string, JournalRequest[], AttemptFact[], ActFact[]?]>([
    ['one delivered request', [request(1, 110)], [delivered]],
    ['a second after a recorded failure', [request(1, 110, 503), request(2, 2_110)], [failed, second]],
    [
      'a second after a recorded unknown',
      [request(1, 110, null), request(2, 2_110)],
      [attempt(1, 100, outcome('unknown', 1_200)), second],
    ],
    [
      'a second after an operator’s redrive',
      [request(1, 110, 400), request(2, 2_110)],
      [attempt(1, 100, outcome('rejected', 120, 400)), second],
      [act('redrive', 2_000)],
    ],
    [
      'a second after a failure settled in the same millisecond',
      [request(1, 110, 503), request(2, 2_110)],
      [attempt(1, 100, outcome('failed', 2_110.9, 503)), second],
    ],
  ])('explained: %s', (_, journal, attempts, acts) => {
    expect(faults(journal, attempts, acts)).toEqual({});
  });

  test.each<[string, JournalRequest[], AttemptFact[], ActFact[]?]>([
    ['a second after a recorded delivery', [request(1, 110), request(2, 2_110)], [delivered, second]],
    [
      'a second whose reason came on record only after it',
      [request(1, 110, 503), request(2, 2_110)],
      [attempt(1, 100, outcome('failed', 2_112, 503)), second],
    ],
    ['the same attempt twice', [request(1, 110, 503), request(1, 130, 503)], [failed]],
    [
      'a second after a rejection without a redrive',
      [request(1, 110, 400), request(2, 2_110)],
      [attempt(1, 100, outcome('rejected', 120, 400)), second],
    ],
    [
      'a third whose redrive is older than the second',
      [request(1, 110, 400), request(2, 2_110), request(3, 3_110)],
      [
        attempt(1, 100, outcome('rejected', 120, 400)),
        second,
        attempt(3, 3_100, outcome('delivered', 3_120, 200)),
      ],
      [act('redrive', 2_000)],
    ],
    [
      'a third after a late delivery was recorded',
      [request(1, 110, null), request(2, 2_110)],
      [attempt(1, 100, outcome('unknown', 1_200), outcome('delivered', 1_500, 200)), second],
    ],
    ['an attempt that began after it', [request(1, 90)], [delivered]],
  ])('unexplained: %s', (_, journal, attempts, acts) => {
    expect(faults(journal, attempts, acts).requestsUnexplained).toBe(1);
  });

  test('a request without an intent, without an attempt number or for an unknown key has no reason', () => {
    expect(faults([request(7, 110)], [delivered]).requestsUnexplained).toBe(1);
    expect(faults([request(1, 110, 200, { attempt: null })], [delivered]).requestsUnexplained).toBe(1);
    expect(faults([request(1, 110, 200, { key: 'parcel:sub_b:1' })], [delivered]).requestsUnexplained).toBe(
      1,
    );
  });
});

describe('sentWhileHeld', () => {
  const pause = act('subscriber pause', 50, { key: null });
  const resume = act('subscriber resume', 500, { key: null });

  test('counts what comes between a subscriber’s confirmed pause and its resume', () => {
    expect(faults([request(1, 110)], [delivered], [pause, resume])).toEqual({ sentWhileHeld: 1 });
    expect(faults([request(1, 110)], [delivered], [pause])).toEqual({ sentWhileHeld: 1 });
    expect(faults([request(1, 510)], [attempt(1, 505, outcome('delivered', 520))], [pause, resume])).toEqual(
      {},
    );
  });

  test('a pause is confirmed when the lease that was open has ended', () => {
    const duringSend = act('pause', 105);
    expect(faults([request(1, 110)], [delivered], [duringSend])).toEqual({});
    const resent = [request(1, 110, 503), request(2, 2_110)];
    expect(faults(resent, [failed, second], [duringSend])).toEqual({ sentWhileHeld: 1 });
  });

  test('another subscriber’s pause holds nobody else', () => {
    const others = { ...pause, subscriberId: 'sub_b' };
    expect(faults([request(1, 110)], [delivered], [others])).toEqual({});
  });

  test('a resume in the very millisecond of the request is no fault', () => {
    const late = { ...resume, atMs: 110.7 };
    expect(faults([request(1, 110)], [delivered], [pause, late])).toEqual({});
  });
});

test('sentAfterTerminate counts from the end of the lease that was open', () => {
  const journal = [request(1, 110, 503), request(2, 2_110)];
  expect(faults(journal, [failed, second], [act('terminate', 150)])).toEqual({ sentAfterTerminate: 1 });
  expect(faults(journal, [failed, second], [act('terminate', 2_105)])).toEqual({});
});

test('overConcurrencyCap counts each beginning above the cap, over all keys of a subscriber', () => {
  const keys = ['parcel:sub_a:1', 'parcel:sub_a:2', 'parcel:sub_a:3'];
  const obligations = keys.map((key) => obligation({ key, cap: 2 }));
  const attempts = keys.map((key) => ({ ...delivered, key }));
  const at = (key: string, begin: number, end: number): JournalRequest =>
    request(1, 110, 200, { key, begin, ended: { endOf: begin, end, atMs: 115, status: 200 } });
  const [a = '', b = '', c = ''] = keys;
  expect(faults([at(a, 1, 4), at(b, 2, 5), at(c, 3, 6)], attempts, [], obligations)).toEqual({
    overConcurrencyCap: 1,
  });
  expect(faults([at(a, 1, 3), at(b, 2, 5), at(c, 4, 6)], attempts, [], obligations)).toEqual({});
});

test('signatures and bodies are judged on whole requests', () => {
  expect(faults([request(1, 110, 200, { signature: 'bad' })], [delivered])).toEqual({ badSignatures: 1 });
  expect(faults([request(1, 110, 200, { bodySha256: 'other' })], [delivered])).toEqual({ alteredBodies: 1 });
  const broken = request(1, 110, null, { bodySha256: null, signature: 'not judged' });
  expect(faults([broken], [failed])).toEqual({});
});

test('attempts without an outcome count once their lease is over', () => {
  expect(faults([request(1, 110, null)], [attempt(1, 100)])).toEqual({ attemptsWithoutOutcome: 1 });
  expect(faults([request(1, 110, null)], [{ ...attempt(1, 100), leaseUntilMs: LATER_MS + 1 }])).toEqual({});
});

test('a delivery that the receiver did not see, and an answer that the ledger does not know', () => {
  expect(faults([], [delivered])).toEqual({ deliveredUnseen: 1 });
  expect(faults([request(1, 110, 503)], [delivered])).toEqual({ deliveredUnseen: 1 });
  expect(faults([request(1, 110, 200)], [attempt(1, 100, outcome('unknown', 1_100))])).toEqual({
    answersUnrecorded: 1,
  });
});

test('the most that were open at once is known by subscriber', () => {
  const { mostOpen } = judge([request(1, 110)], ledger({ attempts: [delivered] }), LATER_MS);
  expect(mostOpen.get('sub_a')).toBe(1);
});
