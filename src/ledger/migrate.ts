import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import { WaybillError } from '../errors.js';
import type { Queryable } from './pool.js';

const MIGRATIONS_DIR = fileURLToPath(new URL('../../migrations', import.meta.url));

/** Brings the schema up to this release, with the owner's rights. Forward only; two callers at once are safe. */
export async function migrate(adminUrl: string, log: (line: string) => void = () => {}): Promise<string[]> {
  const done = await runner({
    databaseUrl: adminUrl,
    dir: `${MIGRATIONS_DIR}/*.sql`,
    useGlob: true,
    direction: 'up',
    schema: 'waybill',
    createSchema: true,
    migrationsSchema: 'waybill',
    migrationsTable: 'migrations',
    createMigrationsSchema: true,
    advisoryLockMode: 'wait',
    logger: { debug: () => {}, info: () => {}, warn: log, error: log },
  });
  return done.map((m) => m.name);
}

export interface SchemaState {
  readonly missing: readonly string[];
  /** In the database, not in this release: a newer release has been here. */
  readonly unknown: readonly string[];
  readonly unknownBreaking: readonly string[];
}

export async function schemaState(db: Queryable): Promise<SchemaState> {
  const ours = (await readdir(MIGRATIONS_DIR)).filter((f) => f.endsWith('.sql')).map((f) => f.slice(0, -4));
  const { rows: present } = await db.query<{ there: boolean }>(
    `SELECT to_regclass('waybill.migrations') IS NOT NULL AS there`,
  );
  const { rows } = present[0]?.there
    ? await db.query<{ name: string }>('SELECT name FROM waybill.migrations')
    : { rows: [] };
  const theirs = new Set(rows.map((r) => r.name));
  const unknown = [...theirs].filter((name) => !ours.includes(name));
  return {
    missing: ours.filter((name) => !theirs.has(name)).sort(),
    unknown,
    unknownBreaking: unknown.filter((name) => name.endsWith('-breaking')),
  };
}

/**
 * Refuses to go on with a schema this release can't work with.
 * @throws WaybillError `migration_missing`, `migration_unknown` (only for breaking ones: a newer release that
 * added to the schema leaves this one able to run, so that a roll-back works).
 */
export async function assertSchema(db: Queryable): Promise<SchemaState> {
  const state = await schemaState(db);
  if (state.missing.length > 0) {
    throw new WaybillError(
      'migration_missing',
      `missing: ${state.missing.join(', ')}; run \`waybill setup\``,
    );
  }
  if (state.unknownBreaking.length > 0) {
    throw new WaybillError('migration_unknown', `unknown and breaking: ${state.unknownBreaking.join(', ')}`);
  }
  return state;
}
