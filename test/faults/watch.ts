import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { PROCESSES, type ProcessName } from '../kill/plan.js';
import type { Stage } from '../kill/stage.js';

/** What was seen of Waybill's processes and of their connections while a fault lasted. */
export interface Seen {
  readonly memoryMb: Readonly<Record<ProcessName, { readonly before: number; readonly after: number }>>;
  /** Of the process that wrote most; lines that tell of one delivery or act each (info and below) are not among them. */
  readonly logLinesPerSecond: number;
  /** Application connections that were idle in a transaction at once. */
  readonly idleInTransactionMax: number;
  /** Connections of the publisher's pool that waited for a lock at once. */
  readonly publisherWaitingMax: number;
}

export interface Watch {
  /** What was seen up to now; it looks no more. */
  end(): Promise<Seen>;
  stop(): void;
}

const LOOK_EVERY_MS = 150;
/** pino's number for "warn". */
const WARN = 40;

export function startWatch(stage: Stage): Watch {
  const startedMs = performance.now();
  const before = memory(stage);
  const sizes = new Map(PROCESSES.map((name) => [name, statSync(logOf(stage, name)).size]));
  const stopping = new AbortController();
  const peak = { idle: 0, waiting: 0 };
  const looking = look(stage.stack.adminUrl, peak, stopping.signal);
  return {
    stop: () => stopping.abort(),
    async end() {
      const seconds = (performance.now() - startedMs) / 1_000;
      const after = memory(stage);
      stopping.abort();
      const lines = PROCESSES.map((name) => troubleLines(logOf(stage, name), sizes.get(name) ?? 0));
      await looking;
      return {
        memoryMb: Object.fromEntries(
          PROCESSES.map((name) => [name, { before: before[name], after: after[name] }]),
        ) as Seen['memoryMb'],
        logLinesPerSecond: Math.round((Math.max(...lines) / Math.max(1, seconds)) * 10) / 10,
        idleInTransactionMax: peak.idle,
        publisherWaitingMax: peak.waiting,
      };
    },
  };
}

const logOf = (stage: Stage, name: ProcessName): string => join(stage.folder, `${name}.log`);

/** Resident, in MiB; 0 for a process that is gone. */
function memory(stage: Stage): Record<ProcessName, number> {
  const of = (name: ProcessName): number => {
    const member = stage.member(name);
    if (!member.isAlive()) return 0;
    const status = readFileSync(`/proc/${member.process.pid}/status`, 'utf8');
    return Math.round(Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1_024);
  };
  return Object.fromEntries(PROCESSES.map((name) => [name, of(name)])) as Record<ProcessName, number>;
}

function troubleLines(file: string, from: number): number {
  return readFileSync(file)
    .subarray(from)
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '' && !(levelOf(line) < WARN)).length;
}

/** Not a number where the line isn't one of ours. */
function levelOf(line: string): number {
  return Number(/^\{"level":(\d+)/.exec(line)?.[1] ?? NaN);
}

async function look(
  url: string,
  peak: { idle: number; waiting: number },
  signal: AbortSignal,
): Promise<void> {
  let client: pg.Client | undefined;
  while (!signal.aborted) {
    try {
      client ??= await connected(url);
      const { rows } = await client.query<{ idle: number; waiting: number }>(
        `SELECT count(*) FILTER (WHERE state LIKE 'idle in transaction%')::int AS idle,
            count(*) FILTER (WHERE wait_event_type = 'Lock' AND application_name = 'waybill-client')::int AS waiting
          FROM pg_stat_activity WHERE application_name LIKE 'waybill%'`,
      );
      peak.idle = Math.max(peak.idle, rows[0]?.idle ?? 0);
      peak.waiting = Math.max(peak.waiting, rows[0]?.waiting ?? 0);
    } catch {
      // The database is away, as it is meant to be: there is no connection to look at.
      await client?.end().catch(() => undefined);
      client = undefined;
    }
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
  await client?.end().catch(() => undefined);
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    ...{ connectionString: url, connectionTimeoutMillis: 2_000, query_timeout: 5_000 },
    application_name: 'proof-faults-watch',
  });
  client.on('error', () => undefined); // the next query rejects
  await client.connect();
  return client;
}
