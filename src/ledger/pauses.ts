/** Why nothing is sent to a destination. The nearest counts: its own pause before the account's before its cohort's. */
export interface Pause {
  readonly scope: 'subscriber' | 'cohort' | 'account';
  readonly at: Date;
  readonly by: string;
  readonly reason: string;
  /** It ends by itself then; null: when somebody resumes it. */
  readonly until: Date | null;
}

/**
 * SQL: joins `z`, the nearest pause in effect, to a gate `g` of a subscriber `s`; no row of it where nothing is paused.
 */
export const NEAREST_PAUSE = `LEFT JOIN LATERAL (
    SELECT 0 AS rank, 'subscriber' AS scope, g.paused_at AS at, g.paused_by AS by, g.paused_reason AS reason,
        g.paused_until AS until
      WHERE g.paused_at IS NOT NULL
    UNION ALL
    SELECT CASE p.cohort WHEN '' THEN 1 ELSE 2 END, CASE p.cohort WHEN '' THEN 'account' ELSE 'cohort' END,
        p.paused_at, p.paused_by, p.paused_reason, p.paused_until
      FROM waybill.pauses p WHERE p.account = s.account AND (p.cohort = '' OR p.cohort = g.cohort)
    ORDER BY rank LIMIT 1
  ) z ON true`;

export const PAUSE_COLUMNS = `z.scope AS "pauseScope", z.at AS "pausedAt", z.by AS "pausedBy",
  z.reason AS "pausedReason", z.until AS "pausedUntil"`;

export interface PauseColumns {
  readonly pauseScope: Pause['scope'];
  readonly pausedAt: Date | null;
  readonly pausedBy: string;
  readonly pausedReason: string;
  readonly pausedUntil: Date | null;
}

export const pauseOf = (row: PauseColumns): Pause | null =>
  row.pausedAt === null
    ? null
    : {
        scope: row.pauseScope,
        at: row.pausedAt,
        by: row.pausedBy,
        reason: row.pausedReason,
        until: row.pausedUntil,
      };
