/**
 * The names Waybill's parts agree on: queues, workflow and message names, ids and their inverse, search
 * attributes, and the closed lists of dispositions, outcomes, classes and error codes. Imports nothing, so that
 * anybody (a workflow, a policy, a client in another process) may import it.
 */

/** `sub_` and 20 characters of `A-Z a-z 0-9`; unique in the installation. */
export type SubscriberId = string & { readonly brand: 'SubscriberId' };
/** `shipment:subscriber:version`, each part percent-encoded; see {@link obligationKey}. */
export type ObligationKey = string & { readonly brand: 'ObligationKey' };

export const DEFAULT_ACCOUNT = 'default';

/** An event type: words joined by dots, such as `shipment.delivered`. */
export const EVENT_TYPE = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/;

export const TASK_QUEUES = {
  /** Workflow tasks and ledger activities. */
  main: 'waybill',
  /** First attempts. */
  send: 'waybill-send',
  /** Retries and redrives: slots of their own, so that a flood of first attempts can't starve them. */
  retry: 'waybill-retry',
} as const;

export const WORKFLOWS = { event: 'event', obligation: 'obligation', reconcile: 'reconcile' } as const;

/** The Temporal Schedule that starts reconciliation; made by `waybill setup`. */
export const RECONCILE_SCHEDULE = 'waybill-reconcile';

/** Signals of the obligation workflow: the four an operator sends, and `recheck`, "look at the ledger again". */
export const SIGNALS = {
  pause: 'pause',
  resume: 'resume',
  terminate: 'terminate',
  redrive: 'redrive',
  recheck: 'recheck',
} as const;
export const QUERIES = { status: 'status' } as const;

/** What an operator may do to one obligation. */
export const VERBS = ['pause', 'resume', 'terminate', 'redrive'] as const;
export type Verb = (typeof VERBS)[number];

/** Name -> Temporal type. Registered by `waybill setup`, checked by `waybill doctor`. */
export const SEARCH_ATTRIBUTES = {
  WaybillAccount: 'KEYWORD',
  WaybillShipment: 'KEYWORD',
  WaybillSubscriber: 'KEYWORD',
  WaybillEventType: 'KEYWORD',
  WaybillVersion: 'INT',
  WaybillDisposition: 'KEYWORD',
} as const;

export const DISPOSITIONS = [
  'pending',
  'attempting',
  'waiting',
  'held',
  'dead',
  'delivered',
  'shadowed',
  'superseded',
  'expired',
  'terminated',
  'removed',
] as const;
export type Disposition = (typeof DISPOSITIONS)[number];

/** No transition leaves these; `dead` is not among them while its redrive window is open. */
export const FINAL_DISPOSITIONS = [
  'delivered',
  'shadowed',
  'superseded',
  'expired',
  'terminated',
  'removed',
] as const;

/**
 * How an attempt ended. `unknown`: the send may have happened and nobody can tell. `shadow`: all was done but the send,
 * as its subscriber's mode says.
 */
