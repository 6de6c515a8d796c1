import type pg from 'pg';
import type { Role } from '../../demo/cast.js';
import { waitUntil } from '../../scripts/stack/wait-until.js';
import { WaybillClient } from '../../src/client.js';
import { loadConfig } from '../../src/config.js';
import { newSecret } from '../../src/wire/sign.js';
import type { Stage } from './stage.js';
import type { Stand } from './removals.js';

export const ACCOUNT = 'proof-reconcile';
/** Longer than any run: what has failed once waits until it is made due by hand. */
const RETRY_MS = 3_600_000;
const RELAYED = 2;
const UNRELAYED = 2;
const ADD_AT_ONCE = 500;

interface Player {
  readonly name: string;
  readonly role: Role;
  readonly paused: boolean;
}

export interface PublishedEvent {
  readonly eventId: number;
  readonly shipment: string;
}

/** Subscribers, the events they are owed, and the person who pauses, mends and resumes. */
export interface Scene {
  readonly client: WaybillClient;
  /** Published while everything worked. */
  readonly relayed: readonly PublishedEvent[];
  /** Keys of the relayed events' obligations by where they stand. */
  keysByStand(): Promise<Record<Stand, string[]>>;
  /** Publishes the events that no relay takes up. */
  publishUnrelayed(): Promise<PublishedEvent[]>;
  /** Every endpoint behaves, every pause is over. */
  mend(): Promise<void>;
  close(): Promise<void>;
}

interface Deps {
  readonly stage: Stage;
  readonly admin: pg.Pool;
  readonly size: number;
  readonly patienceMs: number;
  readonly signal: AbortSignal;
}

/** Of five subscribers one is paused, two refuse everything until they are mended, two are healthy. */
const playersOf = (size: number): Player[] =>
  Array.from({ length: size }, (_, i) => {
    const role = i % 5 === 1 || i % 5 === 2 ? 'hopeless' : 'healthy';
    return { role, name: `${role}-${String(i).padStart(4, '0')}`, paused: i % 5 === 0 };
  });

/** Sets up the subscribers, publishes the first events, and waits until each obligation stands where it is to stand. */
export async function openScene({ stage, admin, size, patienceMs, signal }: Deps): Promise<Scene> {
  const client = new WaybillClient({
    ...{ account: ACCOUNT, actor: 'proof', config: loadConfig({ ...process.env, ...stage.env }) },
  });
  try {
    const players = playersOf(size);
    const secrets = Object.fromEntries(players.map(({ name }) => [name, newSecret()]));
    await stage.tellSecrets(secrets);
    for (let i = 0; i < players.length; i += ADD_AT_ONCE)
      await client.addSubscribers(
        players.slice(i, i + ADD_AT_ONCE).map(({ name, role }) => ({
          name,
          url: `https://127.0.0.1:${stage.receiverPort}/${role}/${name}`,
          secret: secrets[name] ?? '',
          policy: { firstRetryMs: RETRY_MS, ceilingMs: RETRY_MS, maxTries: 12 },
        })),
      );
    const paused = players.filter((p) => p.paused);
    const each = async (verb: 'pause' | 'resume'): Promise<void> => {
      for (const { name } of paused)
        await client.actOnSubscriber(verb, name, { actor: 'proof', reason: 'maintenance' });
    };
    await each('pause');
    const publish = async (from: number, count: number): Promise<PublishedEvent[]> => {
      const events: PublishedEvent[] = [];
      for (let i = from; i < from + count; i += 1) {
        const shipment = `proof-${i}`;
        const payload = JSON.stringify({ shipment });
        const { eventId } = await client.publish({
          ...{ shipment, version: 1, type: 'shipment.late', payload, contentType: 'application/json' },
        });
        events.push({ eventId, shipment });
      }
      return events;
    };
    const relayed = await publish(0, RELAYED);
    const settled = async (): Promise<boolean> => {
      const { rows } = await admin.query<{ settled: number }>(
        `SELECT count(*)::int AS settled FROM waybill.obligations o JOIN waybill.events e ON e.id = o.event_id
          WHERE e.started_at IS NOT NULL AND (o.disposition IN ('delivered', 'waiting')
            OR (o.disposition = 'pending' AND EXISTS (SELECT FROM waybill.gates g
              WHERE g.subscriber_id = o.subscriber_id AND g.paused_at IS NOT NULL)))
            AND NOT EXISTS (SELECT FROM waybill.outbox)`,
      );
      return rows[0]?.settled === RELAYED * size;
    };
    await waitUntil('every obligation stands where it is to stand', patienceMs, settled, signal);
    return {
      ...{ client, relayed },
      keysByStand: async () => {
        const { rows } = await admin.query<{ stand: Stand; keys: string[] }>(
          'SELECT disposition AS stand, array_agg(key ORDER BY key) AS keys FROM waybill.obligations GROUP BY 1',
        );
        const found = Object.fromEntries(rows.map(({ stand, keys }) => [stand, keys]));
        return { pending: [], waiting: [], delivered: [], ...found };
      },
      publishUnrelayed: () => publish(RELAYED, UNRELAYED),
      mend: async () => {
        await stage.mend(players.filter((p) => p.role === 'hopeless').map((p) => p.name));
        await each('resume');
      },
      close: () => client.close(),
    };
  } catch (error) {
    await client.close();
    throw error;
  }
}
