import type pg from 'pg';

/** Bytes on disk with indexes and TOAST, partitions with the table they belong to. */
export type TableBytes = Readonly<Record<string, number>>;

/** Of every table of the ledger, once VACUUM has run over them. */
export async function vacuumedSizes(db: pg.Pool): Promise<TableBytes> {
  const { rows: tables } = await db.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = 'waybill'::regnamespace AND c.relkind = 'r'`,
  );
  for (const { name } of tables) await db.query(`VACUUM (ANALYZE) waybill.${name}`);
  const { rows } = await db.query<{ name: string; bytes: number }>(
    `SELECT coalesce(p.relname, c.relname) AS name, sum(pg_total_relation_size(c.oid))::float8 AS bytes
      FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid LEFT JOIN pg_class p ON p.oid = i.inhparent
      WHERE c.relnamespace = 'waybill'::regnamespace AND c.relkind = 'r' GROUP BY 1 ORDER BY 1`,
  );
  return Object.fromEntries(rows.map(({ name, bytes }) => [name, bytes]));
}

/** The tables that grow with subscribers and not with what is owed to them. */
export const SUBSCRIBER_TABLES = ['subscribers', 'subscriber_secrets', 'gates', 'cohorts', 'pauses'];
export const PAYLOADS = 'event_payloads';

export const bytesIn = (sizes: TableBytes, without: readonly string[]): number =>
  Object.entries(sizes).reduce((sum, [name, bytes]) => (without.includes(name) ? sum : sum + bytes), 0);

/** Each table by how much it grew, the largest first; those that didn't are left out. */
export const growthOf = (before: TableBytes, after: TableBytes): [string, number][] =>
  Object.entries(after)
    .map(([name, bytes]): [string, number] => [name, bytes - (before[name] ?? 0)])
    .filter(([, bytes]) => bytes > 0)
    .sort(([, a], [, b]) => b - a);
