import type { Queryable } from './pool.js';

/**
 * One round of letting go what was kept back: ends a pause whose end has come, and wakes a page of each destination that
 * is due. True where there may be more at once. Any number may call it at the same time.
 */
export async function letGoDue(db: Queryable, now: Date | null): Promise<boolean> {
  const { rows } = await db.query<{ ended: boolean; woken: number }>(
    'SELECT waybill.end_due_pause($1) AS ended, waybill.advance_wakes($1) AS woken',
    [now],
  );
  return rows[0]?.ended === true || (rows[0]?.woken ?? 0) > 0;
}
