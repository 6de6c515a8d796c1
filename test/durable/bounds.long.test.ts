import { setTimeout } from 'node:timers/promises';
import { WorkflowNotFoundError } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { obligationKey, type ObligationKey } from '../../src/contract.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { longestRun } from '../support/histories.js';
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
let temporal: Awaited<ReturnType<typeof connectTemporal>>;
let client: typeof temporal.client;

beforeAll(async () => {
  temporal = await connectTemporal(inject('temporalAddress'));
  ({ client } = temporal);
  db = await freshDatabase();
  trust = await makeTrust();
  receiver = await startReceiver({
    tls: trust.tls,
    answer: ({ path }, { response }) => void response.writeHead(path.startsWith('/ok') ? 200 : 503).end(),
  });
  waybill = await startWaybill(db, temporal, trust);
});
afterAll(async () => {
  await waybill.stop();
  await receiver.close();
  await temporal.close();
  await db.drop();
  trust.dispose();
});

async function owe(name: string, policy: Record<string, number>): Promise<ObligationKey> {
  const url = `https://localhost:${receiver.port}/${name}`;
  const { subscriber } = await waybill.client.addSubscriber({ name, url, labels: { name }, policy });
  await waybill.client.publish({
    shipment: name,
    version: 1,
    type: 'shipment.late',
    payload: name,
    labels: { name },
  });
  return obligationKey(name, subscriber.id, 1);
}

const rowOf = async (key: ObligationKey) => (await waybill.client.find({ key }))[0];
const auditOf = async (key: ObligationKey) => (await waybill.client.trace(key)).audit;

describe('a history', () => {
  it('of 2,000 signals in a minute rolls over, and the last command wins', async () => {
    const key = await owe('flood', { firstRetryMs: 600_000, ceilingMs: 600_000, timeoutMs: 2_000 });
    const handle = client.workflow.getHandle(key);
    await eventually(async () => (await rowOf(key))?.disposition === 'waiting' || undefined, 'it waits');
    const startedMs = performance.now();
    for (let i = 0; i < 2_000; i += 20) {
      await setTimeout(Math.max(0, startedMs + i * 25 - performance.now()));
      // Twenty at once: their order among themselves is nobody's, the last one of all is sent alone.
      await Promise.all(
        Array.from({ length: 20 }, (_, j) =>
          handle.signal(j % 2 === 0 ? 'pause' : 'resume', {
            actor: 'ann',
            reason: 'flood',
            requestId: `f-${i + j}`,
          }),
        ),
      );
    }
    await handle.signal('pause', { actor: 'ann', reason: 'the last word', requestId: 'last' });
    await eventually(
      async () => (await auditOf(key)).length === 2_001 || undefined,
      'all are on record',
      90_000,
    );
    expect(await rowOf(key)).toMatchObject({ disposition: 'held', heldReason: 'paused', attempts: 1 });
    expect((await longestRun(client, key)).events).toBeLessThan(2_000);
    await waybill.client.terminate(key, { actor: 'ann', reason: 'clean up' });
  }, 180_000);
});

describe('a signal', () => {
  it('that meets the close is either refused by Temporal or on record, never lost', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        const name = `ok-${i}`;
        const key = await owe(name, { timeoutMs: 2_000 });
        await receiver.until(() => receiver.requests.some(({ path }) => path === `/${name}`));
        await setTimeout(i); // the close follows the answer within some tens of milliseconds
        const accepted = await client.workflow
          .getHandle(key)
          .signal('pause', { actor: 'ann', reason: 'race', requestId: name })
          .then(
            () => true,
            (error: unknown) => {
              if (error instanceof WorkflowNotFoundError) return false;
              throw error;
            },
          );
        expect(await client.workflow.getHandle(key).result()).toMatchObject({ disposition: 'delivered' });
        expect((await auditOf(key)).map((a) => a.requestId)).toEqual(accepted ? [name] : []);
        return accepted;
      }),
    );
    expect(outcomes).toHaveLength(40);
  }, 60_000);
});
