import { faultInTimes, longestStopMs, type WorkerTimes } from '../policy/times.js';
import { schemaState } from '../ledger/migrate.js';
import { makePool, type Queryable } from '../ledger/pool.js';
import { longestDeadline } from '../ledger/subscribers.js';
import {
  authContext,
  headersContext,
  makeSealer,
  secretContext,
  tlsContext,
  urlContext,
  type SealKeys,
} from '../wire/seal.js';
import { failed, notChecked, type Check } from './doctor-check.js';

const ACQUIRE_MS = 5_000;
const STATEMENT_MS = 10_000;
const SETUP = 'run `waybill setup` with WAYBILL_ADMIN_DATABASE_URL';

type Look = (db: Queryable) => Promise<Omit<Check, 'name'>>;

/** What of the settings the database is held against; undefined where they can't be read. */
interface Settings {
  readonly keys: SealKeys | undefined;
  readonly times: WorkerTimes | undefined;
}

/** Checks of Postgres, each on its own: database, migrations, rights, partitions, stored secrets, times. */
export async function diagnoseDatabase(url: string | undefined, { keys, times }: Settings): Promise<Check[]> {
  const looks: readonly (readonly [string, Look, string])[] = [
    ['migrations', lookAtMigrations, SETUP],
    ['rights', lookAtRights, SETUP],
    ['partitions', lookAtPartitions, SETUP],
    ['stored secrets', (db) => lookAtSecrets(db, keys), SETUP],
    ['times', (db) => lookAtTimes(db, times), SETUP],
  ];
  const mend = 'is Postgres up, and WAYBILL_DATABASE_URL right?';
  const without = (check: Check): Check[] => [
    check,
    ...looks.map(([name]) => notChecked(name, 'the database')),
  ];
  if (!url) return without(failed('database', new Error('WAYBILL_DATABASE_URL is not set'), 'set it'));
  const pool = makePool({
    url,
    max: 1,
    acquireTimeoutMs: ACQUIRE_MS,
    statementTimeoutMs: STATEMENT_MS,
    applicationName: 'waybill-doctor',
  });
  try {
    const checks = [{ name: 'database', ...(await lookAtDatabase(pool)) }];
    for (const [name, look, how] of looks) {
      checks.push(
        await look(pool).then(
          (seen) => ({ ...seen, name }),
          (error: unknown) => failed(name, error, how),
        ),
      );
    }
    return checks;
  } catch (error) {
    return without(failed('database', error, mend));
  } finally {
    await pool.end();
  }
}

async function lookAtDatabase(db: Queryable): Promise<Omit<Check, 'name'>> {
  const { rows } = await db.query<{ version: string; role: string }>(
    `SELECT current_setting('server_version') AS version, current_user AS role`,
  );
  return { ok: true, found: `PostgreSQL ${rows[0]?.version}, as ${rows[0]?.role}` };
}

async function lookAtMigrations(db: Queryable): Promise<Omit<Check, 'name'>> {
  const { missing, unknown, unknownBreaking } = await schemaState(db);
  if (missing.length > 0) return { ok: false, found: `missing: ${missing.join(', ')}`, mend: SETUP };
  if (unknownBreaking.length > 0) {
    const found = `the database holds what this release can't work with: ${unknownBreaking.join(', ')}`;
    return { ok: false, found, mend: 'use the newer release that made them' };
  }
  if (unknown.length > 0)
    return { ok: true, found: `all there; of a newer release besides: ${unknown.join(', ')}` };
  return { ok: true, found: 'all there' };
}

const APPEND_ONLY = ['attempt_intents', 'attempt_outcomes', 'audit'] as const;

/** What was tried and what was done can't be rewritten by the application, nor in any partition of it. */
async function lookAtRights(db: Queryable): Promise<Omit<Check, 'name'>> {
  const { rows } = await db.query<{ name: string; rights: string }>(
    `SELECT c.relname AS name, string_agg(p.verb, ', ' ORDER BY p.verb) AS rights
      FROM pg_class c
      JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'waybill'
      CROSS JOIN unnest(ARRAY['UPDATE', 'DELETE', 'TRUNCATE']) AS p(verb)
      WHERE c.relkind IN ('r', 'p') AND c.relname ~ ('^(' || array_to_string($1::text[], '|') || ')(_\\d{4}_\\d{2})?$')
        AND (has_table_privilege(c.oid, p.verb)
          OR (p.verb = 'UPDATE' AND has_any_column_privilege(c.oid, 'UPDATE')))
      GROUP BY c.relname ORDER BY c.relname`,
    [APPEND_ONLY],
  );
  if (rows.length > 0) {
    return {
      ok: false,
      found: `the role may change what must only grow: ${rows.map((r) => `${r.name} (${r.rights})`).join(', ')}`,
      mend: 'connect as a member of waybill_app that is neither a superuser nor the owner of the schema',
    };
  }
  const { rows: lacking } = await db.query<{ what: string }>(
    `SELECT 'schema USAGE' AS what WHERE NOT has_schema_privilege('waybill', 'USAGE')
      UNION ALL
      SELECT format('%s on %s', verb, t) FROM unnest($1::text[]) AS t, unnest(ARRAY['SELECT', 'INSERT']) AS verb
        WHERE NOT has_table_privilege('waybill.' || t, verb)
      UNION ALL
      SELECT format('%s on %s', verb, t) FROM unnest($2::text[]) AS t, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE']) AS verb
        WHERE NOT has_table_privilege('waybill.' || t, verb)
      UNION ALL
      SELECT 'EXECUTE on ' || p.proname FROM pg_proc p
        WHERE p.pronamespace = 'waybill'::regnamespace AND NOT has_function_privilege(p.oid, 'EXECUTE')`,
    [
      [...APPEND_ONLY, 'event_payloads', 'events'],
      ['obligations', 'gates', 'subscribers', 'outbox'],
    ],
  );
  return lacking.length === 0
    ? { ok: true, found: `${APPEND_ONLY.join(', ')} can be added to, not changed` }
    : {
        ok: false,
        found: `the role lacks ${lacking.map((row) => row.what).join(', ')}`,
        mend: 'GRANT waybill_app TO it',
      };
}

