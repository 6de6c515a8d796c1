import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import pg from 'pg';
import { inject } from 'vitest';
import { migrate } from '../../src/ledger/migrate.js';
import { makePool } from '../../src/ledger/pool.js';

/** A database of a test file's own, with the schema of this release. */
export interface TestDatabase {
  /** The schema owner's. */
  readonly adminUrl: string;
  /** The application role's. */
  readonly url: string;
  readonly pool: pg.Pool;
  /** With the owner's rights: for looking at, or breaking, what the application can't. */
  readonly admin: pg.Pool;
  drop(): Promise<void>;
}

const MIGRATIONS = new URL('../../migrations/', import.meta.url);

/** Cloned from a template that the first caller of a run makes; a clone takes a tenth of a second. */
export async function freshDatabase(): Promise<TestDatabase> {
  const server = new pg.Client({ connectionString: inject('adminUrl') });
  await server.connect();
  const name = `t_${randomBytes(6).toString('hex')}`;
  try {
    const template = await ensureTemplate(server);
    await server.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  } finally {
    await server.end();
  }
  const adminUrl = inDatabase(inject('adminUrl'), name);
  const url = inDatabase(inject('appUrl'), name);
  const pool = makePool({ url, max: 20 });
  const admin = makePool({ url: adminUrl, max: 2 });
  return {
    adminUrl,
    url,
    pool,
    admin,
    async drop() {
      await pool.end();
      await admin.end();
      const client = new pg.Client({ connectionString: inject('adminUrl') });
      await client.connect();
      await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await client.end();
    },
  };
}

/** An empty database: for tests of the set-up itself. */
export async function emptyDatabase(): Promise<{ adminUrl: string; url: string; drop: () => Promise<void> }> {
  const name = `e_${randomBytes(6).toString('hex')}`;
  const run = async (sql: string): Promise<void> => {
    const client = new pg.Client({ connectionString: inject('adminUrl') });
    await client.connect();
    await client.query(sql);
    await client.end();
  };
  await run(`CREATE DATABASE ${name}`);
  return {
    adminUrl: inDatabase(inject('adminUrl'), name),
    url: inDatabase(inject('appUrl'), name),
    drop: () => run(`DROP DATABASE ${name} WITH (FORCE)`),
  };
}

async function ensureTemplate(server: pg.Client): Promise<string> {
  const hash = createHash('sha256');
  for (const file of readdirSync(MIGRATIONS).sort()) hash.update(readFileSync(new URL(file, MIGRATIONS)));
  const name = `template_${hash.digest('hex').slice(0, 12)}`;
  await server.query('SELECT pg_advisory_lock(7041)');
  try {
    const { rowCount } = await server.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (!rowCount) {
      const half = `${name}_half`;
      await server.query(`DROP DATABASE IF EXISTS ${half} WITH (FORCE)`);
      await server.query(`CREATE DATABASE ${half}`);
      await migrate(inDatabase(inject('adminUrl'), half));
      await server.query(`ALTER DATABASE ${half} RENAME TO ${name}`);
    }
  } finally {
    await server.query('SELECT pg_advisory_unlock(7041)');
  }
  return name;
}

function inDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
