import type { Disposition, ErrorCode, ObligationKey, SubscriberId, Verb } from '../contract.js';
import type { CheckedTerms } from '../intake/act-terms.js';
import type { Standing } from '../policy/standing.js';
import type { Queryable } from './pool.js';

/** Who does what, and why: every act carries all three of actor, reason and request id. */
export interface Act {
  readonly verb: Verb;
  readonly actor: string;
  readonly reason: string;
  /** A repeated one changes nothing and hears the first answer again. */
  readonly requestId: string;
  readonly terms?: CheckedTerms;
}

export interface ActAnswer {
  readonly ok: boolean;
  /** Why it was refused. */
  readonly code?: ErrorCode;
  readonly changed?: boolean;
  readonly repeated?: boolean;
  readonly disposition?: Disposition;
  /** No send of this obligation can be under way any more. */
  readonly confirmed?: boolean;
  /** When a pause ends by itself. */
  readonly until?: string;
  readonly standing?: Standing;
}

/** `account` null is for a signal that came through Temporal's own tools: it names the workflow itself. */
export async function actOnObligation(
  db: Queryable,
  account: string | null,
  key: ObligationKey,
  act: Act,
  source: 'temporal' | 'client' | 'cli',
  now: Date | null,
): Promise<ActAnswer> {
  const { rows } = await db.query<{ act: ActAnswer }>(
    'SELECT waybill.act($1, $2, $3, $4, $5, $6, $7, $8, $9)',
    [account, key, act.verb, act.actor, act.reason, act.requestId, source, now, act.terms?.until ?? null],
  );
  return (rows[0] as { act: ActAnswer }).act;
}

/**
 * Where the obligation stands, after what time has done to it: a lease that ran out is recorded as unknown, what is
 * past its validity or has no subscriber any more is ended. Null: no such key.
 */
export async function lookAt(
  db: Queryable,
  key: ObligationKey,
  worker: string,
  now: Date | null,
): Promise<Standing | null> {
  const { rows } = await db.query<{ look: Standing | null }>('SELECT waybill.look($1, $2, $3)', [
    key,
    worker,
    now,
  ]);
  return rows[0]?.look ?? null;
}

export const SUBSCRIBER_VERBS = ['pause', 'resume', 'remove'] as const;
export type SubscriberVerb = (typeof SUBSCRIBER_VERBS)[number];

export const SCOPE_VERBS = ['pause', 'resume', 'on', 'off'] as const;
/** `on` and `off` are for a cohort alone: whether it takes part in what is published from now on. */
export type ScopeVerb = (typeof SCOPE_VERBS)[number];

/** The answer to an act on a subscriber, a cohort or an account. */
export interface SubscriberActAnswer {
  readonly ok: boolean;
  readonly code?: ErrorCode;
  readonly changed?: boolean;
  readonly repeated?: boolean;
  /** Obligations that a resume lets go, or that a removal has ended. */
  readonly obligations?: number;
  /** Sends still under way when the act was recorded. */
  readonly inFlight?: number;
  /** `inFlight` is 0: no request leaves any more. */
  readonly confirmed?: boolean;
  /** When a pause ends by itself. */
  readonly until?: string;
}

export async function actOnSubscriber(
  db: Queryable,
  account: string,
  subscriber: SubscriberId,
  act: { readonly verb: SubscriberVerb } & Omit<Act, 'verb'>,
  source: 'client' | 'cli',
  now: Date | null,
): Promise<SubscriberActAnswer> {
  const { rows } = await db.query<{ answer: SubscriberActAnswer }>(
    'SELECT waybill.act_on_subscriber($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS answer',
    [account, subscriber, ...words(act), source, now, ...terms(act)],
  );
  return (rows[0] as { answer: SubscriberActAnswer }).answer;
}

/** `cohort` '' is the account itself. */
export async function actOnScope(
  db: Queryable,
  account: string,
  cohort: string,
  act: { readonly verb: ScopeVerb } & Omit<Act, 'verb'>,
  source: 'client' | 'cli',
  now: Date | null,
): Promise<SubscriberActAnswer> {
  const { rows } = await db.query<{ answer: SubscriberActAnswer }>(
    'SELECT waybill.act_on_scope($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS answer',
    [account, cohort, ...words(act), source, now, ...terms(act)],
  );
  return (rows[0] as { answer: SubscriberActAnswer }).answer;
}

const words = (act: Omit<Act, 'verb'> & { readonly verb: string }): readonly string[] => [
  act.verb,
  act.actor,
  act.reason,
  act.requestId,
];

const terms = (act: Pick<Act, 'terms'>): readonly (Date | number | null)[] => [
  act.terms?.until ?? null,
  act.terms?.rampPerSecond ?? null,
];
