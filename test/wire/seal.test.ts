import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { makeSealer, parseKeys, SealBroken, SealKeyMissing } from '../../src/wire/seal.js';

const K0 = randomBytes(32).toString('base64');
const K1 = randomBytes(32).toString('base64');
const CONTEXT = 'subscriber:sub_x:url';

describe('sealing', () => {
  test.each(['https://hooks.example.com/T0/tokenXYZ?key=K123', '', 'é🙂\u0000'])('%j comes back', (plain) => {
    const sealer = makeSealer(parseKeys(`k1:${K1}`));
    expect(sealer.open(sealer.seal(plain, CONTEXT), CONTEXT)).toBe(plain);
  });

  test('the first key seals, all of them open, and a missing one is told apart', () => {
    const old = makeSealer(parseKeys(`k0:${K0}`)).seal('s', CONTEXT);
    const both = makeSealer(parseKeys(`k1:${K1}, k0:${K0}`));
    expect(both.open(old, CONTEXT)).toBe('s');
    expect(both.seal('s', CONTEXT)).toMatch(/^v1\.k1\.[\w-]{16}\.[\w-]+$/);
    expect(() => makeSealer(parseKeys(`k1:${K1}`)).open(old, CONTEXT)).toThrow(SealKeyMissing);
  });

  test('the same text is sealed differently each time', () => {
    const sealer = makeSealer(parseKeys(`k1:${K1}`));
    expect(sealer.seal('s', CONTEXT)).not.toBe(sealer.seal('s', CONTEXT));
  });

  test('a text moved to another context does not open', () => {
    const sealer = makeSealer(parseKeys(`k1:${K1}`));
    expect(() => sealer.open(sealer.seal('s', CONTEXT), 'subscriber:sub_y:url')).toThrow(SealBroken);
  });

  test('no single character can be changed, dropped or added', () => {
    const sealer = makeSealer(parseKeys(`k1:${K1},k2:${K0}`));
    const sealed = sealer.seal('secret', CONTEXT);
    for (let at = 0; at < sealed.length; at += 1) {
      const other = sealed[at] === 'A' ? 'B' : 'A';
      for (const altered of [
        sealed.slice(0, at) + other + sealed.slice(at + 1),
        sealed.slice(0, at) + sealed.slice(at + 1),
        sealed.slice(0, at) + other + sealed.slice(at),
      ]) {
        expect(() => sealer.open(altered, CONTEXT)).toThrow(/malformed|no encryption key/);
      }
    }
    expect(() => sealer.open(sealed.replace('.k1.', '.k2.'), CONTEXT)).toThrow(SealBroken);
  });

  test.each([
    '',
    'v1',
    'v1.k1',
    'v1.k1..',
    'v2.k1.AAAA.AAAA',
    'v1.k1.AAAA.AAAA',
    `v1.k1.${'A'.repeat(16)}.AAAA`,
  ])('%j is broken', (sealed) => {
    expect(() => makeSealer(parseKeys(`k1:${K1}`)).open(sealed, CONTEXT)).toThrow(SealBroken);
  });
});

describe('keys', () => {
  test.each([
    ['nothing', '', 'encryption key 1'],
    ['no id', K1, 'encryption key 1'],
    ['an unusable id', `k 1:${K1}`, 'encryption key 1'],
    ['too short', `k1:${randomBytes(16).toString('base64')}`, 'encryption key 1'],
    ['too long', `k1:${randomBytes(33).toString('base64')}`, 'encryption key 1'],
    ['unpadded', `k1:${K1.replace('=', '')}`, 'encryption key 1'],
    ['a repeated id', `k1:${K1},k1:${K0}`, 'encryption key 2'],
    ['a comma too many', `k1:${K1},`, 'encryption key 2'],
  ])('refused: %s', (_what, text, place) => {
    expect(() => parseKeys(text)).toThrow(place);
    const key = text.slice(text.indexOf(':') + 1, text.indexOf(':') + 9) || K1;
    expect(() => parseKeys(text)).not.toThrow(key);
  });

  test('there is no sealer without a key', () => {
    expect(() => makeSealer(new Map())).toThrow('no encryption key');
  });
});