export const OUTCOMES = [
  'delivered',
  'rejected',
  'failed',
  'unknown',
  'blocked',
  'cancelled',
  'shadow',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Why: one word for each cause, stable, what people filter and alert by. */
export const CLASSES = [
  'success',
  'redirect',
  'client_error',
  'gone',
  'request_timeout',
  'too_early',
  'throttled',
  'server_error',
  'timeout',
  'dns',
  'tls',
  'network',
  'reset',
  'protocol',
  'address_policy',
  'configuration',
  'payload_unavailable',
  'worker_crash',
  'shutdown',
  'lease_over',
  'called_off',
  'own_fault',
  'shadow',
] as const;
export type ErrorClass = (typeof CLASSES)[number];

/**
 * Every error a caller can meet: code -> what it means, its CLI exit code, and the HTTP status a door over HTTP
 * answers with. docs/errors.md lists the same codes; a test holds the two together.
 */
export const ERRORS = {
  invalid_field: { exit: 2, http: 422, meaning: 'A field is missing or has an unusable value.' },
  id_too_long: { exit: 2, http: 422, meaning: 'The encoded obligation key would pass 255 bytes.' },
  payload_too_large: { exit: 2, http: 413, meaning: 'The payload is larger than the limit.' },
  url_refused: { exit: 2, http: 422, meaning: 'The URL is not one Waybill may send to.' },
  config_invalid: { exit: 2, http: 500, meaning: 'A setting in the environment is missing or unusable.' },
  event_conflict: {
    exit: 3,
    http: 409,
    meaning: 'This version of the shipment was published before with other content.',
  },
  name_taken: { exit: 3, http: 409, meaning: 'The account has another subscriber, or cohort, of this name.' },
  subscriber_removed: { exit: 3, http: 409, meaning: 'The subscriber has been removed.' },
  already_final: { exit: 3, http: 409, meaning: 'The obligation has ended; this act has no effect on it.' },
  not_open: { exit: 3, http: 409, meaning: 'Only an open obligation can be paused.' },
  not_held: { exit: 3, http: 409, meaning: 'The obligation is not paused.' },
  not_dead: { exit: 3, http: 409, meaning: 'Only a dead obligation can be redriven.' },
  superseded: {
    exit: 3,
    http: 409,
    meaning: 'A newer version took the place of this one, as the order of its subscriber says.',
  },
  redrive_window_over: { exit: 3, http: 409, meaning: 'The redrive window of the dead letter is over.' },
  validity_over: { exit: 3, http: 409, meaning: 'The event is past its validity.' },
  payload_unavailable: { exit: 3, http: 409, meaning: 'The payload is gone or no longer has its digest.' },
  request_id_reused: {
    exit: 3,
    http: 409,
    meaning: 'The request id was used before for another act, actor or reason.',
  },
  too_many_secrets: {
    exit: 3,
    http: 409,
    meaning: 'The subscriber has as many live signing secrets as it may have; revoke one or let one expire.',
  },
  secret_in_use: {
    exit: 3,
    http: 409,
    meaning: 'The current signing secret can not be revoked; rotate it without an overlap instead.',
  },
  not_found: {
    exit: 4,
    http: 404,
    meaning: 'No such event, subscriber, cohort or obligation in this account.',
  },
  database_unavailable: {
    exit: 5,
    http: 503,
    meaning: 'Postgres did not answer in time; nothing was changed, or the same call tells.',
  },
  temporal_unavailable: { exit: 5, http: 503, meaning: 'Temporal did not answer.' },
  migration_unknown: {
    exit: 6,
    http: 503,
    meaning: 'The database holds a breaking migration this release does not know.',
  },
  migration_missing: { exit: 6, http: 503, meaning: 'The database lacks migrations; run `waybill setup`.' },
} as const;
export type ErrorCode = keyof typeof ERRORS;

/** Longest encoded obligation key in bytes: the limit of our id, well inside Temporal's 1,000. */
export const KEY_MAX_BYTES = 255;
/** Every subscriber id has this length, so intake can judge a key before it knows the subscribers. */
export const SUBSCRIBER_ID_LENGTH = 24;

/**
 * Percent-encodes everything outside `A-Z a-z 0-9 _ -`, as UTF-8. `:` separates the parts of a key, so it is
 * always encoded inside one. Throws URIError on a lone surrogate, which intake refuses before.
 */
export function encodePart(part: string): string {
  return encodeURIComponent(part).replace(
    /[.!~*'()]/g,
    (c) => '%' + c.charCodeAt(0).toString(16).toUpperCase(),
  );
}

/** The obligation's identity: workflow id, Idempotency-Key and webhook-id. Inverse: {@link parseObligationKey}. */
export function obligationKey(shipment: string, subscriber: string, version: number): ObligationKey {
  return `${encodePart(shipment)}:${encodePart(subscriber)}:${version}` as ObligationKey;
}

/** The parts of a key, or undefined where the text is not a key in its one canonical spelling. */
export function parseObligationKey(
  text: string,
): { shipment: string; subscriber: SubscriberId; version: number } | undefined {
  const parts = text.split(':');
  const [s, sub, v] = parts;
  if (parts.length !== 3 || !s || !sub || !v || !/^(0|[1-9]\d{0,15})$/.test(v)) return undefined;
  try {
    const parsed = {
      shipment: decodeURIComponent(s),
      subscriber: decodeURIComponent(sub) as SubscriberId,
      version: Number(v),
    };
    return obligationKey(parsed.shipment, parsed.subscriber, parsed.version) === text ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** Workflow id of the fan-out of one event. Four parts, so it can't meet an obligation key, which has three. */
export function eventWorkflowId(account: string, shipment: string, version: number): string {
  return `event:${encodePart(account)}:${encodePart(shipment)}:${version}`;
}
