import { invalid, type WaybillError } from '../errors.js';
import { isReservedHeader } from '../wire/headers.js';
import { assertText, isRecord } from './text.js';

/** How requests to a subscriber are authorized: written out as its `authorization` header. */
export type AuthInput =
  | { readonly type: 'bearer'; readonly token: string }
  | { readonly type: 'basic'; readonly username: string; readonly password: string };

export interface CheckedAuth {
  readonly type: AuthInput['type'];
  /** The header's value. */
  readonly value: string;
}

const MAX_HEADERS = 20;
const MAX_VALUE_CHARACTERS = 4_096;
/** Names and values together: common receivers take 8 KiB for all header lines, and ours are among them. */
const MAX_TOTAL_CHARACTERS = 6_144;
/** Narrower than a token of RFC 9110 5.6.2: the rest of those characters only makes trouble on the way. */
const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;
/** RFC 9110 5.5: visible characters, blanks and tabs between them; node writes them as Latin-1. */
const VALUE = /^[\x21-\x7e\xa0-\xff](?:[\t\x20-\x7e\xa0-\xff]*[\x21-\x7e\xa0-\xff])?$/;
/** RFC 6750 2.1. */
const TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;

/**
 * A subscriber's own headers, names in lower case.
 * @throws WaybillError `invalid_field` naming the header (`headers.x-key`), never its value.
 */
export function checkHeaders(headers: unknown): Readonly<Record<string, string>> {
  if (!isRecord(headers)) throw invalid('headers', 'must be an object of texts');
  const pairs = Object.entries(headers);
  if (pairs.length > MAX_HEADERS) {
    throw invalid('headers', `has ${pairs.length} headers, the limit is ${MAX_HEADERS}`);
  }
  const checked = new Map<string, string>();
  let total = 0;
  for (const [given, value] of pairs) {
    const name = given.toLowerCase();
    if (!NAME.test(name)) {
      throw invalid(
        'headers',
        'a name must be 1 to 64 letters, digits, dots, dashes and underscores, beginning with a letter or digit',
      );
    }
    const field = `headers.${name}`;
    if (isReservedHeader(name)) throw invalid(field, 'is reserved, Waybill or the connection sets it');
    if (checked.has(name)) throw invalid(field, 'is given twice');
    checked.set(name, checkValue(field, value));
    total += name.length + (value as string).length;
  }
  if (total > MAX_TOTAL_CHARACTERS) {
    throw invalid(
      'headers',
      `has ${total} characters in names and values, the limit is ${MAX_TOTAL_CHARACTERS}`,
    );
  }
  return Object.fromEntries(checked);
}

function checkValue(field: string, value: unknown): string {
  if (typeof value !== 'string') throw invalid(field, 'must be a text');
  if (value.length > MAX_VALUE_CHARACTERS) {
    throw invalid(field, `has ${value.length} characters, the limit is ${MAX_VALUE_CHARACTERS}`);
  }
  if (!VALUE.test(value)) {
    throw invalid(
      field,
      'must be Latin-1 text without control characters or line breaks, not empty, no blanks at its ends',
    );
  }
  return value;
}

/** @throws WaybillError `invalid_field` naming the field (`auth.token`), never its value. */
export function checkAuth(auth: unknown): CheckedAuth {
  if (!isRecord(auth)) throw invalid('auth', 'must be an object with a type, bearer or basic');
  const fields = FIELDS[String(auth['type'])];
  if (!fields) throw invalid('auth.type', 'must be bearer or basic');
  for (const field of Object.keys(auth)) {
    if (!fields.includes(field)) throw invalid(`auth.${field.slice(0, 64)}`, 'no such field');
  }
  if (auth['type'] === 'bearer') {
    const { token } = auth;
    assertText('auth.token', token, 1, MAX_VALUE_CHARACTERS);
    if (!TOKEN.test(token)) throw invalid('auth.token', 'holds a character that no bearer token has');
    return { type: 'bearer', value: `Bearer ${token}` };
  }
  const { username, password } = auth;
  assertText('auth.username', username, 1, 255);
  assertText('auth.password', password, 0, 1_024);
  // RFC 7617 2: the first colon ends the user name.
  if (username.includes(':')) throw invalid('auth.username', 'must not hold a colon');
  return { type: 'basic', value: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}

const FIELDS: Readonly<Record<string, readonly string[]>> = Object.assign(Object.create(null) as object, {
  bearer: ['type', 'token'],
  basic: ['type', 'username', 'password'],
});

/** @throws WaybillError where both would set `authorization`: one of them would be ignored. */
export function assertOneAuthorization(headerNames: readonly string[], hasAuth: boolean): void {
  if (hasAuth && headerNames.includes('authorization')) throw twoAuthorizations();
}

export const twoAuthorizations = (): WaybillError =>
  invalid('headers.authorization', 'is set by auth as well; only one of the two can hold');
