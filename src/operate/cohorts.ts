import { WaybillError, invalid } from '../errors.js';
import { checkTerms, termsOf, type ActTerms } from '../intake/act-terms.js';
import { checkCohortName } from '../intake/subscriber-gate.js';
import { assertFields, assertText } from '../intake/text.js';
import { actOnScope, type ScopeVerb, type SubscriberActAnswer } from '../ledger/acts.js';
import {
  findCohort,
  insertCohort,
  listCohorts,
  readAccount,
  updateCohortCap,
  type Account,
  type Cohort,
  type CohortInFull,
} from '../ledger/cohorts.js';
import { coded } from '../ledger/pool.js';
import { checkWord, granted, type Door, type OperatorWord } from './obligations.js';

export interface CohortSettings {
  /** How many of its subscribers take part, the longest-standing first; null: all of them. */
  readonly maxSubscribers: number | null;
}

const MOST_SUBSCRIBERS = 1_000_000;

/** It is on, and empty. @throws WaybillError `invalid_field`, `name_taken`. */
export async function addCohort(
  door: Door,
  name: string,
  settings: Partial<CohortSettings>,
  actor: string,
): Promise<CohortInFull> {
  assertText('actor', actor, 1, 200);
  checkCohortName('name', name);
  assertFields('cohort', settings, ['maxSubscribers']);
  const cap = settings.maxSubscribers === undefined ? null : checkCap(settings.maxSubscribers);
  const added = await coded(() =>
    insertCohort(door.db, door.account, name, cap, actor, door.source, door.now ?? null),
  );
  if (!added)
    throw new WaybillError('name_taken', 'the account has a cohort of this name', { field: 'name' });
  return needCohort(door, name);
}

/** Holds for what is published from the answer on. @throws WaybillError `invalid_field`, `not_found`. */
export async function updateCohort(
  door: Door,
  name: string,
  settings: CohortSettings,
  actor: string,
): Promise<CohortInFull> {
  assertText('actor', actor, 1, 200);
  checkCohortName('cohort', name);
  assertFields('cohort', settings, ['maxSubscribers']);
  const cap = checkCap(settings.maxSubscribers);
  const found = await coded(() =>
    updateCohortCap(door.db, door.account, name, cap, actor, door.source, door.now ?? null),
  );
  if (!found) throw noSuchCohort();
  return needCohort(door, name);
}

export function cohortsOf(door: Door, after: string, limit: number): Promise<Cohort[]> {
  return coded(() => listCohorts(door.db, door.account, after, limit));
}

/** @throws WaybillError `not_found`. */
export async function needCohort(door: Door, name: string): Promise<CohortInFull> {
  checkCohortName('cohort', name);
  const found = await coded(() => findCohort(door.db, door.account, name));
  if (!found) throw noSuchCohort();
  return found;
}

export function accountOf(door: Door): Promise<Account> {
  return coded(() => readAccount(door.db, door.account));
}

/** @throws WaybillError `invalid_field`, `not_found`, `request_id_reused`. */
export async function actOnCohortBy(
  door: Door,
  verb: ScopeVerb,
  name: string,
  word: OperatorWord,
  given: ActTerms = {},
): Promise<SubscriberActAnswer> {
  return actOn(door, verb, checkCohortName('cohort', name), word, given);
}

/** @throws WaybillError `invalid_field`, `request_id_reused`. */
export async function actOnAccountBy(
  door: Door,
  verb: Extract<ScopeVerb, 'pause' | 'resume'>,
  word: OperatorWord,
  given: ActTerms = {},
): Promise<SubscriberActAnswer> {
  return actOn(door, verb, '', word, given);
}

async function actOn(
  door: Door,
  verb: ScopeVerb,
  cohort: string,
  word: OperatorWord,
  given: ActTerms,
): Promise<SubscriberActAnswer> {
  const checked = checkWord(word);
  const terms = checkTerms(given, termsOf(verb), door.now ?? new Date());
  const answer = await coded(() =>
    actOnScope(door.db, door.account, cohort, { verb, ...checked, terms }, door.source, door.now ?? null),
  );
  if (answer.code === 'not_found') throw noSuchCohort();
  return granted(door.db, answer);
}

const noSuchCohort = (): WaybillError => new WaybillError('not_found', 'no such cohort', { field: 'cohort' });

function checkCap(value: unknown): number | null {
  if (value === null) return null;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > MOST_SUBSCRIBERS) {
    throw invalid('maxSubscribers', `must be a whole number from 0 to ${MOST_SUBSCRIBERS}, or null`);
  }
  return value;
}
