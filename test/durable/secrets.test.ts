import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { safeError, type Log } from '../../src/watch/log.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import {
  connectTemporal,
  eventually,
  makeTrust,
  startWaybill,
  type TestWaybill,
  type Trust,
} from '../support/waybill.js';

/** Planted where they belong; looked for everywhere else, also in base64 and percent-encoded. */
const PLANTED = {
  path: 'tokenXYZpath',
  query: 'K123query',
  payload: 'P4yl0ad/+marker',
  answer: 'Answ3r/+excerpt',
};
const SECRET = `whsec_${Buffer.from('S3-signing-secret-of-32-bytes!!!').toString('base64')}`;

let db: TestDatabase;
let trust: Trust;
let waybill: TestWaybill;
let receiver: Receiver;
let temporal: Awaited<ReturnType<typeof connectTemporal>>;
let client: typeof temporal.client;
const lines: string[] = [];
const keep = (fields: object, name: string): void => {
  lines.push(JSON.stringify({ name, ...fields, ...('err' in fields ? { err: safeError(fields.err) } : {}) }));
};
const log: Log = { debug: keep, info: keep, warn: keep, error: keep };

beforeAll(async () => {
  temporal = await connectTemporal(inject('temporalAddress'));
  ({ client } = temporal);
  db = await freshDatabase();
  trust = await makeTrust();
  receiver = await startReceiver({
    tls: trust.tls,
    answer: (_, { response }) => void response.writeHead(503).end(PLANTED.answer),
  });
  waybill = await startWaybill(db, temporal, trust, { log });
});
afterAll(async () => {
  await waybill.stop();
  await receiver.close();
  await temporal.close();
  await db.drop();
  trust.dispose();
});

function spellings(text: string): string[] {
  const bytes = Buffer.from(text);
  const shifted = [0, 1, 2].map((by) => Buffer.concat([Buffer.alloc(by), bytes]).toString('base64'));
  // Base64 of text that begins at any of the three offsets; the ends depend on the neighbours.
  return [text, encodeURIComponent(text), bytes.toString('hex'), ...shifted.map((code) => code.slice(4, -4))];
}

it('no secret, URL token, payload or answer is in logs, histories, audit or errors', async () => {
  const policy = { firstRetryMs: 200, ceilingMs: 300, maxTries: 2, timeoutMs: 1_000 };
  const tail = `/${PLANTED.path}?key=${PLANTED.query}`;
  const bases = {
    answers: `https://localhost:${receiver.port}`,
    refuses: 'https://localhost:1',
    unresolved: 'https://no-such-host.invalid',
    blocked: `https://127.0.0.1:${receiver.port}`,
  };
  for (const [name, base] of Object.entries(bases)) {
    await waybill.client.addSubscriber({ name, url: base + tail, secret: SECRET, policy });
  }
  await db.admin.query(`UPDATE waybill.subscriber_secrets SET sealed = 'v1.k1.AAAA.AAAA' WHERE subscriber_id =
    (SELECT id FROM waybill.subscribers WHERE name = 'blocked')`);
  await waybill.client.publish({
    shipment: 'secrets',
    version: 1,
    type: 'shipment.late',
    payload: PLANTED.payload,
  });
  const dead = await eventually(async () => {
    const found = await waybill.client.find({ shipment: 'secrets', disposition: 'dead' });
    return found.length === 4 ? found : undefined;
  }, 'all four are dead');
  expect(dead.map((o) => o.lastClass).sort()).toEqual(['configuration', 'dns', 'network', 'server_error']);

  const errors = await Promise.allSettled([
    waybill.client.addSubscriber({ name: 'inside', url: `https://10.0.0.1${tail}`, secret: SECRET }),
    waybill.client.addSubscriber({ name: 'bad', url: 'https://localhost/', secret: `${SECRET}!` }),
    waybill.client.publish({
      shipment: 'secrets',
      version: 1,
      type: 'shipment.late',
      payload: `${PLANTED.payload}2`,
    }),
  ]);
  const outputs: Record<string, string> = {
    log: lines.join('\n'),
    errors: errors
      .map((e) => (e.status === 'rejected' ? JSON.stringify(e.reason) + String(e.reason) : 'none'))
      .join('\n'),
    traces: JSON.stringify(await Promise.all(dead.map((o) => waybill.client.trace(o.key)))),
    subscribers: JSON.stringify(await waybill.client.subscribers()),
  };
  expect(errors.map((e) => e.status)).toEqual(['rejected', 'rejected', 'rejected']);
  for (const { key } of dead) {
    const history = await client.workflow.getHandle(key).fetchHistory();
    outputs[`history of ${key}`] = (history.events ?? [])
      .map((event) => JSON.stringify(event, decoded))
      .join('\n');
  }
  for (const table of ['audit', 'attempt_intents', 'attempt_outcomes', 'obligations', 'events', 'outbox']) {
    const { rows } = await db.admin.query(`SELECT t::text FROM waybill.${table} t`);
    outputs[`table ${table}`] = JSON.stringify(rows);
  }

  const needles = [...Object.values(PLANTED), SECRET, SECRET.slice('whsec_'.length)];
  for (const [where, text] of Object.entries(outputs)) {
    for (const needle of needles) {
      for (const spelling of spellings(needle)) expect(text, `${needle} in ${where}`).not.toContain(spelling);
    }
  }
  expect(lines.length).toBeGreaterThan(4);
});

/** Protobuf bytes as text, so that what a payload holds is seen. */
function decoded(_: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  const { type, data } = (value ?? {}) as { type?: unknown; data?: unknown };
  return type === 'Buffer' && Array.isArray(data) ? Buffer.from(data as number[]).toString('utf8') : value;
}
