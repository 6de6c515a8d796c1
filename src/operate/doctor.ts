import { loadConfig, type Config } from '../config.js';
import { WaybillError } from '../errors.js';
import { reachProxy } from '../wire/proxy-dial.js';
import { usualContext } from '../wire/trust.js';
import { parseKeys, type SealKeys } from '../wire/seal.js';
import { failed, notChecked, type Check } from './doctor-check.js';
import { diagnoseDatabase } from './doctor-database.js';
import { diagnoseTemporal } from './doctor-temporal.js';

export type { Check };
export type Env = Readonly<Record<string, string | undefined>>;

/**
 * Looks at everything Waybill needs and changes nothing. Every check stands in the answer whatever happens to the
 * others; one that depends on a failed one fails as "not checked". Bounded: about 30 seconds where nothing answers.
 */
export async function diagnose(env: Env): Promise<Check[]> {
  const keys = readKeys(env);
  const { config, faults } = readConfig(env);
  const [database, temporal, proxy] = await Promise.all([
    diagnoseDatabase(env['WAYBILL_DATABASE_URL'], {
      keys: keys instanceof Error ? undefined : keys,
      times: faults.some(({ field }) => field !== undefined && OF_TIMES.has(field)) ? undefined : config,
    }),
    diagnoseTemporal(),
    diagnoseProxy(env),
  ]);
  return [
    checkNode(process.versions.node),
    checkConfiguration(faults),
    checkKeys(keys),
    ...proxy,
    ...database,
    ...temporal,
  ];
}

const OLDEST_NODE = [20, 20] as const;

function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const ok = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
  const check = { name: 'node', ok, found: version };
  return ok ? check : { ...check, mend: `install Node ${OLDEST_NODE.join('.')} or later` };
}

/** What the check of the times stands on. */
const OF_TIMES: ReadonlySet<string> = new Set(['WAYBILL_DRAIN_MS', 'WAYBILL_LEASE_MARGIN_MS']);

function checkConfiguration(faults: readonly WaybillError[]): Check {
  if (faults.length === 0) return { name: 'configuration', ok: true, found: 'every setting can be used' };
  return {
    name: 'configuration',
    ok: false,
    found: faults.map((fault) => fault.message).join('; '),
    mend: `set ${faults.map((fault) => fault.field).join(', ')} as docs/configuration.md says`,
  };
}

/**
 * All faults, not just the first: each is taken out of the environment before the next look; and what is left, in
 * which defaults stand for them.
 */
function readConfig(env: Env): { config: Config; faults: WaybillError[] } {
  const faults: WaybillError[] = [];
  const left: Record<string, string | undefined> = { ...env };
  for (;;) {
    try {
      return { config: loadConfig(left), faults };
    } catch (error) {
      if (!(error instanceof WaybillError) || error.field === undefined) throw error;
      if (faults.some((fault) => fault.field === error.field)) throw error;
      faults.push(error);
      left[error.field] = error.field === 'WAYBILL_DATABASE_URL' ? 'postgres://' : undefined;
    }
  }
}

const PROXY_MS = 5_000;

/** Only where one is set. It is connected to and asked nothing, so its opinion of our credentials stays unknown. */
async function diagnoseProxy(env: Env): Promise<Check[]> {
  const name = 'egress proxy';
  let config: Config;
  try {
    config = loadConfig({ ...env, WAYBILL_DATABASE_URL: 'postgres://' });
  } catch {
    return env['WAYBILL_EGRESS_PROXY'] ? [notChecked(name, 'the configuration')] : [];
  }
  const { egressProxy, extraCaPem } = config;
  if (!egressProxy) return [];
  try {
    await reachProxy(egressProxy, usualContext(extraCaPem), PROXY_MS);
    return [{ name, ok: true, found: `${egressProxy.origin} takes connections` }];
  } catch (error) {
    const { ok, found, mend } = failed(name, error, 'is it up, and is WAYBILL_EGRESS_PROXY right?');
    return [{ name, ok, found: `${egressProxy.origin}: ${found}`, ...(mend === undefined ? {} : { mend }) }];
  }
}

function readKeys(env: Env): SealKeys | Error {
  if (!env['WAYBILL_KEYS']) return new Error('WAYBILL_KEYS is not set');
  try {
    return parseKeys(env['WAYBILL_KEYS']);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function checkKeys(keys: SealKeys | Error): Check {
  if (keys instanceof Error) {
    return failed(
      'keys',
      keys,
      'set WAYBILL_KEYS to <id>:<base64 of 32 random bytes>: openssl rand -base64 32',
    );
  }
  const [sealing, ...others] = keys.keys();
  const found = `${sealing} seals${others.length > 0 ? `; ${others.join(', ')} can open` : ''}`;
  return { name: 'keys', ok: true, found };
}
