import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { ObligationKey } from '../../src/contract.js';
import { headersContext, tlsContext, urlContext } from '../../src/wire/seal.js';
import { newSecret } from '../../src/wire/sign.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { testSealer } from '../support/obligations.js';
import { startReceiver, type Received, type Receiver, type ReceiverOptions } from '../support/receiver.js';
import { issue, makeAuthority } from '../support/tls.js';
import {
  connectTemporal,
  eventually,
  makeTrust,
  startWaybill,
  type TestWaybill,
  type Trust,
} from '../support/waybill.js';

vi.setConfig({ testTimeout: 120_000 });

let db: TestDatabase;
let trust: Trust;
let waybill: TestWaybill;
let temporal: Awaited<ReturnType<typeof connectTemporal>>;
const receivers: Receiver[] = [];

beforeAll(async () => {
  temporal = await connectTemporal(inject('temporalAddress'));
  db = await freshDatabase();
  trust = await makeTrust();
  waybill = await startWaybill(db, temporal, trust);
});
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.close();
});
afterAll(async () => {
  await waybill.stop();
  await temporal.close();
  await db.drop();
  trust.dispose();
});

async function receiving(
  options: Omit<ReceiverOptions, 'tls'> & Partial<ReceiverOptions> = {},
): Promise<Receiver> {
  const receiver = await startReceiver({ tls: trust.tls, ...options });
  receivers.push(receiver);
  return receiver;
}

const FAST = { firstRetryMs: 200, ceilingMs: 400, timeoutMs: 10_000 };
const word = (reason = 'drill') => ({ actor: 'ann', reason });
let serial = 0;

/** A subscriber that alone is owed events of its label. */
async function add(receiver: Receiver, more: Record<string, unknown> = {}) {
  const name = `d${++serial}`;
  const added = await waybill.client.addSubscriber({
    name,
    url: `https://localhost:${receiver.port}/hook`,
    labels: { to: name },
    policy: FAST,
    ...more,
  });
  return { ...added, name };
}

const publish = (name: string, shipment: string, payload: string | Uint8Array = '{}', contentType?: string) =>
  waybill.client.publish({
    ...{ shipment: `${name} ${shipment}`, version: 1, type: 'shipment.late', labels: { to: name }, payload },
    ...(contentType === undefined ? {} : { contentType }),
  });

const found = async (name: string) => waybill.client.find({ subscriber: name });
const ended = (name: string, count: number, disposition: string) =>
  eventually(
    async () => {
      const rows = (await found(name)).filter((o) => o.disposition === disposition);
      return rows.length >= count ? rows : undefined;
    },
    `${count} of ${name} are ${disposition}`,
    60_000,
  );

/** Which of these secrets the reference library can verify the request with. */
function verifiedBy(request: Received, secrets: Readonly<Record<string, string>>): string[] {
  return Object.entries(secrets)
    .filter(([, secret]) => {
      try {
        new Webhook(secret).verify(request.body.toString('utf8'), request.headers as Record<string, string>);
        return true;
      } catch {
        return false;
      }
    })
    .map(([name]) => name);
}

