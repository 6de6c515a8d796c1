import { invalid } from '../errors.js';

const CONTROL = /\p{Cc}/u;

/** A text Postgres, a header and a log line can all hold: well-formed, no control characters, of bounded length. */
export function assertText(
  field: string,
  value: unknown,
  least: number,
  most: number,
): asserts value is string {
  if (typeof value !== 'string') throw invalid(field, 'must be a text');
  if (value.length < least)
    throw invalid(field, least === 1 ? 'must not be empty' : `needs ${least} characters`);
  if (value.length > most) throw invalid(field, `has ${value.length} characters, the limit is ${most}`);
  if (!value.isWellFormed()) throw invalid(field, 'holds a lone surrogate');
  if (CONTROL.test(value)) throw invalid(field, 'holds a control character');
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object that has no other fields than these: a misspelt one would else be ignored in silence. */
export function assertFields(what: string, value: unknown, fields: readonly string[]): void {
  if (!isRecord(value)) throw invalid(what, 'must be an object');
  for (const field of Object.keys(value)) {
    if (!fields.includes(field)) throw invalid(field.slice(0, 64), 'no such field');
  }
}

const MAX_LABELS = 10;

export function assertLabels(field: string, labels: unknown): asserts labels is Record<string, string> {
  if (typeof labels !== 'object' || labels === null || Array.isArray(labels)) {
    throw invalid(field, 'must be an object of texts');
  }
  const pairs = Object.entries(labels);
  if (pairs.length > MAX_LABELS)
    throw invalid(field, `has ${pairs.length} pairs, the limit is ${MAX_LABELS}`);
  for (const [name, value] of pairs) {
    assertText(`${field}.${name.slice(0, 64)}`, name, 1, 64);
    assertText(`${field}.${name}`, value, 0, 255);
  }
}
