import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { freePorts } from './ports.js';
import { ensureCluster, endOrphan, type Passwords } from './postgres-cluster.js';
import { postgresPrograms } from './postgres-programs.js';
import { supervise, type Supervised } from './supervised.js';
import { isCode } from './system-error.js';
import { waitUntil } from './wait-until.js';

/** Crash recovery after a kill is part of it. */
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 20_000;
const PORT_ATTEMPTS = 3;
/** A port that somebody took meanwhile, or a killed postmaster's children that still hold its memory. */
const NOT_YET = /Address already in use|pre-existing shared memory block/;
/** "the database system is starting up" */
const STARTING_UP = '57P03';

const DATABASE = 'waybill';
const APP_ROLE = 'waybill';
/** The group role that migrations grant to; they create it too, whichever of us comes first. */
const APP_GROUP = 'waybill_app';

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  log_checkpoints: 'off',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
};
const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

export interface PostgresOptions {
  /** Holds `postgres/` (the cluster), `passwords` and `postgres.log`. The caller has it locked for itself. */
  dataDir: string;
  /** False trades safety against power loss for speed: for tests. */
  durable: boolean;
  /** A free one when unset. */
  port?: number | undefined;
  signal?: AbortSignal | undefined;
}

export interface RunningPostgres {
  port: number;
  /** Superuser `postgres`, database `waybill`. */
  adminUrl: string;
  /** Login role `waybill`, a member of `waybill_app`, database `waybill`. */
  appUrl: string;
  process: Supervised;
  stop(): Promise<void>;
}

/**
 * Starts the cluster in the data folder, made at first use, on a free port of 127.0.0.1, with both roles and the
 * database. A postmaster that a killed launcher left in this folder is ended first.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const { dataDir, durable, signal } = options;
  const programs = await postgresPrograms();
  const cluster = await ensureCluster(programs, dataDir);
  await endOrphan(cluster.folder);
  const settings = { ...SETTINGS, ...(durable ? {} : NOT_DURABLE) };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const logFile = join(dataDir, 'postgres.log');
  const launch = async (port: number) => {
    const log = openSync(logFile, 'w', 0o600);
    try {
      return await supervise({
        name: 'postgres',
        command: programs.postgres,
        args: ['-D', cluster.folder, '-p', String(port), ...flags],
        env: { ...process.env, LC_ALL: 'C', PGDATA: undefined },
        cwd: '/',
        runAs: programs.runAs,
        output: { fd: log },
        stopSignal: 'SIGINT',
        stopTimeoutMs: STOP_TIMEOUT_MS,
        wholeGroup: false,
      });
    } finally {
      closeSync(log);
    }
  };
  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? ((await freePorts(1)) as [number])[0];
    const server = await launch(port);
    try {
      await waitUntilReady(server, urlFor(port, 'postgres', cluster.passwords.admin, 'postgres'), signal);
      await ensureRolesAndDatabase(port, cluster.passwords);
      return {
        port,
        adminUrl: urlFor(port, 'postgres', cluster.passwords.admin, DATABASE),
        appUrl: urlFor(port, APP_ROLE, cluster.passwords.app, DATABASE),
        process: server,
        stop: () => server.stop(),
      };
    } catch (error) {
      await server.stop();
      const log = readFileSync(logFile, 'utf8');
      if (attempt < PORT_ATTEMPTS && NOT_YET.test(log)) continue;
      if (signal?.aborted) throw error;
      throw new Error(`Postgres did not start (${(error as Error).message}).\n${tail(log)}`, {
        cause: error,
      });
    }
  }
}

async function waitUntilReady(
  server: Supervised,
  url: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  let ended = false;
  void server.exited.then(() => (ended = true));
  const answers = async () => {
    if (ended) throw new Error('it ended at once');
    try {
      await withClient(url, (client) => client.query('SELECT 1'));
      return true;
    } catch (error) {
      if (isCode(error, 'ECONNREFUSED', 'ECONNRESET', STARTING_UP)) return false;
      throw error;
    }
  };
  await waitUntil('Postgres accepts connections', START_TIMEOUT_MS, answers, signal);
}

async function ensureRolesAndDatabase(port: number, passwords: Passwords): Promise<void> {
  await withClient(urlFor(port, 'postgres', passwords.admin, 'postgres'), async (client) => {
    const exists = async (catalog: 'pg_roles' | 'pg_database', name: string) => {
      const column = catalog === 'pg_roles' ? 'rolname' : 'datname';
      return (await client.query(`SELECT 1 FROM ${catalog} WHERE ${column} = $1`, [name])).rowCount === 1;
    };
    const app = pg.escapeIdentifier(APP_ROLE);
    if (!(await exists('pg_roles', APP_ROLE))) await client.query(`CREATE ROLE ${app} LOGIN`);
    await client.query(`ALTER ROLE ${app} PASSWORD ${pg.escapeLiteral(passwords.app)}`);
    if (!(await exists('pg_roles', APP_GROUP))) await client.query(`CREATE ROLE ${APP_GROUP} NOLOGIN`);
    await client.query(`GRANT ${APP_GROUP} TO ${app}`);
    if (!(await exists('pg_database', DATABASE))) await client.query(`CREATE DATABASE ${DATABASE}`);
  });
}

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

function urlFor(port: number, user: string, password: string, database: string): string {
  return `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;
}

/** The last lines of a log, for an error that has to explain itself. */
export function tail(log: string, lines = 15): string {
  return log.trimEnd().split('\n').slice(-lines).join('\n');
}
