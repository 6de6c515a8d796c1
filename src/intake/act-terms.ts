import { invalid } from '../errors.js';
import { parseInstant } from './instant.js';
import { assertFields } from './text.js';

/** What an act may say besides who and why. */
export interface ActTerms {
  /** Of a pause: it ends by itself then. A moment to come; as a text ISO 8601 with a zone. */
  readonly until?: Date | string;
  /** Of a resume: what was held goes out no faster than this, which it climbs to within 30 s. */
  readonly rampPerSecond?: number;
}

export interface CheckedTerms {
  readonly until: Date | null;
  readonly rampPerSecond: number | null;
}

/** Inclusive, requests a second. */
export const RAMP_BOUNDS = [0.1, 10_000] as const;

/** `fields` are the terms this act can have. @throws WaybillError `invalid_field`. */
export function checkTerms(terms: ActTerms, fields: readonly (keyof ActTerms)[], now: Date): CheckedTerms {
  assertFields('terms', terms, ['until', 'rampPerSecond']);
  for (const field of ['until', 'rampPerSecond'] as const) {
    if (terms[field] !== undefined && !fields.includes(field)) {
      throw invalid(
        field,
        field === 'until' ? 'only a pause has an end' : 'only a resume of many has a ramp',
      );
    }
  }
  const until = parseInstant('until', terms.until);
  if (until !== null && until <= now) throw invalid('until', 'is not a moment to come');
  return { until, rampPerSecond: checkRamp(terms.rampPerSecond) };
}

function checkRamp(value: unknown): number | null {
  if (value === undefined) return null;
  const [least, most] = RAMP_BOUNDS;
  if (typeof value !== 'number' || !(value >= least && value <= most)) {
    throw invalid('rampPerSecond', `must be a number from ${least} to ${most}`);
  }
  return value;
}

/** The terms that an act by this verb can have; of one delivery alone there is nothing to ramp. */
export const termsOf = (verb: string, alone = false): readonly (keyof ActTerms)[] =>
  verb === 'pause' ? ['until'] : verb === 'resume' && !alone ? ['rampPerSecond'] : [];
