import { createHash } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodePart } from '../../src/contract.js';
import { checkEvent, type EventInput } from '../../src/intake/event-input.js';
import { acceptEvent } from '../../src/intake/publish.js';
import { matchEvent } from '../../src/ledger/events.js';
import { postgresPayloads } from '../../src/ledger/payloads.js';
import { eventsOf, findObligations } from '../../src/ledger/trace.js';
import { addSubscribers } from '../../src/operate/subscribers.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { desk } from '../support/obligations.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.drop());

let serial = 0;
const event = (more: Partial<EventInput> = {}): EventInput => ({
  shipment: `s-${++serial}`,
  version: 7,
  type: 'shipment.delivered',
  payload: '{"a":1}',
  ...more,
});
const count = async (table: string): Promise<number> =>
  (await db.admin.query<{ n: number }>(`SELECT count(*) AS n FROM waybill.${table}`)).rows[0]?.n ?? -1;

describe('publish', () => {
  it('stores event, bytes, digest and outbox row together', async () => {
    const bytes = Buffer.from('{"b": 1,  "a":"é\\u00e9🙂", "c":[1, 2] }\n\0');
    const before = await count('outbox');
    const input = event({ payload: bytes, contentType: 'application/json', labels: { merchant: 'm7' } });
    const published = await acceptEvent(db.pool, input);
    expect(published).toMatchObject({
      created: true,
      digest: createHash('sha256').update(bytes).digest('hex'),
    });
    expect(await postgresPayloads(db.pool).load(published.eventId)).toEqual(bytes);
    expect(await count('outbox')).toBe(before + 1);
  });

  it('of the same event again, also 50 times at once, is one event with one answer', async () => {
    const input = event({ occurredAt: '2026-11-01T05:30:00+02:00', labels: { b: '1', a: '2' } });
    const before = [await count('events'), await count('outbox')];
    const all = await Promise.all(Array.from({ length: 50 }, () => acceptEvent(db.pool, input)));
    expect(all.filter((p) => p.created)).toHaveLength(1);
    const answers = new Set(all.map(({ created: _, ...rest }) => JSON.stringify(rest)));
    expect(answers.size).toBe(1);
    const reordered = { ...input, labels: { a: '2', b: '1' }, occurredAt: new Date('2026-11-01T03:30:00Z') };
    expect((await acceptEvent(db.pool, reordered)).created).toBe(false);
    expect([await count('events'), await count('outbox')]).toEqual(before.map((n) => n + 1));
  });

  it('of two bodies for one version, racing, stores the one that came first, and refuses each of the other', async () => {
    const input = event();
    const before = [await count('events'), await count('event_payloads'), await count('outbox')];
    const bodies = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 'one' : 'two'));
    const all = await Promise.allSettled(
      bodies.map((payload) => acceptEvent(db.pool, { ...input, payload })),
    );
    const kept = bodies[all.findIndex(({ status }) => status === 'fulfilled')];
    all.forEach((end, i) => {
      if (bodies[i] === kept) expect(end).toMatchObject({ status: 'fulfilled' });
      else expect(end).toMatchObject({ reason: { code: 'event_conflict', field: 'payload' } });
    });
    const after = [await count('events'), await count('event_payloads'), await count('outbox')];
    expect(after).toEqual(before.map((n) => n + 1));
  });

  it('of the same shipment and version in two accounts is two events', async () => {
    const input = event();
    const [mine, theirs] = [
      await acceptEvent(db.pool, { ...input, account: 'a1' }),
      await acceptEvent(db.pool, { ...input, account: 'a2', payload: 'another body' }),
    ];
    expect(mine).toMatchObject({ created: true, account: 'a1' });
    expect(theirs).toMatchObject({ created: true, account: 'a2' });
    expect(theirs.eventId).not.toBe(mine.eventId);
  });

  it.each([
    ['payload', { payload: '{"a": 1}' }],
    ['contentType', { contentType: 'text/plain' }],
    ['type', { type: 'shipment.lost' }],
    ['labels', { labels: { merchant: 'm8' } }],
    ['occurredAt', { occurredAt: '2026-11-01T05:30:00Z' }],
    ['notBefore', { notBefore: '2026-11-01T05:30:00Z' }],
    ['validUntil', { validUntil: '2026-12-01T05:30:00Z' }],
  ] as const)(
    'of the same version with another %s is a conflict that changes nothing',
    async (field, other) => {
      const input = event();
      await acceptEvent(db.pool, input);
      const before = [await count('events'), await count('event_payloads'), await count('outbox')];
      await expect(acceptEvent(db.pool, { ...input, ...other })).rejects.toMatchObject({
        code: 'event_conflict',
        field,
      });
      expect([await count('events'), await count('event_payloads'), await count('outbox')]).toEqual(before);
    },
  );

  it('in the caller’s transaction lives and dies with it, and a conflict leaves that usable', async () => {
    const client = new pg.Client({ connectionString: db.url });
    await client.connect();
    const [kept, dropped] = [event(), event()];
    await client.query('BEGIN');
    await acceptEvent(client, dropped);
    await client.query('ROLLBACK');
    await client.query('BEGIN');
    await acceptEvent(client, kept);
    await expect(acceptEvent(client, { ...kept, payload: 'other' })).rejects.toMatchObject({
      code: 'event_conflict',
    });
    await client.query('COMMIT');
    await client.end();
    expect(await eventsOf(db.pool, 'default', dropped.shipment, undefined, 10)).toEqual([]);
    expect(await eventsOf(db.pool, 'default', kept.shipment, undefined, 10)).toHaveLength(1);
  });

  it('is all that the publisher’s role can do', async () => {
    await db.admin.query(`CREATE ROLE t_pub_${process.pid} LOGIN PASSWORD 'p' IN ROLE waybill_publisher`);
    const url = new URL(db.url);
    url.username = `t_pub_${process.pid}`;
    url.password = 'p';
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    expect((await acceptEvent(client, event())).created).toBe(true);
    await expect(client.query('SELECT FROM waybill.events')).rejects.toThrow(/permission denied/);
    await expect(client.query('SELECT waybill.match_event(1)')).rejects.toThrow(/permission denied/);
    const backdated = acceptEvent(client, event(), { now: new Date(0) });
    await expect(backdated).rejects.toThrow(/permission denied/);
    await client.end();
    await db.admin.query(`DROP ROLE t_pub_${process.pid}`);
  });

  it.each([
    ['invalid_field', 'shipment', { shipment: '' }],
    ['invalid_field', 'shipment', { shipment: 'a\u0000b' }],
    ['invalid_field', 'shipment', { shipment: '\ud800' }],
    ['id_too_long', 'shipment', { shipment: 'é'.repeat(60) }],
    ['invalid_field', 'version', { version: -1 }],
    ['invalid_field', 'version', { version: 1.5 }],
    ['invalid_field', 'version', { version: 2 ** 53 }],
    ['invalid_field', 'version', { version: '7' as never }],
    ['invalid_field', 'type', { type: 'shipment delivered' }],
    ['invalid_field', 'type', { type: 'shipment.*' }],
    ['invalid_field', 'contentType', { contentType: 'text/plain\r\nx: y' }],
    ['invalid_field', 'payload', { payload: 5 as never }],
    ['invalid_field', 'payload', { payload: '{"t":"\ud800"}' }],
    ['payload_too_large', 'payload', { payload: Buffer.alloc(1_048_577) }],
    [
      'invalid_field',
      'labels',
      { labels: Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`l${i}`, 'x'])) },
    ],
    ['invalid_field', 'labels.a', { labels: { a: 5 as never } }],
    ['invalid_field', 'occurredAt', { occurredAt: '2026-11-01T01:30:00' }],
    ['invalid_field', 'validUntil', { validUntil: '2027-02-31T00:00:00Z' }],
    [
      'invalid_field',
      'validUntil',
      { validUntil: '2026-01-01T00:00:00Z', notBefore: '2026-01-02T00:00:00Z' },
    ],
    ['invalid_field', 'account', { account: '' }],
    ['invalid_field', 'occurredAt', { occurredAt: new Date(-8.64e15) }],
    ['invalid_field', 'notBefore', { notBefore: new Date(8.64e15) }],
  ] as const)('refuses %s of %s before anything is stored', (code, field, more) => {
    let thrown: unknown;
    try {
      checkEvent(event(more as Partial<EventInput>));
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code, field });
  });

  it.each([
    Buffer.alloc(0),
    'null',
    '""',
    '0',
    'false',
    '{}',
    ' ',
    Buffer.from([0xff, 0xfe, 0]),
    '{"t":"a\\u0000b"}',
  ])('takes the opaque body %o exactly', async (payload) => {
    const { eventId } = await acceptEvent(db.pool, event({ payload }));
    expect(await postgresPayloads(db.pool).load(eventId)).toEqual(Buffer.from(payload as string));
  });

  it('takes the largest version and the longest key', async () => {
    const shipment = 'x'.repeat(255 - 2 - 24 - 16);
    const published = await acceptEvent(db.pool, event({ shipment, version: Number.MAX_SAFE_INTEGER }));
    expect(published.version).toBe(9007199254740991);
  });
});

