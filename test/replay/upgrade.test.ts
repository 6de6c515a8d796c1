import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Disposition } from '../../src/contract.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { connectTemporal, eventually, makeTrust, startWaybill, type Trust } from '../support/waybill.js';

const RELEASES = fileURLToPath(new URL('../../releases/', import.meta.url));

let db: TestDatabase;
let trust: Trust;
let receiver: Receiver;
let temporal: Awaited<ReturnType<typeof connectTemporal>>;
let mended = false;

beforeAll(async () => {
  temporal = await connectTemporal(inject('temporalAddress'));
  db = await freshDatabase();
  trust = await makeTrust();
  receiver = await startReceiver({
    tls: trust.tls,
    answer: ({ path }, { response }) =>
      void response.writeHead(mended ? 200 : path === '/bad' ? 400 : 503).end(),
  });
});
afterAll(async () => {
  await receiver.close();
  await temporal.close();
  await db.drop();
  trust.dispose();
});

describe.each(readdirSync(RELEASES))('deliveries that began under %s', (release) => {
  it('finish under today’s workflows: asleep, held, paused and dead; and go back and forth between them', async () => {
    mended = false;
    const taskQueue = `upgrade-${release}-${process.pid}`;
    const workflowBundle = `${RELEASES}${release}/workflow-bundle.js`;
    const account = { labels: { release } };
    const old = await startWaybill(db, temporal, trust, { taskQueue, workflowBundle });
    const url = `https://localhost:${receiver.port}`;
    const policy = { firstRetryMs: 2_000, ceilingMs: 2_000, timeoutMs: 2_000 };
    const paths = { asleep: '/asleep', held: '/held', paused: '/paused', dead: '/bad' };
    for (const [name, path] of Object.entries(paths)) {
      await old.client.addSubscriber({ name: `${release}-${name}`, url: url + path, policy, ...account });
    }
    const word = { actor: 'ann', reason: 'upgrade' };
    await old.client.actOnSubscriber('pause', `${release}-held`, word);
    await old.client.publish({
      shipment: release,
      version: 1,
      type: 'shipment.late',
      payload: '{}',
      ...account,
    });
    const reach = (want: Record<string, Disposition>) =>
      eventually(async () => {
        const rows = await old.client.find({ shipment: release });
        const now = Object.fromEntries(
          rows.map((o) => [o.subscriberName.slice(release.length + 1), o.disposition]),
        );
        return JSON.stringify(Object.entries(now).sort()) === JSON.stringify(Object.entries(want).sort())
          ? Object.fromEntries(rows.map((o) => [o.subscriberName.slice(release.length + 1), o.key]))
          : undefined;
      }, JSON.stringify(want));
    const keys = await reach({ asleep: 'waiting', held: 'held', paused: 'waiting', dead: 'dead' });
    await old.client.pause(keys['paused'] as string, word);
    await reach({ asleep: 'waiting', held: 'held', paused: 'held', dead: 'dead' });
    await old.worker.stop();

    const today = await startWaybill(db, temporal, trust, { taskQueue });
    await today.client.resume(keys['paused'] as string, word);
    await reach({ asleep: 'waiting', held: 'held', paused: 'waiting', dead: 'dead' });
    await today.stop();

    const back = await startWaybill(db, temporal, trust, { taskQueue, workflowBundle });
    await eventually(async () => {
      const [row] = await back.client.find({ key: keys['asleep'] as string });
      return (row?.attempts ?? 0) >= 2 ? true : undefined;
    }, 'the release before goes on as well');
    await back.stop();

    mended = true;
    const again = await startWaybill(db, temporal, trust, { taskQueue });
    await again.client.redrive(keys['dead'] as string, word);
    await again.client.actOnSubscriber('resume', `${release}-held`, word);
    await reach({ asleep: 'delivered', held: 'delivered', paused: 'delivered', dead: 'delivered' });
    for (const key of Object.values(keys)) {
      expect(await temporal.client.workflow.getHandle(key).result()).toMatchObject({
        disposition: 'delivered',
      });
    }
    await again.stop();
    await old.client.close();
  }, 90_000);
});
