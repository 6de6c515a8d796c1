import type { SubscriberId } from '../contract.js';
import type { Gate } from '../intake/subscriber-gate.js';
import type { TlsShown } from '../intake/subscriber-tls.js';
import { DEFAULT_POLICY, type DeliveryPolicy } from '../policy/delivery-policy.js';
import type { Deadline } from '../policy/times.js';
import { NEAREST_PAUSE, PAUSE_COLUMNS, pauseOf, type Pause, type PauseColumns } from './pauses.js';
import type { Queryable } from './pool.js';

/** A subscriber as it may be shown: of its URL the origin only, of its secrets nothing. */
export interface Subscriber extends Gate {
  readonly id: SubscriberId;
  readonly account: string;
  readonly name: string;
  readonly state: 'live' | 'removed';
  readonly urlOrigin: string;
  readonly urlVersion: number;
  readonly eventTypes: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly policy: DeliveryPolicy;
  /** Name -> `***`: which headers of its own it has. */
  readonly headers: Readonly<Record<string, '***'>>;
  readonly auth: 'bearer' | 'basic' | null;
  readonly tls: TlsShown | null;
  /** The nearest pause in effect; a resume of another scope doesn't end it. */
  readonly paused: Pause | null;
  /** Its receiver answered 410: nothing is sent until a person resumes it. It is paused as well. */
  readonly goneAt: Date | null;
  /** After a 429 or 503 nothing is sent before this; null where it isn't cooling down. */
  readonly cooling: { readonly until: Date; readonly status: number } | null;
  /** Opened by faults of its receiver: nothing is sent before `until`, and one attempt at a time from then on. */
  readonly breaker: { readonly since: Date; readonly until: Date } | null;
  /** The first fault since the last delivery. */
  readonly failingSince: Date | null;
  /** After a resume: what was held is still being let go, no faster than `perSecond`. */
  readonly ramp: { readonly perSecond: number; readonly since: Date } | null;
  readonly createdAt: Date;
}

export interface NewSubscriber {
  readonly id: SubscriberId;
  readonly account: string;
  readonly name: string;
  readonly urlOrigin: string;
  readonly urlSealed: string;
  readonly eventTypes: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly policy: DeliveryPolicy;
  readonly gate: Gate;
  readonly headerNames: readonly string[];
  readonly headersSealed: string | null;
  readonly authType: 'bearer' | 'basic' | null;
  readonly authSealed: string | null;
  readonly tlsShown: TlsShown | null;
  readonly tlsSealed: string | null;
  readonly secretId: string;
  readonly secretSealed: string;
}

const COLUMNS = `s.id, s.account, s.name, s.state, s.url_origin AS "urlOrigin", s.url_version AS "urlVersion",
  s.event_types AS "eventTypes", s.labels, s.policy, g.max_concurrency AS "maxConcurrency",
  g.rate_per_s AS "ratePerSecond", g.order_policy AS "order", g.order_wait_ms AS "orderWaitMs",
  CASE WHEN g.shadow THEN 'shadow' ELSE 'live' END AS mode, g.cohort, ${PAUSE_COLUMNS},
  waybill.breaker_opens(g) AS "breakerUntil", g.faults_since AS "faultsSince", g.failing_since AS "failingSince",
  CASE WHEN coalesce(g.ramp_until > clock_timestamp(), true) THEN g.ramp_per_s END AS "rampPerSecond",
  g.ramp_from AS "rampSince",
  s.header_names AS "headerNames", s.auth_type AS auth, s.tls_shown AS tls, g.gone_at AS "goneAt",
  CASE WHEN g.cool_until > clock_timestamp() THEN g.cool_until END AS "coolUntil", g.cool_status AS "coolStatus",
  s.created_at AS "createdAt"
  FROM waybill.subscribers s JOIN waybill.gates g ON g.subscriber_id = s.id ${NEAREST_PAUSE}`;

type Row = Omit<Subscriber, 'paused' | 'headers' | 'cooling' | 'breaker' | 'ramp'> &
  PauseColumns & {
    readonly headerNames: readonly string[];
    readonly coolUntil: Date | null;
    readonly coolStatus: number;
    readonly breakerUntil: Date | null;
    readonly faultsSince: Date | null;
    readonly rampPerSecond: number | null;
    readonly rampSince: Date;
  };

function fromRow(row: Row): Subscriber {
  const { pauseScope, pausedAt, pausedBy, pausedReason, pausedUntil, ...others } = row;
  const { headerNames, coolUntil, coolStatus, breakerUntil, faultsSince, rampPerSecond, rampSince, ...rest } =
    others;
  return {
    ...rest,
    // A field that came after the row holds as its default.
    policy: { ...DEFAULT_POLICY, ...rest.policy },
    headers: masked(headerNames),
    cooling: coolUntil === null ? null : { until: coolUntil, status: coolStatus },
    paused: pauseOf({ pauseScope, pausedAt, pausedBy, pausedReason, pausedUntil }),
    breaker: breakerUntil === null ? null : { since: faultsSince ?? breakerUntil, until: breakerUntil },
    ramp: rampPerSecond === null ? null : { perSecond: rampPerSecond, since: rampSince },
  };
}

