import { expect, it } from 'vitest';
import { search, selfTest, spellingsOf } from './search.js';

const PLANTED = { token: 'tok/en+X Y"Z?ü-12345', other: 'K9-other-thing' };

it('sees every spelling, also in the middle of a longer text that was encoded as a whole', () => {
  expect(selfTest(PLANTED)).toMatchObject({ found: [], ok: true });
  for (const before of ['', 'a', 'ab', 'abc']) {
    const text = Buffer.from(`${before}${PLANTED.token} and more`);
    for (const encoding of ['base64', 'base64url', 'hex'] as const) {
      const [row] = search([{ place: 'x', content: `{"x":"${text.toString(encoding)}"}` }], PLANTED);
      expect(row?.found.length, `${encoding} after ${before}`).toBeGreaterThan(0);
      expect(row?.ok).toBe(false);
    }
  }
});

it('is green for a clean place, red for an empty one, and leaves out what a place holds by right', () => {
  const places = [
    { place: 'clean', content: 'nothing of it' },
    { place: 'empty', content: '' },
    { place: 'its own', content: PLANTED.token, holds: ['token'] },
    { place: 'bytes', content: Buffer.from(PLANTED.other) },
  ];
  expect(search(places, PLANTED).map((row) => [row.place, row.ok])).toEqual([
    ['clean', true],
    ['empty', false],
    ['its own', true],
    ['bytes', false],
  ]);
});

it('knows of no spelling so short that it would be found by chance', () => {
  for (const [spelling, needle] of spellingsOf(PLANTED.other))
    expect(needle.length, spelling).toBeGreaterThan(8);
});