describe('fan-out', () => {
  it('matches by exact type, prefix and labels, in the account alone, and once', async () => {
    const account = 'fan-out';
    const filters = {
      all: {},
      exact: { eventTypes: ['shipment.delivered'] },
      prefix: { eventTypes: ['shipment.*'] },
      otherType: { eventTypes: ['shipment.lost', 'order.*'] },
      caseTypo: { eventTypes: ['Shipment.delivered'] },
      merchant: { labels: { merchant: 'm7' } },
      otherMerchant: { labels: { merchant: 'm8' } },
      both: { eventTypes: ['shipment.*'], labels: { merchant: 'm7', region: 'eu' } },
      tooMany: { labels: { merchant: 'm7', region: 'eu', extra: 'x' } },
    };
    await addSubscribers(
      desk(db.pool, account),
      Object.entries(filters).map(([name, filter]) => ({ name, url: 'https://localhost:1/', ...filter })),
      'test',
    );
    await addSubscribers(desk(db.pool, 'elsewhere'), [{ name: 'all', url: 'https://localhost:1/' }], 'test');
    const labels = { merchant: 'm7', region: 'eu' };
    const { eventId } = await acceptEvent(db.pool, event({ account, labels }));
    expect(await matchEvent(db.pool, eventId, null)).toBe(5);
    await addSubscribers(desk(db.pool, account), [{ name: 'late', url: 'https://localhost:1/' }], 'test');
    expect(await matchEvent(db.pool, eventId, null)).toBe(5);
    const found = await findObligations(db.pool, { account, limit: 100 });
    expect(found.map((o) => o.subscriberName).sort()).toEqual(['all', 'both', 'exact', 'merchant', 'prefix']);
  });

  it('that matches nobody leaves the event visible with 0 obligations', async () => {
    const { eventId, shipment } = await acceptEvent(db.pool, event({ account: 'nobody' }));
    expect(await matchEvent(db.pool, eventId, null)).toBe(0);
    expect(await eventsOf(db.pool, 'nobody', shipment, undefined, 1)).toMatchObject([{ obligations: 0 }]);
  });

  it('takes the shortest of the event’s, the type’s and the subscriber’s validity', async () => {
    const account = 'validity';
    await addSubscribers(
      desk(db.pool, account),
      [
        { name: 'plain', url: 'https://localhost:1/', policy: { validityMs: 3_600_000 } },
        {
          name: 'typed',
          url: 'https://localhost:1/',
          policy: { validityMsByType: { 'shipment.delivered': 60_000 } },
        },
        { name: 'long', url: 'https://localhost:1/' },
      ],
      'test',
    );
    const now = new Date('2026-11-30T12:00:00Z');
    const validUntil = new Date('2026-12-01T12:00:00Z');
    const { eventId } = await acceptEvent(db.pool, event({ account, validUntil }), { now });
    await matchEvent(db.pool, eventId, now);
    const found = await findObligations(db.pool, { account, limit: 10 });
    expect(Object.fromEntries(found.map((o) => [o.subscriberName, o.validUntil.toISOString()]))).toEqual({
      plain: '2026-11-30T13:00:00.000Z',
      typed: '2026-11-30T12:01:00.000Z',
      long: '2026-12-01T12:00:00.000Z',
    });
  });

  it('knows every filter that a type answers to, and spells keys as the contract does', async () => {
    const texts = ['a', 'ä b', "x!~*'()", '100 %', '包裹', 'A-z_9'];
    for (const text of texts) {
      const { rows } = await db.pool.query<{ part: string }>('SELECT waybill.encode_part($1) AS part', [
        text,
      ]);
      expect(rows[0]?.part).toBe(encodePart(text));
    }
    const { rows } = await db.pool.query<{ p: string[] }>(`SELECT waybill.patterns_of('a.b.c') AS p`);
    expect(rows[0]?.p.sort()).toEqual(['*', 'a.*', 'a.b.*', 'a.b.c']);
  });
});
