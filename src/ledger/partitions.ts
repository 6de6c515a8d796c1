import type { Queryable } from './pool.js';

/** How many months ahead there is room for attempts and audit. */
const MONTHS_AHEAD = 3;

/** Makes the monthly partitions that are missing; answers how many it made. Two callers at once are safe. */
export async function ensurePartitions(
  db: Queryable,
  from: Date = new Date(),
  monthsAhead = MONTHS_AHEAD,
): Promise<number> {
  const { rows } = await db.query<{ ensure_partitions: number }>('SELECT waybill.ensure_partitions($1, $2)', [
    from,
    monthsAhead,
  ]);
  return rows[0]?.ensure_partitions ?? 0;
}
