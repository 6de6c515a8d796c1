import type pg from 'pg';
import { authContext, headersContext, secretContext, tlsContext, urlContext } from '../wire/seal.js';
import { WaybillError, invalid } from '../errors.js';
import {
  CHANGE_FIELDS,
  checkEventTypes,
  checkLabels,
  checkName,
  checkPolicy,
  checkSubscriber,
  checkUrl,
  newId,
  newSubscriberId,
  type CheckedSubscriber,
  type SubscriberChange,
  type SubscriberInput,
} from '../intake/subscriber-input.js';
import { twoAuthorizations, checkAuth, checkHeaders } from '../intake/subscriber-headers.js';
import { checkTerms, termsOf, type ActTerms } from '../intake/act-terms.js';
import { checkGate } from '../intake/subscriber-gate.js';
import { checkTls } from '../intake/subscriber-tls.js';
import { assertFields, assertText } from '../intake/text.js';
import { actOnSubscriber, type SubscriberActAnswer, type SubscriberVerb } from '../ledger/acts.js';
import { coded } from '../ledger/pool.js';
import type { DeliveryPolicy } from '../policy/delivery-policy.js';
import { coveredTimeoutMs, type WorkerTimes } from '../policy/times.js';
import {
  COHORT_KEY,
  ONE_AUTHORIZATION_CHECK,
  SUBSCRIBER_NAME_INDEX,
  findSubscriber,
  masked,
  type SubscriberPatch,
  insertSubscribers,
  patchSubscriber,
  type Inserted,
  type NewSubscriber,
  type Subscriber,
} from '../ledger/subscribers.js';
import type { AllowList } from '../wire/allow-list.js';
import type { Sealer } from '../wire/seal.js';
import { checkWord, granted, type Door, type OperatorWord } from './obligations.js';

export interface SubscriberDesk extends Door {
  readonly sealer: Sealer;
  readonly allow: AllowList;
  /** What workers run with: no deadline may be longer than their drain covers. */
  readonly times: WorkerTimes;
}

/** The new subscriber and its signing secret: the one time that it is shown. */
export interface Added {
  readonly subscriber: Subscriber;
  readonly secret: string;
}

/**
 * Give a `secret` of your own where the call must be safe to repeat: if its answer is lost, so is a secret made here.
 * @throws WaybillError `invalid_field`, `url_refused`, `name_taken`.
 */
export async function addSubscriber(
  desk: SubscriberDesk,
  input: SubscriberInput,
  actor: string,
): Promise<Added> {
  const [added] = await addSubscribers(desk, [input], actor);
  const { secret, subscriber } = added as AddedId;
  return { subscriber, secret };
}

export interface AddedId {
  readonly account: string;
  readonly id: string;
  readonly name: string;
  readonly secret: string;
  readonly subscriber: Subscriber;
}

/** All of them or, where one is refused, none; the error's field says which (`[3].url`). */
export async function addSubscribers(
  desk: SubscriberDesk,
  inputs: readonly SubscriberInput[],
  actor: string,
): Promise<AddedId[]> {
  assertText('actor', actor, 1, 200);
  const made = inputs.map((input, i) =>
    inList(inputs.length > 1 ? i : undefined, () => prepareNew(desk, input)),
  );
  let inserted: Inserted;
  try {
    inserted = await coded(() =>
      insertSubscribers(
        desk.db,
        made.map((m) => m.row),
        actor,
        desk.source,
        desk.now ?? null,
      ),
    );
  } catch (error) {
    throw refusedByRow(error);
  }
  return made.map(({ row, secret }) => {
    const subscriber = shownNew(row, inserted);
    return { account: row.account, id: row.id, name: row.name, secret, subscriber };
  });
}

/** The new row as it may be shown. */
function shownNew(row: NewSubscriber, { at, paused }: Inserted): Subscriber {
  const { id, account, name, urlOrigin, eventTypes, labels, policy, gate } = row;
  return {
    ...{ id, account, name, urlOrigin, eventTypes, labels, policy, ...gate, createdAt: at },
    ...{ state: 'live', urlVersion: 1, paused: paused.get(id) ?? null, goneAt: null, cooling: null },
    ...{ breaker: null, failingSince: null, ramp: null },
    ...{ headers: masked(row.headerNames), auth: row.authType, tls: row.tlsShown },
  };
}

function prepareNew(desk: SubscriberDesk, input: SubscriberInput): { row: NewSubscriber; secret: string } {
  const checked = checkSubscriber({ account: desk.account, ...input }, desk.allow);
  assertCovered(desk.times, checked.policy);
  const id = newSubscriberId();
  const secretId = newId('sec_');
  return {
    secret: checked.secret,
    row: {
      id,
      account: checked.account,
      name: checked.name,
      urlOrigin: checked.url.origin,
      urlSealed: desk.sealer.seal(checked.url.href, urlContext(id)),
      eventTypes: checked.eventTypes,
      labels: checked.labels,
      policy: checked.policy,
      gate: checked.gate,
      ...sealedOwn(desk, id, checked),
      secretId,
      secretSealed: desk.sealer.seal(checked.secret, secretContext(secretId)),
    },
  };
}

/** Headers, authorization and TLS texts as the database holds them. */
function sealedOwn(desk: SubscriberDesk, id: string, { headers, auth, tls }: CheckedSubscriber) {
  const names = Object.keys(headers);
  return {
    headerNames: names,
    headersSealed: names.length === 0 ? null : sealHeaders(desk, id, headers),
    authType: auth && auth.type,
    authSealed: auth && desk.sealer.seal(auth.value, authContext(id)),
    tlsShown: tls && tls.shown,
    tlsSealed: tls && desk.sealer.seal(JSON.stringify(tls.texts), tlsContext(id)),
  };
}

