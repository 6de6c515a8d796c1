import { expect, it } from 'vitest';
import { accountTurn, obligationTurn, OWN_TURNS_ABOVE } from '../../src/intake/fairness.js';

const turns = (obligations: number | null, shipment = 'ORDER-42') =>
  obligationTurn({ account: 'acme', shipment, version: 7, obligations }).fairnessKey ?? '';

it('an account has one turn, and so has each of its large fan-outs', () => {
  expect(turns(null)).toBe('account:acme');
  expect(turns(OWN_TURNS_ABOVE)).toBe('account:acme');
  expect(turns(OWN_TURNS_ABOVE + 1)).toMatch(/^event:[0-9a-f]{32}$/);
  expect(turns(20_000)).toBe(turns(OWN_TURNS_ABOVE + 1));
  expect(turns(20_000)).not.toBe(turns(20_000, 'ORDER-43'));
});

it('no name is too long for Temporal, and two long ones are never taken for one', () => {
  const long = (end: string) => accountTurn('ü'.repeat(99) + end).fairnessKey ?? '';
  expect(Buffer.byteLength(long('a'))).toBeLessThanOrEqual(64);
  expect(long('a')).not.toBe(long('b'));
});
