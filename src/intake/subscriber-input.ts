import { randomInt } from 'node:crypto';
import { DEFAULT_ACCOUNT, EVENT_TYPE, SUBSCRIBER_ID_LENGTH, type SubscriberId } from '../contract.js';
import { WaybillError, invalid } from '../errors.js';
import {
  DEFAULT_POLICY,
  isPolicyFault,
  mergePolicy,
  type DeliveryPolicy,
} from '../policy/delivery-policy.js';
import { judgeUrl } from '../wire/address-guard.js';
import type { AllowList } from '../wire/allow-list.js';
import { SecretInvalid, newSecret, parseSecret } from '../wire/sign.js';
import {
  assertOneAuthorization,
  checkAuth,
  checkHeaders,
  type AuthInput,
  type CheckedAuth,
} from './subscriber-headers.js';
import { DEFAULT_GATE, GATE_FIELDS, checkGate, type Gate } from './subscriber-gate.js';
import { checkTls, type CheckedTls, type TlsInput } from './subscriber-tls.js';
import { assertFields, assertLabels, assertText, isRecord } from './text.js';

/** One endpoint, as its owner describes it. */
export interface SubscriberInput extends Partial<Gate> {
  readonly account?: string;
  /** Readable and unique in its account. */
  readonly name: string;
  readonly url: string;
  /** Exact types, `shipment.*` (any type below it) or `*`; all types when unset. */
  readonly eventTypes?: readonly string[];
  /** Every pair must stand on an event for it to match; none when unset. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Overrides of the default policy. */
  readonly policy?: Readonly<Record<string, unknown>>;
  /** Static headers of every request to it. Sealed at rest; no output shows their values. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sets `authorization`; sealed at rest and never shown. */
  readonly auth?: AuthInput;
  /** Its own authorities, or a client certificate of ours; sealed at rest. */
  readonly tls?: TlsInput;
  /** `whsec_...`; made when unset. */
  readonly secret?: string;
}

/** What can be changed later, each field as a whole. Holds from the next attempt on. */
export type SubscriberChange = Partial<
  Gate & Pick<SubscriberInput, 'name' | 'url' | 'eventTypes' | 'labels' | 'policy' | 'headers'>
> & {
  /** Null: none any more. */
  readonly auth?: AuthInput | null;
  readonly tls?: TlsInput | null;
};

export const CHANGE_FIELDS = [
  ...['name', 'url', 'eventTypes', 'labels', 'policy'],
  ...GATE_FIELDS,
  ...['headers', 'auth', 'tls'],
] as const;
export const SUBSCRIBER_FIELDS = ['account', 'secret', ...CHANGE_FIELDS] as const;

const MAX_EVENT_TYPES = 50;

export interface CheckedSubscriber {
  readonly account: string;
  readonly name: string;
  readonly url: URL;
  readonly eventTypes: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly policy: DeliveryPolicy;
  readonly gate: Gate;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly auth: CheckedAuth | null;
  readonly tls: CheckedTls | null;
  readonly secret: string;
}

/** @throws WaybillError `invalid_field` or `url_refused`, naming the field. */
export function checkSubscriber(input: SubscriberInput, allow: AllowList): CheckedSubscriber {
  assertFields('subscriber', input, SUBSCRIBER_FIELDS);
  const account = input.account ?? DEFAULT_ACCOUNT;
  assertText('account', account, 1, 100);
  const headers = checkHeaders(input.headers === undefined ? {} : input.headers);
  const auth = input.auth === undefined ? null : checkAuth(input.auth);
  assertOneAuthorization(Object.keys(headers), auth !== null);
  return {
    account,
    name: checkName(input.name),
    url: checkUrl(input.url, allow),
    eventTypes: checkEventTypes(input.eventTypes === undefined ? ['*'] : input.eventTypes),
    labels: checkLabels(input.labels === undefined ? {} : input.labels),
    policy: checkPolicy(DEFAULT_POLICY, input.policy === undefined ? {} : input.policy),
    gate: { ...DEFAULT_GATE, ...checkGate(input) },
    headers,
    auth,
    tls: input.tls === undefined ? null : checkTls(input.tls),
    secret: checkSecret(input.secret === undefined ? newSecret() : input.secret),
  };
}

export function checkName(name: unknown): string {
  assertText('name', name, 1, 100);
  if (name.startsWith('sub_')) throw invalid('name', 'must not begin with sub_, which marks an id');
  return name;
}

export function checkUrl(url: unknown, allow: AllowList): URL {
  if (typeof url !== 'string') throw invalid('url', 'must be a text');
  const verdict = judgeUrl(url, allow);
  if (!verdict.ok) {
    throw new WaybillError('url_refused', `url: ${verdict.detail} (${verdict.reason})`, { field: 'url' });
  }
  return verdict.url;
}

export function checkEventTypes(types: unknown): readonly string[] {
  if (!Array.isArray(types) || types.length === 0 || types.length > MAX_EVENT_TYPES) {
    throw invalid('eventTypes', `must be a list of 1 to ${MAX_EVENT_TYPES} types`);
  }
  for (const type of types as readonly unknown[]) {
    assertText('eventTypes', type, 1, 128);
    if (type !== '*' && !EVENT_TYPE.test(type.endsWith('.*') ? type.slice(0, -2) : type)) {
      throw invalid('eventTypes', `'${type}' is neither a type, a prefix such as shipment.*, nor *`);
    }
  }
  return types as readonly string[];
}

export function checkLabels(labels: unknown): Readonly<Record<string, string>> {
  assertLabels('labels', labels);
  return labels;
}

export function checkPolicy(base: DeliveryPolicy, given: unknown): DeliveryPolicy {
  if (!isRecord(given)) throw invalid('policy', 'must be an object');
  const policy = mergePolicy(base, given);
  if (isPolicyFault(policy)) throw invalid(`policy.${policy.field}`, policy.why);
  return policy;
}

export function checkSecret(secret: unknown): string {
  if (typeof secret !== 'string') throw invalid('secret', 'must be a text');
  try {
    parseSecret(secret);
    return secret;
  } catch (error) {
    if (error instanceof SecretInvalid) throw invalid('secret', error.message);
    throw error;
  }
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** `sub_` or `sec_` and 20 random characters: 119 bits, so ids never meet. */
export function newId(prefix: 'sub_' | 'sec_'): string {
  let id: string = prefix;
  while (id.length < SUBSCRIBER_ID_LENGTH) id += ALPHABET[randomInt(ALPHABET.length)];
  return id;
}
export const newSubscriberId = (): SubscriberId => newId('sub_') as SubscriberId;