const sealHeaders = (desk: SubscriberDesk, id: string, headers: Readonly<Record<string, string>>): string =>
  desk.sealer.seal(JSON.stringify(headers), headersContext(id));

/** The part of a change that is sealed; a field that isn't named stays as it is. */
function ownPatch(desk: SubscriberDesk, id: string, change: SubscriberChange): SubscriberPatch {
  const headers = change.headers === undefined ? undefined : checkHeaders(change.headers);
  const auth = change.auth === undefined || change.auth === null ? change.auth : checkAuth(change.auth);
  const tls = change.tls === undefined || change.tls === null ? change.tls : checkTls(change.tls);
  const names = Object.keys(headers ?? {});
  return {
    ...(headers === undefined
      ? {}
      : { headers: names.length === 0 ? null : { names, sealed: sealHeaders(desk, id, headers) } }),
    ...(auth === undefined
      ? {}
      : { auth: auth && { type: auth.type, sealed: desk.sealer.seal(auth.value, authContext(id)) } }),
    ...(tls === undefined
      ? {}
      : {
          tls: tls && {
            shown: tls.shown,
            sealed: desk.sealer.seal(JSON.stringify(tls.texts), tlsContext(id)),
          },
        }),
  };
}

/** Changes hold from the next attempt on; attempts on the wire end as they began. */
export async function updateSubscriber(
  desk: SubscriberDesk,
  idOrName: string,
  change: SubscriberChange,
  actor: string,
): Promise<Subscriber> {
  assertText('actor', actor, 1, 200);
  assertFields('change', change, CHANGE_FIELDS);
  const current = await needSubscriber(desk, idOrName);
  if (current.state === 'removed') throw new WaybillError('subscriber_removed');
  const url = change.url === undefined ? undefined : checkUrl(change.url, desk.allow);
  const patch = {
    ...(change.name === undefined ? {} : { name: checkName(change.name) }),
    ...(url ? { urlOrigin: url.origin, urlSealed: desk.sealer.seal(url.href, urlContext(current.id)) } : {}),
    ...(change.eventTypes === undefined ? {} : { eventTypes: checkEventTypes(change.eventTypes) }),
    ...(change.labels === undefined ? {} : { labels: checkLabels(change.labels) }),
    ...(change.policy === undefined ? {} : { policy: checkedFields(desk, current.policy, change.policy) }),
    gate: checkGate(change),
    ...ownPatch(desk, current.id, change),
  };
  let changed: boolean;
  try {
    changed = await coded(() =>
      patchSubscriber(desk.db, desk.account, current.id, patch, actor, desk.source, desk.now ?? null),
    );
  } catch (error) {
    throw refusedByRow(error);
  }
  if (!changed) throw new WaybillError('subscriber_removed');
  return needSubscriber(desk, current.id);
}

/** The given policy fields, once the policy they would make is found good. */
function checkedFields(
  desk: SubscriberDesk,
  current: DeliveryPolicy,
  given: Readonly<Record<string, unknown>>,
): Partial<DeliveryPolicy> {
  const merged = checkPolicy(current, given);
  // A deadline that is there already is no reason to refuse another change.
  if (Object.hasOwn(given, 'timeoutMs')) assertCovered(desk.times, merged);
  return Object.fromEntries(Object.entries(merged).filter(([field]) => Object.hasOwn(given, field)));
}

/** @throws WaybillError `invalid_field` where a worker that stops would have to cut a send within its deadline. */
function assertCovered(times: WorkerTimes, { timeoutMs }: DeliveryPolicy): void {
  const most = coveredTimeoutMs(times);
  if (timeoutMs <= most) return;
  throw invalid(
    'policy.timeoutMs',
    `${timeoutMs} is longer than a stopping worker waits: at most ${most}, which is WAYBILL_DRAIN_MS less ` +
      'WAYBILL_LEASE_MARGIN_MS; raise WAYBILL_DRAIN_MS first, for the workers too',
  );
}

export async function actOnSubscriberBy(
  door: Door,
  verb: SubscriberVerb,
  idOrName: string,
  word: OperatorWord,
  given: ActTerms = {},
): Promise<SubscriberActAnswer> {
  const checked = checkWord(word);
  const terms = checkTerms(given, termsOf(verb), door.now ?? new Date());
  const { id } = await needSubscriber(door, idOrName);
  const answer = await coded(() =>
    actOnSubscriber(door.db, door.account, id, { verb, ...checked, terms }, door.source, door.now ?? null),
  );
  return granted(door.db, answer);
}

/** @throws WaybillError `not_found`; another account's subscriber looks the same as none. */
export async function needSubscriber(door: Door, idOrName: string): Promise<Subscriber> {
  assertText('subscriber', idOrName, 1, 100);
  const found = await coded(() => findSubscriber(door.db, door.account, idOrName));
  if (!found) throw new WaybillError('not_found', 'no such subscriber', { field: 'subscriber' });
  return found;
}

function inList<T>(index: number | undefined, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (index === undefined || !(error instanceof WaybillError)) throw error;
    throw new WaybillError(error.code, `[${index}] ${error.message}`, {
      field: `[${index}].${error.field ?? ''}`,
    });
  }
}

/** What only the database can judge, since another change may come in between: here in the caller's words. */
function refusedByRow(error: unknown): unknown {
  switch ((error as pg.DatabaseError).constraint) {
    case SUBSCRIBER_NAME_INDEX:
      return new WaybillError('name_taken', undefined, { field: 'name' });
    case COHORT_KEY:
      return new WaybillError('not_found', 'no such cohort', { field: 'cohort' });
    case ONE_AUTHORIZATION_CHECK:
      return twoAuthorizations();
    default:
      return error;
  }
}
