import { createHash } from 'node:crypto';
import type { Queryable } from './pool.js';

/**
 * Where payload bytes are kept. `load` answers the exact bytes as published, or null where they are gone; a
 * store in trouble throws, which is our fault and never the subscriber's.
 */
export interface PayloadStore {
  load(eventId: number): Promise<Uint8Array | null>;
}

export const postgresPayloads = (db: Queryable): PayloadStore => ({
  async load(eventId) {
    const { rows } = await db.query<{ bytes: Buffer }>(
      'SELECT bytes FROM waybill.event_payloads WHERE event_id = $1',
      [eventId],
    );
    return rows[0]?.bytes ?? null;
  },
});

/**
 * The verified bytes of an event, or null where they are gone or no longer have their digest. Verified bytes
 * are cached by digest up to `maxBytes`, oldest use out first: a fan-out reads its payload once per worker.
 */
export function verifiedPayloads(
  store: PayloadStore,
  maxBytes: number,
): (event: { readonly id: number; readonly digest: string }) => Promise<Uint8Array | null> {
  const cache = new Map<string, Uint8Array>();
  const loading = new Map<string, Promise<Uint8Array | null>>();
  let cachedBytes = 0;

  const load = async (event: {
    readonly id: number;
    readonly digest: string;
  }): Promise<Uint8Array | null> => {
    const bytes = await store.load(event.id);
    if (bytes === null || createHash('sha256').update(bytes).digest('hex') !== event.digest) return null;
    if (bytes.byteLength <= maxBytes && !cache.has(event.digest)) {
      cache.set(event.digest, bytes);
      cachedBytes += bytes.byteLength;
      for (const [oldest, old] of cache) {
        if (cachedBytes <= maxBytes) break;
        cache.delete(oldest);
        cachedBytes -= old.byteLength;
      }
    }
    return bytes;
  };

  return async (event) => {
    const cached = cache.get(event.digest);
    if (cached) {
      cache.delete(event.digest);
      cache.set(event.digest, cached);
      return cached;
    }
    const id = `${event.id}:${event.digest}`;
    const running = loading.get(id) ?? load(event).finally(() => loading.delete(id));
    loading.set(id, running);
    return running;
  };
}
