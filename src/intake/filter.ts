import { DISPOSITIONS } from '../contract.js';
import { invalid } from '../errors.js';
import { assertText } from './text.js';

const MAX_LIMIT = 10_000;

/** @throws WaybillError `invalid_field`. */
export function checkLimit(limit: unknown): void {
  if (!Number.isInteger(limit) || (limit as number) < 1 || (limit as number) > MAX_LIMIT) {
    throw invalid('limit', `must be a whole number from 1 to ${MAX_LIMIT}`);
  }
}

/** What a reader may ask for, checked before it reaches SQL. @throws WaybillError `invalid_field`, naming the field. */
export function checkFilter(filter: Readonly<Record<string, unknown>>): void {
  for (const [field, value] of Object.entries(filter)) {
    if (value === undefined) continue;
    if (field === 'version') {
      if (!Number.isSafeInteger(value) || (value as number) < 0) {
        throw invalid(field, 'must be a whole number from 0 to 9007199254740991');
      }
    } else if (field === 'disposition') {
      if (!DISPOSITIONS.some((known) => known === value)) throw invalid(field, 'is no disposition');
    } else if (['key', 'shipment', 'subscriber', 'after'].includes(field)) {
      assertText(field, value, 0, 300);
    } else throw invalid(field, 'is nothing to filter by');
  }
}
