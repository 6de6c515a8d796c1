import { hostname } from 'node:os';
import { readFileSync } from 'node:fs';
import { WaybillError } from './errors.js';
import { DEFAULT_MAX_PAYLOAD_BYTES } from './intake/event-input.js';
import { TIME_BOUNDS } from './policy/times.js';
import { parseAllowList, type AllowList } from './wire/allow-list.js';
import { parseEgressProxy, type EgressProxy } from './wire/egress-proxy.js';
import { parseKeys, type SealKeys } from './wire/seal.js';
import type { WireOptions } from './wire/send.js';

/** What a process of Waybill runs with. Made once at start-up, checked whole, frozen. */
export interface Config {
  readonly databaseUrl: string;
  /** The schema owner's; only `waybill setup` needs it. */
  readonly adminDatabaseUrl: string | undefined;
  readonly poolMax: number;
  /** The first key seals, all of them open. */
  readonly keys: SealKeys | undefined;
  readonly allow: AllowList;
  readonly extraCaPem: string | undefined;
  /** All requests to subscribers leave through it. */
  readonly egressProxy: EgressProxy | undefined;
  readonly maxPayloadBytes: number;
  readonly leaseMarginMs: number;
  /** How long something must have stood still before reconciliation takes it for stuck. */
  readonly reconcileGraceMs: number;
  /** How long a worker that was told to stop lets running sends finish. */
  readonly drainMs: number;
  readonly concurrentSends: number;
  readonly concurrentRetries: number;
  /** Deliveries that large fan-outs start in a second in one worker, at most. */
  readonly fanOutPerSecond: number;
  readonly workerName: string;
  readonly temporalUiUrl: string | undefined;
  /** Where a worker shows its metrics; nowhere when unset. */
  readonly metricsAt: { readonly host: string; readonly port: number } | undefined;
  readonly logLevel: string;
}

export const SETTINGS = [
  ['WAYBILL_DATABASE_URL', 'Postgres, with the application role'],
  ['WAYBILL_ADMIN_DATABASE_URL', 'Postgres, with the schema owner; for `waybill setup` only'],
  ['WAYBILL_KEYS', 'keys that seal secrets at rest: `k1:<base64 of 32 bytes>,k0:...`, the first one seals'],
  ['WAYBILL_ALLOW', 'hosts and CIDRs that may be reached although not public https'],
  ['WAYBILL_EXTRA_CA_FILE', 'PEM file of certificate authorities trusted besides the well-known ones'],
  [
    'WAYBILL_EGRESS_PROXY',
    'proxy all requests to subscribers leave through: `http(s)://[user:password@]host:port`',
  ],
  ['WAYBILL_MAX_PAYLOAD_BYTES', `largest payload accepted (${DEFAULT_MAX_PAYLOAD_BYTES})`],
  ['WAYBILL_POOL_MAX', 'Postgres connections of one process (10)'],
  ['WAYBILL_LEASE_MARGIN_MS', 'time to settle in after the wire deadline (10000)'],
  ['WAYBILL_RECONCILE_GRACE_MS', 'how long it must stand still to be taken for stuck (120000)'],
  [
    'WAYBILL_DRAIN_MS',
    'how long running sends may finish at shutdown, at least the longest deadline and the lease margin (30000)',
  ],
  ['WAYBILL_CONCURRENT_SENDS', 'first attempts open at once in a worker (150)'],
  ['WAYBILL_CONCURRENT_RETRIES', 'retries open at once in a worker (50)'],
  ['WAYBILL_FAN_OUT_PER_SECOND', 'deliveries that large fan-outs start a second in a worker, at most (200)'],
  ['WAYBILL_WORKER_NAME', 'name of a worker in audit and logs (host and process id)'],
  ['WAYBILL_TEMPORAL_UI_URL', 'where people find Temporal UI, for links'],
  ['WAYBILL_METRICS', 'where a worker answers `GET /metrics`: `port` on loopback, or `host:port` (none)'],
  ['WAYBILL_LOG_LEVEL', 'trace, debug, info, warn, error, fatal or silent (info)'],
  ['TEMPORAL_ADDRESS', "and Temporal's other settings: its environment configuration and profiles"],
] as const;

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Reads the environment.
 * @throws WaybillError `config_invalid`, naming the variable and never its value.
 */