/** Header names with nothing of their values. */
export const masked = (names: readonly string[]): Readonly<Record<string, '***'>> =>
  Object.fromEntries(names.map((name) => [name, '***' as const]));

/** The longest deadline of an attempt that any live subscriber has; undefined where there is none. */
export async function longestDeadline(db: Queryable): Promise<Deadline | undefined> {
  const { rows } = await db.query<Deadline>(
    `SELECT (policy ->> 'timeoutMs')::int AS "timeoutMs", name AS subscriber FROM waybill.subscribers
      WHERE state = 'live' ORDER BY 1 DESC, id LIMIT 1`,
  );
  return rows[0];
}

/** When they were added, and which of them are held from the first moment on by a pause of cohort or account. */
export interface Inserted {
  readonly at: Date;
  readonly paused: ReadonlyMap<string, Pause>;
}

/**
 * Adds all of them in one statement, each whole: row, gate, secret and audit. A taken name or an unknown cohort fails
 * the statement.
 */
export async function insertSubscribers(
  db: Queryable,
  subscribers: readonly NewSubscriber[],
  actor: string,
  source: 'client' | 'cli',
  now: Date | null,
): Promise<Inserted> {
  const { rows } = await db.query<{ id: string; now: Date } & PauseColumns>(
    `WITH input AS (
       SELECT * FROM jsonb_to_recordset($1) AS x (id text, account text, name text, "urlOrigin" text,
         "urlSealed" text, "eventTypes" jsonb, labels jsonb, policy jsonb, gate jsonb,
         "headerNames" jsonb, "headersSealed" text, "authType" text, "authSealed" text, "tlsShown" jsonb,
         "tlsSealed" text, "secretId" text, "secretSealed" text)
     ), clock AS (
       SELECT coalesce($2::timestamptz, clock_timestamp()) AS now
     ), added AS (
       INSERT INTO waybill.subscribers (id, account, name, url_origin, url_sealed, event_types, labels, policy,
           header_names, headers_sealed, auth_type, auth_sealed, tls_shown, tls_sealed, created_at, updated_at)
         SELECT id, account, name, "urlOrigin", "urlSealed",
             ARRAY(SELECT jsonb_array_elements_text("eventTypes")), labels, policy,
             ARRAY(SELECT jsonb_array_elements_text("headerNames")), "headersSealed", "authType", "authSealed",
             nullif("tlsShown", 'null'), "tlsSealed", clock.now, clock.now
           FROM input, clock
     ), gated AS (
       INSERT INTO waybill.gates (subscriber_id, account, max_concurrency, rate_per_s, order_policy, order_wait_ms,
           shadow, cohort)
         SELECT id, account, (gate ->> 'maxConcurrency')::int, (gate ->> 'ratePerSecond')::double precision,
             gate ->> 'order', (gate ->> 'orderWaitMs')::bigint, gate ->> 'mode' = 'shadow', gate ->> 'cohort'
           FROM input
     ), secrets AS (
       INSERT INTO waybill.subscriber_secrets (id, subscriber_id, sealed, created_at)
         SELECT "secretId", id, "secretSealed", clock.now FROM input, clock
     ), audited AS (
       INSERT INTO waybill.audit (at, account, subscriber_id, act, actor, source, detail)
         SELECT clock.now, account, id, 'subscriber add', $3, $4, jsonb_build_object('urlOrigin', "urlOrigin")
           FROM input, clock
     )
     SELECT s.id, clock.now, ${PAUSE_COLUMNS} FROM clock, input s
       CROSS JOIN LATERAL (SELECT s.gate ->> 'cohort' AS cohort, NULL::timestamptz AS paused_at,
         NULL::text AS paused_by, NULL::text AS paused_reason, NULL::timestamptz AS paused_until) g ${NEAREST_PAUSE}`,
    [JSON.stringify(subscribers), now, actor, source],
  );
  const paused = new Map<string, Pause>();
  for (const row of rows) {
    const pause = pauseOf(row);
    if (pause) paused.set(row.id, pause);
  }
  return { at: rows[0]?.now ?? new Date(), paused };
}

/** By id or by name of a live one; undefined where the account has no such subscriber. */
export async function findSubscriber(
  db: Queryable,
  account: string,
  idOrName: string,
): Promise<Subscriber | undefined> {
  const { rows } = await db.query<Row>(
    `SELECT ${COLUMNS} WHERE s.account = $1 AND (s.id = $2 OR (s.name = $2 AND s.state = 'live'))`,
    [account, idOrName],
  );
  return rows[0] && fromRow(rows[0]);
}

/** In id order, after `afterId`; removed ones are left out. */
export async function listSubscribers(
  db: Queryable,
  account: string,
  afterId: string,
  limit: number,
): Promise<Subscriber[]> {
  const { rows } = await db.query<Row>(
    `SELECT ${COLUMNS} WHERE s.account = $1 AND s.id > $2 AND s.state = 'live' ORDER BY s.id LIMIT $3`,
    [account, afterId, limit],
  );
  return rows.map(fromRow);
}