async function lookAtPartitions(db: Queryable): Promise<Omit<Check, 'name'>> {
  const { rows } = await db.query<{ name: string }>(
    `SELECT t || '_' || to_char(month, 'YYYY_MM') AS name
      FROM unnest($1::text[]) AS t,
        generate_series(date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC'),
          date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC') + interval '1 month', interval '1 month') AS month
      WHERE NOT EXISTS (SELECT FROM pg_inherits
        WHERE inhrelid = to_regclass('waybill.' || t || '_' || to_char(month, 'YYYY_MM')))
      ORDER BY 1`,
    [[...APPEND_ONLY, 'response_excerpts']],
  );
  if (rows.length === 0) return { ok: true, found: 'this month and the next have theirs' };
  const found = `missing: ${rows.map((row) => row.name).join(', ')}`;
  return { ok: false, found, mend: `${SETUP}; a running worker makes them, too` };
}

/** The settings of this environment; those of the workers should be the same. */
async function lookAtTimes(db: Queryable, times: WorkerTimes | undefined): Promise<Omit<Check, 'name'>> {
  if (!times) return notChecked('', 'WAYBILL_DRAIN_MS and WAYBILL_LEASE_MARGIN_MS');
  const longest = await longestDeadline(db);
  const fault = faultInTimes(times, longest);
  if (fault !== undefined) {
    const mend =
      'raise WAYBILL_DRAIN_MS, or lower the deadline: waybill subscriber update --policy timeoutMs=...';
    return { ok: false, found: `WAYBILL_DRAIN_MS: ${fault}`, mend };
  }
  const stop = `a worker stops within ${longestStopMs(times)} ms`;
  if (!longest) return { ok: true, found: `${stop}; there is no subscriber yet` };
  return { ok: true, found: `${stop} and cuts no send: the longest deadline is ${longest.timeoutMs} ms` };
}

/** One URL and one secret of each key that sealed any: enough to know whether the keys are the right ones. */
/** What is sealed, and what each is bound to. */
const CONTEXTS = {
  secret: secretContext,
  url: urlContext,
  headers: headersContext,
  auth: authContext,
  tls: tlsContext,
} as const;

async function lookAtSecrets(db: Queryable, keys: SealKeys | undefined): Promise<Omit<Check, 'name'>> {
  if (!keys) return notChecked('', 'WAYBILL_KEYS');
  const { rows } = await db.query<{ kind: keyof typeof CONTEXTS; id: string; key: string; sealed: string }>(
    `SELECT DISTINCT ON (kind, key) kind, id, sealed, key FROM (
        SELECT 'secret' AS kind, id, sealed, split_part(sealed, '.', 2) AS key
          FROM waybill.subscriber_secrets WHERE expires_at IS NULL OR expires_at > clock_timestamp()
        UNION ALL
        SELECT x.kind, s.id, x.sealed, split_part(x.sealed, '.', 2)
          FROM waybill.subscribers s CROSS JOIN LATERAL (VALUES ('url', url_sealed), ('headers', headers_sealed),
            ('auth', auth_sealed), ('tls', tls_sealed)) AS x (kind, sealed)
          WHERE s.state = 'live' AND x.sealed IS NOT NULL) AS stored
      ORDER BY kind, key`,
  );
  const { open } = makeSealer(keys);
  const faults = rows.flatMap(({ kind, id, key, sealed }) => {
    try {
      open(sealed, CONTEXTS[kind](id));
      return [];
    } catch (error) {
      return [`${kind} sealed with key ${key}: ${error instanceof Error ? error.message : String(error)}`];
    }
  });
  if (faults.length > 0) {
    const mend = 'put the keys that sealed them back into WAYBILL_KEYS, after the one that seals now';
    return { ok: false, found: faults.join('; '), mend };
  }
  const used = [...new Set(rows.map((row) => row.key))].sort();
  return {
    ok: true,
    found: rows.length === 0 ? 'none is stored yet' : `what ${used.join(', ')} sealed opens`,
  };
}
