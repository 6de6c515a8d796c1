import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import type pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { obligationKey, type ObligationKey, type SubscriberId } from '../../src/contract.js';
import { actOnObligation } from '../../src/ledger/acts.js';
import { migrate } from '../../src/ledger/migrate.js';
import { ensurePartitions } from '../../src/ledger/partitions.js';
import { makePool } from '../../src/ledger/pool.js';
import { DEFAULT_POLICY } from '../../src/policy/delivery-policy.js';
import { emptyDatabase } from '../support/database.js';
import { claimGo, settle, settlement } from '../support/obligations.js';

/** Release -> how many of the migrations it had. */
const RELEASES = { '0.1.0': 5, '0.2.0': 6, '0.3.0': 8 } as const;
const MIGRATIONS = fileURLToPath(new URL('../../migrations/*.sql', import.meta.url));
const LEASE_MARGIN_MS = 10_000;

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** The schema as that release had it, and deliveries of four kinds by its own functions. */
async function keptBy(release: keyof typeof RELEASES) {
  const database = await emptyDatabase();
  const admin = makePool({ url: database.adminUrl, max: 2 });
  const pool = makePool({ url: database.url, max: 2 });
  closers.push(
    database.drop,
    () => admin.end(),
    () => pool.end(),
  );
  await runner({
    ...{ databaseUrl: database.adminUrl, dir: MIGRATIONS, useGlob: true, direction: 'up' },
    ...{ count: RELEASES[release], schema: 'waybill', createSchema: true },
    ...{ migrationsSchema: 'waybill', migrationsTable: 'migrations', createMigrationsSchema: true },
    logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
  });
  await ensurePartitions(admin);
  const id = 's1' as SubscriberId;
  await admin.query(
    `INSERT INTO waybill.subscribers
        (id, account, name, url_origin, url_sealed, event_types, policy, created_at, updated_at)
      VALUES ($1, 'kept', 'kept', 'https://localhost:1', 'sealed', '{*}', $2, now(), now())`,
    [id, DEFAULT_POLICY],
  );
  await admin.query('INSERT INTO waybill.gates (subscriber_id, max_concurrency) VALUES ($1, 8)', [id]);
  const publish = async (shipment: string): Promise<ObligationKey> => {
    await admin.query(
      `SELECT waybill.publish('kept', $1, 1, 'shipment.moved', 'application/json', '{}', NULL, NULL, NULL, '{}', 'test')`,
      [shipment],
    );
    await admin.query('SELECT waybill.match_event(id) FROM waybill.events WHERE shipment_id = $1', [
      shipment,
    ]);
    return obligationKey(shipment, id, 1);
  };
  const keys = {
    pending: await publish('pending'),
    underWay: await publish('under-way'),
    held: await publish('held'),
    delivered: await publish('delivered'),
  };
  for (const key of [keys.underWay, keys.delivered])
    await admin.query(`SELECT waybill.claim(ARRAY[$1], '{0}', '{1}', '{run}', 'old', $2)`, [
      key,
      LEASE_MARGIN_MS,
    ]);
  const answered = settlement(keys.delivered, 1, 'delivered', { to: 'delivered' });
  await admin.query(`SELECT waybill.settle($1, 'old')`, [JSON.stringify([answered])]);
  await admin.query(`SELECT waybill.act('kept', $1, 'pause', 'ann', 'drill', 'r1', 'client')`, [keys.held]);
  return { admin, pool, keys, adminUrl: database.adminUrl };
}

const dispositionsIn = async (db: pg.Pool): Promise<Record<string, string>> => {
  const { rows } = await db.query<{ shipment: string; disposition: string }>(
    `SELECT e.shipment_id AS shipment, o.disposition FROM waybill.obligations o
      JOIN waybill.events e ON e.id = o.event_id`,
  );
  return Object.fromEntries(rows.map(({ shipment, disposition }) => [shipment, disposition]));
};

describe.each(Object.keys(RELEASES) as (keyof typeof RELEASES)[])('a database kept by %s', (release) => {
  it('is brought up to this release with all it holds, and its deliveries go on', async () => {
    const { admin, adminUrl, keys, pool } = await keptBy(release);
    await migrate(adminUrl);
    expect(await dispositionsIn(admin)).toEqual({
      ...{ pending: 'pending', 'under-way': 'attempting', held: 'held', delivered: 'delivered' },
    });

    const { attempt } = await claimGo(pool, keys.pending);
    await settle(pool, settlement(keys.pending, attempt, 'delivered', { to: 'delivered' }));
    await settle(pool, settlement(keys.underWay, 1, 'delivered', { to: 'delivered' }));
    const word = { verb: 'resume', actor: 'ann', reason: 'drill', requestId: 'r2' } as const;
    expect(await actOnObligation(pool, 'kept', keys.held, word, 'client', null)).toMatchObject({ ok: true });
    const resumed = await claimGo(pool, keys.held);
    await settle(pool, settlement(keys.held, resumed.attempt, 'delivered', { to: 'delivered' }));
    expect(new Set(Object.values(await dispositionsIn(admin)))).toEqual(new Set(['delivered']));
  });
});
