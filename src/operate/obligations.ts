import { randomUUID } from 'node:crypto';
import { ERRORS, KEY_MAX_BYTES, parseObligationKey, type ObligationKey, type Verb } from '../contract.js';
import { WaybillError, invalid } from '../errors.js';
import { checkTerms, termsOf, type ActTerms } from '../intake/act-terms.js';
import { assertText, isRecord } from '../intake/text.js';
import { actOnObligation, type ActAnswer } from '../ledger/acts.js';
import { notifyRelays } from '../ledger/outbox.js';
import { coded, type Queryable } from '../ledger/pool.js';

/** Who does it and why. The request id makes a repeated call harmless; one is made when unset. */
export interface OperatorWord {
  readonly actor: string;
  readonly reason: string;
  readonly requestId?: string;
}

export interface Door {
  readonly db: Queryable;
  readonly account: string;
  readonly source: 'client' | 'cli';
  readonly now?: Date | null;
}

/**
 * One act on one obligation, judged, recorded and answered in one transaction; the workflow hears of it through
 * the outbox right after.
 * @throws WaybillError `invalid_field`, `not_found`, or the code of the refusal, which is on record too.
 */
export async function act(
  door: Door,
  verb: Verb,
  key: string,
  word: OperatorWord,
  given: ActTerms = {},
): Promise<ActAnswer> {
  const checked = checkWord(word);
  const terms = checkTerms(given, termsOf(verb, true), door.now ?? new Date());
  const answer = await coded(() =>
    actOnObligation(
      door.db,
      door.account,
      checkKey(key),
      { verb, ...checked, terms },
      door.source,
      door.now ?? null,
    ),
  );
  return granted(door.db, answer);
}

export function checkKey(key: unknown): ObligationKey {
  assertText('key', key, 1, KEY_MAX_BYTES);
  if (!parseObligationKey(key)) throw invalid('key', 'is not shipment:subscriber:version');
  return key as ObligationKey;
}

export function checkWord(word: OperatorWord): Required<OperatorWord> {
  if (!isRecord(word)) throw invalid('actor', 'is missing');
  assertText('actor', word.actor, 1, 200);
  assertText('reason', word.reason, 1, 500);
  const requestId = word.requestId ?? randomUUID();
  assertText('requestId', requestId, 1, 200);
  return { actor: word.actor, reason: word.reason, requestId };
}

/** The answer where the act was granted; relays are told at once. A refusal becomes its error. */
export async function granted<A extends { ok: boolean; code?: ActAnswer['code'] }>(
  db: Queryable,
  answer: A,
): Promise<A> {
  if (!answer.ok) {
    const code = answer.code ?? 'not_found';
    throw new WaybillError(code, ERRORS[code].meaning);
  }
  // Only a nudge of the nudge: relays poll, so its trouble costs a poll period and nothing else.
  await notifyRelays(db);
  return answer;
}
