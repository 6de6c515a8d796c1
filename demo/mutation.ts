import { readFileSync } from 'node:fs';
import pg from 'pg';
import type { Mutation } from './options.js';

/**
 * Puts a broken ledger function in the place of the real one, with the owner's rights. There is no way back: the
 * database is one that is thrown away (demo/main.ts sees to that).
 */
export async function mutate(adminUrl: string, mutation: Mutation): Promise<void> {
  const sql = readFileSync(new URL(`mutations/${mutation}.sql`, import.meta.url), 'utf8');
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
