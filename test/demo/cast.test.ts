import { expect, test } from 'vitest';
import { answerOf } from '../../demo/answers.js';
import { cast, ROLES } from '../../demo/cast.js';
import { spellingsOf } from '../../demo/check/histories.js';
import { parseOptions, UsageError } from '../../demo/options.js';
import { makePayload } from '../../demo/payload.js';

test.each([20, 24, 200, 2000])('%i subscribers: every role is played, and no name twice', (count) => {
  const players = cast(count);
  expect(players).toHaveLength(count);
  expect(new Set(players.map((p) => p.name)).size).toBe(count);
  const played = new Set(players.map((p) => p.role));
  expect([...played].sort()).toEqual(ROLES.filter((role) => role !== 'queueing').sort());
});

test('about 94 % of 2,000 are healthy', () => {
  const healthy = cast(2000).filter((p) => p.role === 'healthy').length;
  expect(healthy / 2000).toBeCloseTo(0.94, 2);
});

test('every role comes to an end, but for those that an operator or a certificate ends', () => {
  const never = ROLES.filter((role) => {
    const answer = answerOf(role, 3, false);
    return answer.does !== 'answers' || answer.status !== 200;
  });
  expect(never).toEqual(['rejecting', 'hopeless']);
  expect(answerOf('rejecting', 1, true)).toMatchObject({ status: 200 });
});

test('the marker is found however base64 falls', () => {
  const { marker, bytes } = makePayload('parcel');
  expect(bytes.byteLength).toBeGreaterThan(170_000);
  expect(bytes.byteLength).toBeLessThan(200_000);
  for (const before of ['', 'x', 'xy', 'xyz', 'wxyz?']) {
    const encoded = Buffer.from(Buffer.from(`${before}${marker}, and more`).toString('base64'));
    expect(spellingsOf(marker).some((needle) => encoded.includes(needle))).toBe(true);
  }
});

test('options: defaults, and an error for what does not exist', () => {
  expect(parseOptions([], {})).toMatchObject({
    once: false,
    json: false,
    subscribers: 2000,
    mutation: undefined,
  });
  expect(parseOptions(['--once', '--json', '--subscribers', '24'], {})).toMatchObject({ subscribers: 24 });
  for (const argv of [
    ['--all'],
    ['--subscribers'],
    ['--subscribers', '19'],
    ['--subscribers', 'x'],
    ['more'],
  ]) {
    expect(() => parseOptions(argv, {})).toThrow(UsageError);
  }
  expect(() => parseOptions([], { WAYBILL_DEMO_MUTATION: 'other' })).toThrow(UsageError);
});
