import { expect, it } from 'vitest';
import { authContext, headersContext } from '../../src/wire/seal.js';
import { ownHeaders, StoredBadly } from '../../src/wire/stored.js';
import { testSealer } from '../support/obligations.js';

const ID = 'sub_stored';
const open = (sealed: string, context: string): string => testSealer.open(sealed, context);
const stored = (headers: Readonly<Record<string, string>>) => ({
  id: ID,
  headersSealed: testSealer.seal(JSON.stringify(headers), headersContext(ID)),
  authSealed: testSealer.seal('Bearer S3cret', authContext(ID)),
  tlsSealed: null,
});

it('puts the authorization beside the other headers', () => {
  expect(ownHeaders(stored({ 'X-Key': 'k' }), open)).toEqual({
    'x-key': 'k',
    authorization: 'Bearer S3cret',
  });
});

it.each(['authorization', 'Authorization'])('%s stored twice is used neither way', (name) => {
  const use = () => ownHeaders(stored({ [name]: 'ApiKey S3cret' }), open);
  expect(use).toThrow(StoredBadly);
  expect(use).not.toThrow(/S3cret/);
});
