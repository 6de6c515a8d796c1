import type { SubscriberInput } from '../client.js';
import { WaybillError, invalid } from '../errors.js';
import { checkSubscriber } from '../intake/subscriber-input.js';
import type { AllowList } from '../wire/allow-list.js';

/** Field -> what its JSON value must be, where intake would take another for none given. It judges all the rest. */
const FIELDS: Readonly<Record<string, 'string' | 'number' | 'object' | 'array' | 'any'>> = {
  account: 'string',
  name: 'string',
  url: 'string',
  eventTypes: 'array',
  labels: 'object',
  policy: 'object',
  maxConcurrency: 'number',
  ratePerSecond: 'any',
  order: 'any',
  orderWaitMs: 'any',
  mode: 'any',
  cohort: 'any',
  headers: 'object',
  auth: 'object',
  tls: 'object',
  secret: 'string',
};

/**
 * One line of an import as a subscriber, judged as `subscriber add` would judge it.
 * @throws WaybillError naming the field; an unknown one, too, since a mistyped filter would match everything.
 */
export function parseSubscriberLine(text: string, account: string, allow: AllowList): SubscriberInput {
  const input = parseObject(text);
  for (const [field, value] of Object.entries(input)) {
    const kind = Object.hasOwn(FIELDS, field) ? FIELDS[field] : undefined;
    if (kind === undefined) throw invalid(field, `is none of ${Object.keys(FIELDS).join(', ')}`);
    if (kind !== 'any' && kindOf(value) !== kind)
      throw invalid(field, `must be ${kind === 'string' ? 'a text' : `an ${kind}`}`);
  }
  if (input['account'] !== undefined && input['account'] !== account) {
    throw invalid('account', `is not '${account}', which this import is for (see --account)`);
  }
  const subscriber = input as unknown as SubscriberInput;
  checkSubscriber(subscriber, allow);
  return subscriber;
}

function parseObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new WaybillError('invalid_field', 'is not JSON'); // JSON.parse's own message would quote it
  }
  if (kindOf(value) !== 'object') throw new WaybillError('invalid_field', 'is not a JSON object');
  return value as Record<string, unknown>;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