export function loadConfig(env: Env = process.env): Config {
  return Object.freeze({
    databaseUrl: required(env, 'WAYBILL_DATABASE_URL'),
    adminDatabaseUrl: env['WAYBILL_ADMIN_DATABASE_URL'] || undefined,
    poolMax: wholeNumber(env, 'WAYBILL_POOL_MAX', 10, 1, 500),
    keys: env['WAYBILL_KEYS'] ? read('WAYBILL_KEYS', () => parseKeys(env['WAYBILL_KEYS'] ?? '')) : undefined,
    allow: read('WAYBILL_ALLOW', () => parseAllowList(env['WAYBILL_ALLOW'] ?? '')),
    extraCaPem: env['WAYBILL_EXTRA_CA_FILE']
      ? read('WAYBILL_EXTRA_CA_FILE', () => readFileSync(env['WAYBILL_EXTRA_CA_FILE'] ?? '', 'utf8'))
      : undefined,
    egressProxy: env['WAYBILL_EGRESS_PROXY']
      ? read('WAYBILL_EGRESS_PROXY', () => parseEgressProxy(env['WAYBILL_EGRESS_PROXY'] ?? ''))
      : undefined,
    maxPayloadBytes: wholeNumber(
      env,
      'WAYBILL_MAX_PAYLOAD_BYTES',
      DEFAULT_MAX_PAYLOAD_BYTES,
      0,
      100 * 1_048_576,
    ),
    reconcileGraceMs: wholeNumber(env, 'WAYBILL_RECONCILE_GRACE_MS', 120_000, 0, 86_400_000),
    leaseMarginMs: wholeNumber(env, 'WAYBILL_LEASE_MARGIN_MS', 10_000, ...TIME_BOUNDS.leaseMarginMs),
    drainMs: wholeNumber(env, 'WAYBILL_DRAIN_MS', 30_000, ...TIME_BOUNDS.drainMs),
    concurrentSends: wholeNumber(env, 'WAYBILL_CONCURRENT_SENDS', 150, 1, 10_000),
    concurrentRetries: wholeNumber(env, 'WAYBILL_CONCURRENT_RETRIES', 50, 1, 10_000),
    fanOutPerSecond: wholeNumber(env, 'WAYBILL_FAN_OUT_PER_SECOND', 200, 1, 10_000),
    workerName: env['WAYBILL_WORKER_NAME'] || `${hostname()}/${process.pid}`,
    temporalUiUrl: env['WAYBILL_TEMPORAL_UI_URL'] || undefined,
    metricsAt: env['WAYBILL_METRICS']
      ? read('WAYBILL_METRICS', () => parseHostPort(env['WAYBILL_METRICS'] ?? ''))
      : undefined,
    logLevel: oneOf(env, 'WAYBILL_LOG_LEVEL', 'info', [
      'trace',
      'debug',
      'info',
      'warn',
      'error',
      'fatal',
      'silent',
    ]),
  });
}

/** `9464`, `0.0.0.0:9464` or `[::]:9464`. */
function parseHostPort(text: string): { host: string; port: number } {
  const [, host = '127.0.0.1', port = ''] = /^(?:(\[[0-9a-f:]+\]|[^\s:]+):)?(\d{1,5})$/i.exec(text) ?? [];
  if (port === '' || Number(port) > 65_535) throw new Error('must be a port or host:port');
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

/** How every request to a subscriber leaves, whoever makes it. */
export function wireOptions({ allow, extraCaPem, egressProxy }: Config): WireOptions {
  return {
    allow,
    ...(extraCaPem ? { extraCa: extraCaPem } : {}),
    ...(egressProxy ? { proxy: egressProxy } : {}),
  };
}

/** @throws WaybillError `config_invalid` where the process needs WAYBILL_KEYS and has none. */
export function requireKeys(config: Config): SealKeys {
  if (!config.keys) throw fault('WAYBILL_KEYS', 'is not set');
  return config.keys;
}

const fault = (name: string, why: string): WaybillError =>
  new WaybillError('config_invalid', `${name}: ${why}`, { field: name });

function required(env: Env, name: string): string {
  const value = env[name];
  if (!value) throw fault(name, 'is not set');
  return value;
}

function read<T>(name: string, how: () => T): T {
  try {
    return how();
  } catch (error) {
    throw fault(name, error instanceof Error ? error.message : String(error));
  }
}

function wholeNumber(env: Env, name: string, fallback: number, least: number, most: number): number {
  const text = env[name];
  if (text === undefined || text === '') return fallback;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most) {
    throw fault(name, `must be a whole number from ${least} to ${most}`);
  }
  return value;
}

function oneOf(env: Env, name: string, fallback: string, allowed: readonly string[]): string {
  const value = env[name] || fallback;
  if (!allowed.includes(value)) throw fault(name, `must be one of ${allowed.join(', ')}`);
  return value;
}