describe('signing secrets, as a receiver with the reference library sees them', () => {
  it('verifies before, during and after a rotation, in retries too, and not after a revoke', async () => {
    let failing = true;
    const receiver = await receiving({
      answer: (_, { response }) => void response.writeHead(failing ? 500 : 200).end(),
    });
    const a = newSecret();
    const { name } = await add(receiver, { secret: a, policy: { ...FAST, maxTries: 100 } });
    const last = async (shipment?: string): Promise<Received> => {
      const seen = receiver.requests.length;
      if (shipment) await publish(name, shipment);
      await receiver.until(() => receiver.requests.length > seen);
      return receiver.requests.at(-1) as Received;
    };
    const secrets: Record<string, string> = { a };
    expect(verifiedBy(await last('first'), secrets)).toEqual(['a']);
    // The event that is being retried: each attempt reads the secrets anew.
    secrets['b'] = (await waybill.client.rotateSecret(name, word(), { overlapMs: 3_600_000 }))
      .secret as string;
    await eventually(
      async () => (verifiedBy(await last(), secrets).join() === 'a,b' ? true : undefined),
      'a retry carries both signatures',
    );
    const both = receiver.requests.at(-1) as Received;
    expect(String(both.headers['webhook-signature']).split(' ')).toHaveLength(2);
    // Newest first: a receiver that reads one signature alone reads the newest.
    const [newest] = String(both.headers['webhook-signature']).split(' ');
    const alone = { ...both, headers: { ...both.headers, 'webhook-signature': newest } };
    expect(verifiedBy(alone, secrets)).toEqual(['b']);
    const secretA = (await waybill.client.secrets(name)).find((s) => s.state === 'overlap')?.id as string;
    await waybill.client.revokeSecret(secretA, word('leaked'));
    await eventually(
      async () => (verifiedBy(await last(), secrets).join() === 'b' ? true : undefined),
      'a retry carries the new signature alone',
    );
    failing = false;
    await ended(name, 1, 'delivered');
    // After an overlap that is over, and with two rotations inside one.
    secrets['c'] = (await waybill.client.rotateSecret(name, word(), { overlapMs: 3_600_000 }))
      .secret as string;
    secrets['d'] = (await waybill.client.rotateSecret(name, word(), { overlapMs: 0 })).secret as string;
    expect(verifiedBy(await last('after'), secrets)).toEqual(['b', 'd']);
    const times = receiver.requests.map((r) => Number(r.headers['webhook-timestamp']));
    for (const [i, request] of receiver.requests.entries()) {
      expect(Math.abs((times[i] as number) - request.atMs / 1000)).toBeLessThan(5);
    }
    expect(new Set(receiver.requests.slice(0, -1).map((r) => r.headers['webhook-id'])).size).toBe(1);
  });
});

