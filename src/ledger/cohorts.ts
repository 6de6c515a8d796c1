import type { Queryable } from './pool.js';
import { PAUSE_COLUMNS, pauseOf, type Pause, type PauseColumns } from './pauses.js';

/** A part of an account's subscribers that is rolled out, held and let go together. */
export interface Cohort {
  readonly account: string;
  readonly name: string;
  /** Off: its subscribers are left out of what is published from then on; what runs goes on. */
  readonly on: boolean;
  /** How many take part at most, the longest-standing first; null: all of them. */
  readonly maxSubscribers: number | null;
  readonly paused: Pause | null;
  /** Live ones. */
  readonly subscribers: number;
  /** How many of them an event published now could go to. */
  readonly takingPart: number;
  readonly createdAt: Date;
}

export interface CohortInFull extends Cohort {
  /** Owed to its subscribers and not at an end, whether they take part or not. */
  readonly openObligations: number;
}

export interface Account {
  readonly account: string;
  readonly paused: Pause | null;
  /** Live ones. */
  readonly subscribers: number;
  readonly openObligations: number;
}

type Source = 'client' | 'cli';

/** False where the account has one of this name. */
export async function insertCohort(
  db: Queryable,
  account: string,
  name: string,
  maxSubscribers: number | null,
  actor: string,
  source: Source,
  now: Date | null,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `WITH added AS (
       INSERT INTO waybill.cohorts (account, name, max_subscribers, created_at, updated_at)
         SELECT $1, $2, $3, t.now, t.now FROM (SELECT coalesce($6::timestamptz, clock_timestamp()) AS now) t
         ON CONFLICT DO NOTHING RETURNING created_at
     )
     INSERT INTO waybill.audit (at, account, act, actor, source, detail)
       SELECT created_at, $1, 'cohort add', $4, $5,
           jsonb_build_object('cohort', $2::text, 'maxSubscribers', $3::int)
         FROM added`,
    [account, name, maxSubscribers, actor, source, now],
  );
  return rowCount === 1;
}

/**
 * False where there is no such cohort. Takes the lock that matching shares: from the answer on no event is being matched
 * by the cap that held before.
 */
export async function updateCohortCap(
  db: Queryable,
  account: string,
  name: string,
  maxSubscribers: number | null,
  actor: string,
  source: Source,
  now: Date | null,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `WITH changed AS (
       UPDATE waybill.cohorts c SET max_subscribers = $3, updated_at = t.now
         FROM (SELECT coalesce($6::timestamptz, clock_timestamp()) AS now,
             pg_advisory_xact_lock(hashtext('waybill.pauses')) OFFSET 0) t
         WHERE c.account = $1 AND c.name = $2 RETURNING c.updated_at
     )
     INSERT INTO waybill.audit (at, account, act, actor, source, detail)
       SELECT updated_at, $1, 'cohort update', $4, $5,
           jsonb_build_object('cohort', $2::text, 'maxSubscribers', $3::int)
         FROM changed`,
    [account, name, maxSubscribers, actor, source, now],
  );
  return rowCount === 1;
}

const COHORT = `c.account, c.name, c.is_on AS "on", c.max_subscribers AS "maxSubscribers", n.subscribers,
  CASE WHEN c.is_on THEN least(n.subscribers, c.max_subscribers) ELSE 0 END AS "takingPart",
  c.created_at AS "createdAt", ${PAUSE_COLUMNS}
  FROM waybill.cohorts c
  CROSS JOIN LATERAL (SELECT count(*)::int AS subscribers FROM waybill.gates g
    JOIN waybill.subscribers s ON s.id = g.subscriber_id AND s.state = 'live'
    WHERE g.account = c.account AND g.cohort = c.name) n
  LEFT JOIN LATERAL (SELECT CASE p.cohort WHEN '' THEN 'account' ELSE 'cohort' END AS scope, p.paused_at AS at,
      p.paused_by AS by, p.paused_reason AS reason, p.paused_until AS until
    FROM waybill.pauses p WHERE p.account = c.account AND p.cohort IN (c.name, '')
    ORDER BY p.cohort DESC LIMIT 1) z ON true`;

type CohortRow<C extends Cohort> = Omit<C, 'paused'> & PauseColumns;

function fromRow<C extends Cohort>(row: CohortRow<C>): C {
  const { pauseScope, pausedAt, pausedBy, pausedReason, pausedUntil, ...rest } = row;
  const paused = pauseOf({ pauseScope, pausedAt, pausedBy, pausedReason, pausedUntil });
  return { ...rest, paused } as unknown as C;
}

/** In the order of their names, after `after`. */
export async function listCohorts(
  db: Queryable,
  account: string,
  after: string,
  limit: number,
): Promise<Cohort[]> {
  const { rows } = await db.query<CohortRow<Cohort>>(
    `SELECT ${COHORT} WHERE c.account = $1 AND c.name > $2 ORDER BY c.name LIMIT $3`,
    [account, after, limit],
  );
  return rows.map((row) => fromRow<Cohort>(row));
}

const OPEN = `('pending', 'attempting', 'waiting', 'held')`;

export async function findCohort(
  db: Queryable,
  account: string,
  name: string,
): Promise<CohortInFull | undefined> {
  const { rows } = await db.query<CohortRow<CohortInFull>>(
    `SELECT (SELECT count(*)::int FROM waybill.obligations o JOIN waybill.gates g ON g.subscriber_id = o.subscriber_id
         WHERE g.account = $1 AND g.cohort = $2 AND o.disposition IN ${OPEN}) AS "openObligations", ${COHORT}
       WHERE c.account = $1 AND c.name = $2`,
    [account, name],
  );
  return rows[0] && fromRow<CohortInFull>(rows[0]);
}

/** An account needs no row of its own: one that nobody has used yet is empty and not paused. */
export async function readAccount(db: Queryable, account: string): Promise<Account> {
  const { rows } = await db.query<Omit<Account, 'paused'> & PauseColumns>(
    `SELECT $1 AS account,
        (SELECT count(*)::int FROM waybill.subscribers WHERE account = $1 AND state = 'live') AS subscribers,
        (SELECT count(*)::int FROM waybill.obligations o JOIN waybill.subscribers s ON s.id = o.subscriber_id
          WHERE s.account = $1 AND o.disposition IN ${OPEN}) AS "openObligations", ${PAUSE_COLUMNS}
      FROM (SELECT) one LEFT JOIN (SELECT 'account' AS scope, paused_at AS at, paused_by AS by, paused_reason AS reason,
          paused_until AS until FROM waybill.pauses WHERE account = $1 AND cohort = '') z ON true`,
    [account],
  );
  const [row] = rows as [(typeof rows)[number]];
  const { subscribers, openObligations } = row;
  return { account, paused: pauseOf(row), subscribers, openObligations };
}
