import pg from 'pg';
import { WaybillError } from '../errors.js';

/** What a statement runs on: our pool, or the caller's own client inside the caller's own transaction. */
export interface Queryable {
  query<R extends pg.QueryResultRow>(text: Statement, values?: unknown[]): Promise<pg.QueryResult<R>>;
}

/** A named statement is parsed and planned once for each connection. */
export type Statement = string | { readonly name: string; readonly text: string; readonly values: unknown[] };

export interface PoolSettings {
  readonly url: string;
  readonly max?: number;
  /** How long a caller waits for a free connection before `database_unavailable`. */
  readonly acquireTimeoutMs?: number;
  readonly statementTimeoutMs?: number;
  /** How long a statement waits for a lock before `database_unavailable`; as long as it may run when unset. */
  readonly lockTimeoutMs?: number;
  readonly applicationName?: string;
  /** Told of a connection that broke while idle; the pool replaces it by itself. */
  readonly onIdleError?: (error: Error) => void;
}

/** int8 columns are ids, versions up to 2^53-1 and byte counts: all of them exact as JavaScript numbers. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8
      ? Number
      : pg.types.getTypeParser(oid, format as 'text')) as pg.CustomTypesConfig['getTypeParser'],
};

/**
 * A bounded pool. A caller that gets no connection in time fails quickly and with a code instead of queueing
 * for ever, and no connection survives a broken transaction.
 */
export function makePool(settings: PoolSettings): pg.Pool {
  const pool = new pg.Pool({
    connectionString: settings.url,
    max: settings.max ?? 10,
    connectionTimeoutMillis: settings.acquireTimeoutMs ?? 5_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: settings.statementTimeoutMs ?? 30_000,
    query_timeout: (settings.statementTimeoutMs ?? 30_000) + 5_000,
    ...(settings.lockTimeoutMs === undefined ? {} : { lock_timeout: settings.lockTimeoutMs }),
    application_name: settings.applicationName ?? 'waybill',
    keepAlive: true,
    types,
  });
  pool.on('error', (error) => settings.onIdleError?.(error));
  return pool;
}

/**
 * The pool for calls that somebody waits for: one that isn't answered in time, be it that nothing comes over the wire any
 * more, fails as database trouble, and its connection ends. What it asked for may happen all the same.
 */
export const answeringWithin = (pool: pg.Pool, timeoutMs: number): Queryable => ({
  query: <R extends pg.QueryResultRow>(asked: Statement, values: unknown[] = []) => {
    const statement = typeof asked === 'string' ? { text: asked, values } : asked;
    const query = { ...statement, query_timeout: timeoutMs };
    return pool.query<R>(query);
  },
});

/** SQLSTATE classes that say "the database is in trouble", not "the statement is wrong". */
const TROUBLE = /^(08|53|57|58|25006|40001|40P01|55P03)/;

/** Whether the same call may succeed later, unchanged. Everything here is safe to repeat: see the ledger. */
export function isDatabaseTrouble(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof WaybillError) return error.code === 'database_unavailable';
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string') return TROUBLE.test(code) || /^E[A-Z_]+$/.test(code);
  return /timeout exceeded when trying to connect|Connection terminated|Query read timeout|Cannot use a pool after|connection error and is not queryable/.test(
    error.message,
  );
}

/** Runs `work` and turns database trouble into the coded error; other errors pass as they are. */
export async function coded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isDatabaseTrouble(error) || error instanceof WaybillError) throw error;
    throw new WaybillError('database_unavailable', undefined, { cause: error });
  }
}