describe('headers of a subscriber’s own', () => {
  it('arrive, change with the next attempt, and are masked wherever they are shown', async () => {
    let failing = true;
    const receiver = await receiving({
      answer: (_, { response }) => void response.writeHead(failing ? 500 : 200).end(),
    });
    const { name, subscriber } = await add(receiver, {
      headers: { 'X-Api-Key': 'K-one', 'x-latin': 'é' },
      auth: { type: 'bearer', token: 'T-one' },
      policy: { ...FAST, maxTries: 100 },
    });
    expect(subscriber).toMatchObject({ headers: { 'x-api-key': '***', 'x-latin': '***' }, auth: 'bearer' });
    await publish(name, 'one');
    await receiver.until(() => receiver.requests.length > 0);
    const [first] = receiver.requests as [Received];
    expect(first.headers).toMatchObject({ 'x-api-key': 'K-one', authorization: 'Bearer T-one' });
    expect(first.headers['x-latin']).toBe('é');
    const changed = await waybill.client.updateSubscriber(name, {
      headers: { 'x-api-key': 'K-two' },
      auth: { type: 'basic', username: 'u', password: 'p' },
    });
    expect(changed).toMatchObject({ headers: { 'x-api-key': '***' }, auth: 'basic' });
    await receiver.until(() => receiver.requests.some((r) => r.headers['x-api-key'] === 'K-two'));
    const latest = receiver.requests.at(-1) as Received;
    expect(latest.headers.authorization).toBe(`Basic ${Buffer.from('u:p').toString('base64')}`);
    expect(latest.headers).not.toHaveProperty('x-latin');
    failing = false;
    await waybill.client.updateSubscriber(name, { headers: {}, auth: null });
    await ended(name, 1, 'delivered');
    const text = JSON.stringify([
      await waybill.client.subscribers('', 1000),
      await waybill.client.subscriber(name),
    ]);
    for (const value of ['K-one', 'K-two', 'T-one']) expect(text).not.toContain(value);
    const { rows } = await db.admin.query<{ t: string }>('SELECT s::text AS t FROM waybill.subscribers s');
    for (const value of ['K-one', 'K-two', 'T-one']) expect(JSON.stringify(rows)).not.toContain(value);
    await publish(name, 'two');
    await ended(name, 2, 'delivered');
    expect(receiver.requests.at(-1)?.headers).not.toHaveProperty('authorization');
  });

  it('that are stored badly end that delivery as configuration, and hurt nobody else', async () => {
    const receiver = await receiving();
    const seal = (id: string, value: unknown): string =>
      testSealer.seal(JSON.stringify(value), headersContext(id));
    const spoil: Record<string, (id: string) => [string, string]> = {
      'line break': (id) => ['headers_sealed', seal(id, { 'x-a': 'a\r\nX-Evil: 1' })],
      emoji: (id) => ['headers_sealed', seal(id, { 'x-a': '🙂' })],
      expect: (id) => ['headers_sealed', seal(id, { Expect: '100-continue' })],
      'our own': (id) => ['headers_sealed', seal(id, { 'Webhook-Id': 'x' })],
      number: (id) => ['headers_sealed', seal(id, { 'x-a': 7 })],
      name: (id) => ['headers_sealed', seal(id, { 'x a': 'b' })],
      'no object': (id) => ['headers_sealed', seal(id, 'x')],
      'not sealed': () => ['headers_sealed', '{"x-a":"b"}'],
      'auth not sealed': () => ['auth_sealed', 'Bearer x'],
      'no url': (id) => ['url_sealed', testSealer.seal('https://', urlContext(id))],
      'no pem': (id) => ['tls_sealed', testSealer.seal('{"ca":"x"}', tlsContext(id))],
      'half a pair': (id) => ['tls_sealed', testSealer.seal('{"cert":"x"}', tlsContext(id))],
      'no pair': (id) => ['tls_sealed', testSealer.seal('{"cert":"x","key":"y"}', tlsContext(id))],
    };
    const names: string[] = [];
    for (const [, how] of Object.entries(spoil)) {
      const { name, subscriber } = await add(receiver, { labels: { to: 'spoilt' } });
      names.push(name);
      const [column, value] = how(subscriber.id);
      await db.admin.query(`UPDATE waybill.subscribers SET ${column} = $2 WHERE id = $1`, [
        subscriber.id,
        value,
      ]);
    }
    const { name: good } = await add(receiver, { labels: { to: 'spoilt' } });
    await publish('spoilt', 'one');
    await ended(good, 1, 'delivered');
    for (const [i, name] of names.entries()) {
      const [row] = await ended(name, 1, 'dead');
      expect([Object.keys(spoil)[i], row?.lastClass]).toEqual([Object.keys(spoil)[i], 'configuration']);
      const { attempts } = await waybill.client.trace(row?.key as string);
      expect(attempts.at(-1)).toMatchObject({ outcome: 'blocked', sent: 'no' });
      expect(attempts.at(-1)?.error).not.toMatch(/Evil|100-continue|Bearer/);
    }
    expect(receiver.requests).toHaveLength(1);
    expect(receiver.requests[0]?.headers).not.toHaveProperty('x-evil');
  });
});

