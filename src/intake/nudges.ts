import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../watch/log.js';

const RECONNECT_MS = 1_000;
const RECONNECT_MAX_MS = 30_000;

export interface Nudges {
  /** Resolves at the next notification, after `ms`, or on abort. */
  within(ms: number, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/**
 * LISTENs on a connection of its own and takes a broken one up again, ever more slowly. Without it polling
 * goes on, so its trouble is only logged, once for each failure.
 */
export function listenForNudges(databaseUrl: string, log: Log): Nudges {
  const closing = new AbortController();
  let wake: () => void = () => {};
  let nudged = false;
  let client: pg.Client | undefined;

  const notified = (): void => {
    nudged = true;
    wake();
  };

  async function listen(): Promise<void> {
    let waitMs = RECONNECT_MS;
    while (!closing.signal.aborted) {
      const next = new pg.Client({
        connectionString: databaseUrl,
        application_name: 'waybill-relay',
        connectionTimeoutMillis: 5_000,
        keepAlive: true,
      });
      const ended = new Promise<void>((resolve) => next.once('end', resolve));
      next.on('error', (error) => log.warn({ err: error }, 'relay.listen_broken'));
      next.on('notification', notified);
      try {
        await next.connect();
        client = next;
        await next.query('LISTEN waybill_outbox');
        waitMs = RECONNECT_MS;
        notified();
        if (closing.signal.aborted) await next.end();
        await ended;
      } catch (error) {
        log.warn({ err: error, waitMs }, 'relay.listen_failed');
        await next.end().catch(() => undefined);
      }
      client = undefined;
      await sleep(waitMs, closing.signal);
      waitMs = Math.min(waitMs * 2, RECONNECT_MAX_MS);
    }
  }
  const listening = listen();

  return {
    async within(ms, signal) {
      if (!nudged) {
        const woken = new AbortController();
        wake = () => woken.abort();
        await sleep(ms, AbortSignal.any([signal, woken.signal]));
        wake = () => {};
      }
      nudged = false;
    },
    async close() {
      closing.abort();
      await client?.end();
      await listening;
    },
  };
}

const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  delay(ms, undefined, { signal }).catch(() => undefined);
