import type { SubscriberId } from '../contract.js';
import type { DeliveryPolicy } from '../policy/delivery-policy.js';
import type { Deadline } from '../policy/times.js';
import type { Queryable } from './pool.js';

/** A subscriber as it may be shown: of its URL the origin only, of its secrets nothing. */
export interface Subscriber {
  readonly id: SubscriberId;
  readonly account: string;
  readonly name: string;
  readonly state: 'live' | 'removed';
  readonly urlOrigin: string;
  readonly urlVersion: number;
  readonly eventTypes: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly policy: DeliveryPolicy;
  readonly maxConcurrency: number;
  readonly paused: { readonly at: Date; readonly by: string; readonly reason: string } | null;
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
  readonly maxConcurrency: number;
  readonly secretId: string;
  readonly secretSealed: string;
}

const COLUMNS = `s.id, s.account, s.name, s.state, s.url_origin AS "urlOrigin", s.url_version AS "urlVersion",
  s.event_types AS "eventTypes", s.labels, s.policy, g.max_concurrency AS "maxConcurrency",
  g.paused_at AS "pausedAt", g.paused_by AS "pausedBy", g.paused_reason AS "pausedReason",
  s.created_at AS "createdAt"
  FROM waybill.subscribers s JOIN waybill.gates g ON g.subscriber_id = s.id`;

type Row = Omit<Subscriber, 'paused'> & {
  readonly pausedAt: Date | null;
  readonly pausedBy: string;
  readonly pausedReason: string;
};

const fromRow = ({ pausedAt, pausedBy, pausedReason, ...rest }: Row): Subscriber => ({
  ...rest,
  paused: pausedAt === null ? null : { at: pausedAt, by: pausedBy, reason: pausedReason },
});

/** The longest deadline of an attempt that any live subscriber has; undefined where there is none. */
export async function longestDeadline(db: Queryable): Promise<Deadline | undefined> {
  const { rows } = await db.query<Deadline>(
    `SELECT (policy ->> 'timeoutMs')::int AS "timeoutMs", name AS subscriber FROM waybill.subscribers
      WHERE state = 'live' ORDER BY 1 DESC, id LIMIT 1`,
  );
  return rows[0];
}

/**
 * Adds all of them in one statement, each whole: row, gate, secret and audit; answers when. A taken name fails the
 * statement.
 */
export async function insertSubscribers(
  db: Queryable,
  subscribers: readonly NewSubscriber[],
  actor: string,
  source: 'client' | 'cli',
  now: Date | null,
): Promise<Date> {
  const { rows } = await db.query<{ at: Date }>(
    `WITH input AS (
       SELECT * FROM jsonb_to_recordset($1) AS x (id text, account text, name text, "urlOrigin" text,
         "urlSealed" text, "eventTypes" jsonb, labels jsonb, policy jsonb, "maxConcurrency" int,
         "secretId" text, "secretSealed" text)
     ), clock AS (
       SELECT coalesce($2::timestamptz, clock_timestamp()) AS now
     ), added AS (
       INSERT INTO waybill.subscribers (id, account, name, url_origin, url_sealed, event_types, labels, policy,
           created_at, updated_at)
         SELECT id, account, name, "urlOrigin", "urlSealed",
             ARRAY(SELECT jsonb_array_elements_text("eventTypes")), labels, policy, clock.now, clock.now
           FROM input, clock
     ), gated AS (
       INSERT INTO waybill.gates (subscriber_id, max_concurrency) SELECT id, "maxConcurrency" FROM input
     ), secrets AS (
       INSERT INTO waybill.subscriber_secrets (id, subscriber_id, sealed, created_at)
         SELECT "secretId", id, "secretSealed", clock.now FROM input, clock
     )
     INSERT INTO waybill.audit (at, account, subscriber_id, act, actor, source, detail)
       SELECT clock.now, account, id, 'subscriber add', $3, $4, jsonb_build_object('urlOrigin', "urlOrigin")
         FROM input, clock
       RETURNING at`,
    [JSON.stringify(subscribers), now, actor, source],
  );
  return rows[0]?.at ?? new Date();
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
  readonly maxConcurrency?: number;
}

/** Changes what the patch names and audits which fields; false where there is no such live subscriber. */
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
           updated_at = clock.now
         FROM clock WHERE s.account = $1 AND s.id = $2 AND s.state = 'live' RETURNING s.id, s.account, clock.now
     ), gated AS (
       UPDATE waybill.gates g SET max_concurrency = $10
         FROM changed WHERE g.subscriber_id = changed.id AND $10::int IS NOT NULL
     ), audited AS (
       INSERT INTO waybill.audit (at, account, subscriber_id, act, actor, source, detail)
         SELECT now, account, id, 'subscriber update', $11, $13, jsonb_build_object('fields', $12::text[])
           FROM changed
     )
     SELECT id FROM changed`,
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
      patch.maxConcurrency ?? null,
      actor,
      Object.keys(patch).filter((field) => field !== 'urlSealed'),
      source,
    ],
  );
  return rows.length > 0;
}

export const SUBSCRIBER_NAME_INDEX = 'subscribers_name';