describe('TLS of a subscriber’s own', () => {
  it('shows a client certificate to a receiver that asks for one, and that one’s sockets are nobody else’s', async () => {
    const clients = await makeAuthority('clients');
    const ours = await issue(clients, { hosts: ['waybill.example'], usage: 'client' });
    const stranger = await issue(await makeAuthority('strangers'), {
      hosts: ['waybill.example'],
      usage: 'client',
    });
    const receiver = await receiving({
      tls: {
        ...trust.tls,
        ca: clients.cert,
        requestCert: true,
        rejectUnauthorized: true,
      } as typeof trust.tls,
    });
    const policy = { ...FAST, maxTries: 1 };
    const tls = { cert: ours.cert, key: ours.key };
    const labels = { to: 'mtls' };
    const good = await add(receiver, { policy, tls, labels });
    const twin = await add(receiver, { policy, tls, labels });
    const bare = await add(receiver, { policy, labels });
    const wrong = await add(receiver, { policy, tls: { cert: stranger.cert, key: stranger.key }, labels });
    expect(good.subscriber.tls).toMatchObject({ ca: 0, cert: { subject: 'CN=waybill.example' } });
    await publish('mtls', 'one');
    await ended(good.name, 1, 'delivered');
    await ended(twin.name, 1, 'delivered');
    for (const { name } of [bare, wrong]) await ended(name, 1, 'dead');
    expect(receiver.requests).toHaveLength(2);
    // One connection each: the twin's request did not ride on the socket of the other, however alike they are.
    expect(receiver.connections()).toBe(4);
  });

  it('trusts its own authorities alone', async () => {
    const own = await makeAuthority('private');
    const privately = await receiving({ tls: await issue(own, { hosts: ['localhost'] }) });
    const usually = await receiving();
    const policy = { ...FAST, maxTries: 1 };
    const labels = { to: 'ca' };
    const trusting = await add(privately, { policy, tls: { ca: own.cert }, labels });
    const without = await add(privately, { policy, labels });
    const elsewhere = await add(usually, { policy, tls: { ca: own.cert }, labels });
    await publish('ca', 'one');
    await ended(trusting.name, 1, 'delivered');
    for (const { name } of [without, elsewhere]) {
      const [row] = await ended(name, 1, 'dead');
      expect(row?.lastClass).toBe('tls');
    }
    await waybill.client.updateSubscriber(elsewhere.name, { tls: null });
    await waybill.client.redrive((await found(elsewhere.name))[0]?.key as ObligationKey, word());
    await ended(elsewhere.name, 1, 'delivered');
  });
});

describe('what a receiver says of itself', () => {
  it('410: the others are held, in-flight ones are delivered, a resume and a redrive bring all of them', async () => {
    let gone = true;
    const open: (() => void)[] = [];
    const receiver = await receiving({
      answer: ({ headers }, { response }) => {
        const status = gone && headers['waybill-shipment']?.includes('first') ? 410 : 200;
        if (status === 410 || !gone) response.writeHead(status).end();
        else open.push(() => response.writeHead(200).end());
      },
    });
    const { name } = await add(receiver, { maxConcurrency: 11 });
    for (let i = 0; i < 10; i += 1) await publish(name, `flying ${i}`);
    await receiver.until(() => receiver.requests.length === 10);
    await publish(name, 'first');
    await ended(name, 1, 'dead');
    for (let i = 0; i < 5; i += 1) await publish(name, `later ${i}`);
    for (const answer of open) answer();
    await ended(name, 10, 'delivered');
    await ended(name, 5, 'held');
    const [dead] = await ended(name, 1, 'dead');
    expect(dead).toMatchObject({ lastClass: 'gone', lastStatus: 410 });
    expect((await found(name)).filter((o) => o.disposition === 'held').map((o) => o.heldReason)).toEqual(
      Array.from({ length: 5 }, () => 'subscriber_gone'),
    );
    expect(receiver.requests).toHaveLength(11);
    gone = false;
    await waybill.client.actOnSubscriber('resume', name, word('back again'));
    await waybill.client.redrive(dead?.key as ObligationKey, word('back again'));
    await ended(name, 16, 'delivered');
  });

  it('429: nobody else of that subscriber is sent until then, and no try is used up by waiting', async () => {
    let busy = true;
    const receiver = await receiving({
      answer: (_, { response }) =>
        void response.writeHead(busy ? 429 : 200, busy ? { 'retry-after': '3' } : {}).end(),
    });
    const { name } = await add(receiver);
    await publish(name, 'first');
    await receiver.until(() => receiver.requests.length === 1);
    const askedAtMs = (receiver.requests[0] as Received).atMs;
    busy = false;
    await eventually(
      async () => (await waybill.client.subscriber(name)).cooling ?? undefined,
      'it cools down',
    );
    for (let i = 0; i < 5; i += 1) await publish(name, `other ${i}`);
    const rows = await eventually(async () => {
      const all = (await found(name)).filter((o) => o.coolingUntil !== null);
      return all.length === 6 ? all : undefined;
    }, 'all of them wait');
    expect(rows.map((o) => o.tries).sort()).toEqual([0, 0, 0, 0, 0, 1]);
    await ended(name, 6, 'delivered');
    for (const { atMs } of receiver.requests.slice(1)) expect(atMs - askedAtMs).toBeGreaterThanOrEqual(3_000);
    for (const row of (await found(name)).filter((o) => !o.shipment.endsWith('first'))) {
      expect(row).toMatchObject({ attempts: 1, tries: 1 });
    }
  });
});

