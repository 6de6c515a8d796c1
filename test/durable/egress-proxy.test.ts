import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { obligationKey } from '../../src/contract.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { startProxy, type Proxy } from '../support/proxy.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import {
  connectTemporal,
  eventually,
  makeTrust,
  startWaybill,
  type TestWaybill,
  type Trust,
} from '../support/waybill.js';

let db: TestDatabase;
let trust: Trust;
let waybill: TestWaybill;
let receiver: Receiver;
let proxy: Proxy | undefined;
let port: number;
let temporal: Awaited<ReturnType<typeof connectTemporal>>;

beforeAll(async () => {
  temporal = await connectTemporal(inject('temporalAddress'));
  db = await freshDatabase();
  trust = await makeTrust();
  receiver = await startReceiver({ tls: trust.tls });
  const reserved = await startProxy();
  ({ port } = reserved);
  await reserved.close();
  const env = { WAYBILL_EGRESS_PROXY: `http://ann:s3cret@127.0.0.1:${port}` };
  waybill = await startWaybill(db, temporal, trust, { env });
});
afterAll(async () => {
  await waybill.stop();
  await proxy?.close();
  await receiver.close();
  await temporal.close();
  await db.drop();
  trust.dispose();
});

it('a proxy that is down costs no try; once it is up, everything goes through it, drills too', async () => {
  const url = `https://localhost:${receiver.port}/hook`;
  const policy = { maxTries: 1 };
  const { subscriber } = await waybill.client.addSubscriber({ name: 'acme', url, policy });
  await waybill.client.publish({ shipment: 'P', version: 1, type: 'shipment.late', payload: '{}' });
  const key = obligationKey('P', subscriber.id, 1);
  const trace = () => waybill.client.trace(key);
  const known = async () => (await waybill.client.find({ key })).length > 0 || undefined;
  await eventually(known, 'the obligation');
  const first = await eventually(async () => (await trace()).attempts.find((one) => one.outcome), 'a fault');
  expect(first).toMatchObject({ outcome: 'cancelled', class: 'own_fault', sent: 'no', counted: false });
  expect(first.error).toBe('the egress proxy could not be reached (ECONNREFUSED)');
  // One counted try would have made it a dead letter.
  expect((await trace()).obligation.disposition).toBe('waiting');
  expect(receiver.connections()).toBe(0);

  proxy = await startProxy({ port });
  await eventually(
    async () => (await trace()).obligation.disposition === 'delivered' || undefined,
    'the delivery',
    60_000,
  );
  expect(receiver.requests).toHaveLength(1);
  expect(proxy.asked.map(({ credentials }) => credentials)).toContain('ann:s3cret');
  expect(proxy.asked.every(({ target }) => /^(127\.0\.0\.1|\[::1\]):\d+$/.test(target))).toBe(true);
  expect(JSON.stringify(await trace())).not.toMatch(/s3cret|proxy-auth/i);

  const asked = proxy.asked.length;
  const certified = await waybill.client.certifySubscriber('acme', { reason: 'test' });
  expect(certified.checks[0]).toMatchObject({ verdict: 'pass' });
  expect(proxy.asked.length).toBeGreaterThan(asked);
}, 120_000);
