import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ERRORS, encodePart, eventWorkflowId, obligationKey, parseObligationKey } from '../src/contract.js';

describe('an obligation key', () => {
  it('reads back to what it was made of, for any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1 }),
        fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
        (shipment, version) => {
          const key = obligationKey(shipment, 'sub_abc', version);
          expect(key).toMatch(/^[A-Za-z0-9_%-]+:sub_abc:\d+$/);
          expect(parseObligationKey(key)).toEqual({ shipment, subscriber: 'sub_abc', version });
        },
      ),
    );
  });

  it('has one spelling only', () => {
    for (const text of [
      'a:b',
      'a:b:1:2',
      'a:b:01',
      'a:b:-1',
      'a:b:1.0',
      '%61:b:1',
      'a%:b:1',
      'a.b:c:1',
      ':b:1',
    ]) {
      expect(parseObligationKey(text)).toBeUndefined();
    }
  });

  it('never meets the id of a fan-out', () => {
    expect(parseObligationKey(eventWorkflowId('default', 'x', 1))).toBeUndefined();
  });

  it('encodes everything but letters, digits, _ and -', () => {
    expect(encodePart("a.b:c!~*'()é/")).toBe('a%2Eb%3Ac%21%7E%2A%27%28%29%C3%A9%2F');
  });
});

describe('errors', () => {
  it('are the same list in code and in docs/errors.md', () => {
    const page = readFileSync(new URL('../docs/errors.md', import.meta.url), 'utf8');
    const documented = [...page.matchAll(/^\| `([a-z_]+)`\s+\| (\d)\s+\|/gm)].map((m) => [
      m[1],
      Number(m[2]),
    ]);
    expect(Object.fromEntries(documented)).toEqual(
      Object.fromEntries(Object.entries(ERRORS).map(([code, { exit }]) => [code, exit])),
    );
    expect(documented).toHaveLength(Object.keys(ERRORS).length);
  });
});