describe('bytes', () => {
  const text = (s: string): Uint8Array => new TextEncoder().encode(s);
  const bodies: readonly (readonly [string, Uint8Array, string?])[] = [
    ['odd JSON', text('{"b": 1,  "a":"é\\u00e9🙂", "c":[1, 2] }\n'), 'application/json'],
    [
      'numbers JSON loses',
      text(
        '{"id":9223372036854775807,"2":1,"1":2,"amt":1.10,"e":1e2,"z":-0,"a":1,"a":2,"u":"\\u00e9","s":"\\/"}',
      ),
      'application/json',
    ],
    ['a form', text('a=1&b=%20+&a=2'), 'application/x-www-form-urlencoded'],
    ['a BOM', text('\ufefftext'), 'text/plain; charset=utf-8'],
    ['CRLF', text('a\r\nb\r\n'), 'text/csv'],
    ['escaped NUL', text('{"t":"a\\u0000b"}'), 'application/json'],
    ['escaped surrogate', text('{"t":"\\ud800"}'), 'application/json'],
    ['literal escape', text('{"t":"literal \\\\u0000"}'), 'application/json'],
    ['a raw NUL', Uint8Array.of(0x61, 0, 0x62), 'application/octet-stream'],
    ['invalid UTF-8', Uint8Array.of(0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80)],
    ['every byte', Uint8Array.from({ length: 256 }, (_, i) => i)],
    ['no bytes', new Uint8Array(0)],
    ['no bytes with a type', new Uint8Array(0), 'application/json'],
    ['null', text('null'), 'application/json'],
    ['an empty text', text('""')],
    ['zero', text('0')],
    ['false', text('false')],
    ['an empty object', text('{}')],
    ['a blank', text(' ')],
    ['many', Uint8Array.from({ length: 200_000 }, (_, i) => (i * 7919) % 251)],
  ];

  it('arrive as they were published, in each attempt and in a redrive, under a signature that verifies', async () => {
    const receiver = await receiving({
      answer: ({ headers }, { response }) =>
        void response.writeHead(Number(headers['waybill-attempt']) < 3 ? 500 : 200).end(),
    });
    const secret = newSecret();
    const { name } = await add(receiver, { secret, policy: { ...FAST, maxTries: 2 } });
    for (const [what, body, type] of bodies) await publish(name, what, body, type);
    for (const { key } of await ended(name, bodies.length, 'dead')) await waybill.client.redrive(key, word());
    await ended(name, bodies.length, 'delivered');
    expect(receiver.requests).toHaveLength(3 * bodies.length);
    for (const [what, body, type] of bodies) {
      const seen = receiver.requests.filter(
        (r) => decodeURIComponent(String(r.headers['waybill-shipment'])) === `${name} ${what}`,
      );
      expect(seen.map((r) => Number(r.headers['waybill-attempt'])).sort(), what).toEqual([1, 2, 3]);
      for (const request of seen) {
        expect(Buffer.compare(request.body, Buffer.from(body)), what).toBe(0);
        expect(request.headers['content-type'], what).toBe(type);
        expect(request.headers['content-length'], what).toBe(String(body.byteLength));
        const signed = Buffer.concat([
          Buffer.from(`${request.headers['webhook-id']}.${request.headers['webhook-timestamp']}.`),
          request.body,
        ]);
        const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
        expect(request.headers['webhook-signature'], what).toBe(
          `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
        );
      }
    }
  });
});