export interface SubscriberPatch {
  readonly name?: string;
  readonly urlOrigin?: string;
  readonly urlSealed?: string;
  readonly eventTypes?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  /** Only these fields change: edits of different fields at the same time both hold. */
  readonly policy?: Partial<DeliveryPolicy>;
  readonly gate?: Partial<Gate>;
  /** Of these three null takes away what there was. */
  readonly headers?: { readonly names: readonly string[]; readonly sealed: string } | null;
  readonly auth?: { readonly type: 'bearer' | 'basic'; readonly sealed: string } | null;
  readonly tls?: { readonly shown: TlsShown; readonly sealed: string } | null;
}

/**
 * Changes what the patch names and audits which fields; false where there is no such live subscriber. A new URL ends a
 * cool-down and closes the breaker; it, and another limit, wake whatever waits behind the old one. What the database refuses comes as its error, named by constraint.
 */
export async function patchSubscriber(
  db: Queryable,
  account: string,
  id: SubscriberId,
  patch: SubscriberPatch,
  actor: string,
  source: 'client' | 'cli',
  now: Date | null,
): Promise<boolean> {
  const { rows } = await db.query<{ id: string }>(
    `WITH clock AS (SELECT coalesce($3::timestamptz, clock_timestamp()) AS now), changed AS (
       UPDATE waybill.subscribers s SET
           name = coalesce($4, name),
           url_origin = coalesce($5, url_origin),
           url_sealed = coalesce($6, url_sealed),
           url_version = url_version + CASE WHEN $6::text IS NULL THEN 0 ELSE 1 END,
           event_types = coalesce($7, event_types),
           labels = coalesce($8, labels),
           policy = policy || coalesce($9::jsonb, '{}'),
           header_names = CASE WHEN $14::jsonb ? 'headers'
             THEN ARRAY(SELECT jsonb_array_elements_text(coalesce($14 -> 'headers' -> 'names', '[]')))
             ELSE header_names END,
           headers_sealed = CASE WHEN $14 ? 'headers' THEN $14 -> 'headers' ->> 'sealed' ELSE headers_sealed END,
           auth_type = CASE WHEN $14 ? 'auth' THEN $14 -> 'auth' ->> 'type' ELSE auth_type END,
           auth_sealed = CASE WHEN $14 ? 'auth' THEN $14 -> 'auth' ->> 'sealed' ELSE auth_sealed END,
           tls_shown = CASE WHEN $14 ? 'tls' THEN $14 -> 'tls' -> 'shown' ELSE tls_shown END,
           tls_sealed = CASE WHEN $14 ? 'tls' THEN $14 -> 'tls' ->> 'sealed' ELSE tls_sealed END,
           updated_at = clock.now
         FROM clock WHERE s.account = $1 AND s.id = $2 AND s.state = 'live'
         RETURNING s.id, s.account, s.url_origin, s.url_version, clock.now
     ), audited AS (
       INSERT INTO waybill.audit (at, account, subscriber_id, act, actor, source, detail)
         SELECT now, account, id, 'subscriber update', $11, $13, jsonb_build_object('fields', $12::text[]) ||
             CASE WHEN $6::text IS NULL THEN '{}'
               ELSE jsonb_build_object('urlOrigin', url_origin, 'urlVersion', url_version) END
           FROM changed
     )
     SELECT id, CASE WHEN $10::jsonb <> '{}' OR $6::text IS NOT NULL
         THEN waybill.adjust_gate(id, $10, $6::text IS NOT NULL, now) END
       FROM changed`,
    [
      account,
      id,
      now,
      patch.name ?? null,
      patch.urlOrigin ?? null,
      patch.urlSealed ?? null,
      patch.eventTypes ?? null,
      patch.labels === undefined ? null : JSON.stringify(patch.labels),
      patch.policy === undefined ? null : JSON.stringify(patch.policy),
      JSON.stringify(gateJson(patch.gate ?? {})),
      actor,
      namesIn(patch),
      source,
      JSON.stringify({ headers: patch.headers, auth: patch.auth, tls: patch.tls }),
    ],
  );
  return rows.length > 0;
}

/** As `adjust_gate` reads it. */
const gateJson = ({ mode, ...rest }: Partial<Gate>): object => ({
  ...rest,
  ...(mode === undefined ? {} : { shadow: mode === 'shadow' }),
});

/** The fields that a person has named. */
const namesIn = ({ gate, ...rest }: SubscriberPatch): string[] =>
  [...Object.keys(rest), ...Object.keys(gate ?? {})].filter((field) => field !== 'urlSealed');

export const SUBSCRIBER_NAME_INDEX = 'subscribers_name';
/** Refuses a cohort that the account doesn't have. */
export const COHORT_KEY = 'gates_account_cohort_fkey';
/** Refuses a header `authorization` of its own beside an `auth`. */
export const ONE_AUTHORIZATION_CHECK = 'subscribers_one_authorization';
