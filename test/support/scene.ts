import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, inject } from 'vitest';
import {
  obligationKey,
  type Disposition,
  type ObligationKey,
  type SubscriberId,
} from '../../src/contract.js';
import type { Published } from '../../src/client.js';
import type { Trace } from '../../src/operate/trace.js';
import { freshDatabase, type TestDatabase } from './database.js';
import { startReceiver, type Received, type Receiver, type Reply } from './receiver.js';
import {
  connectTemporal,
  eventually,
  makeTrust,
  startWaybill,
  type TestWaybill,
  type Trust,
} from './waybill.js';

/** How a subscriber's endpoint answers. */
export type Answer = (reply: Reply) => void;
export const status =
  (code: number): Answer =>
  ({ response }) =>
    void response.writeHead(code).end();

/** Retries in moments where the default takes days. */
const QUICK = { firstRetryMs: 300, ceilingMs: 500, maxTries: 3, timeoutMs: 2_000, redriveWindowMs: 60_000 };

/** One subscriber and its path at the receiver, which an event of {@link publish} goes to alone. */
export interface Owed {
  readonly key: ObligationKey;
  readonly path: string;
  readonly name: string;
  readonly subscriber: SubscriberId;
  publish(): Promise<Published>;
  requests(): Received[];
}

/** A database, a receiver and a whole worker on the suite's Temporal, and what a test says about one delivery. */
export interface Scene {
  readonly db: TestDatabase;
  readonly trust: Trust;
  readonly receiver: Receiver;
  readonly temporal: Awaited<ReturnType<typeof connectTemporal>>;
  waybill: TestWaybill;
  /** Another worker on the same task queue takes the place of the one before, which has drained. */
  restartWorker(): Promise<void>;
  /** Path -> how it answers; 200 where nothing is set. */
  readonly answers: Map<string, Answer>;
  owe(answer: Answer, policy?: Readonly<Record<string, number>>): Promise<Owed>;
  traced(key: ObligationKey): Promise<Trace>;
  becomes(key: ObligationKey, ...wanted: Disposition[]): Promise<Trace>;
  handle(key: ObligationKey): ReturnType<Scene['temporal']['client']['workflow']['getHandle']>;
}

/** Sets the scene before the file's tests and clears it after them; nothing of it may be used outside a test. */
export function useScene(): Scene {
  const answers = new Map<string, Answer>();
  /** All files share a Temporal, and a shipment's workflow is known there by its name alone. */
  const scope = `op-${randomUUID().slice(0, 8)}`;
  const scene = { answers, owe, traced, becomes, handle, restartWorker } as unknown as {
    -readonly [Part in keyof Scene]: Scene[Part];
  };
  beforeAll(async () => {
    scene.temporal = await connectTemporal(inject('temporalAddress'));
    scene.db = await freshDatabase();
    scene.trust = await makeTrust();
    scene.receiver = await startReceiver({
      tls: scene.trust.tls,
      answer: ({ path }, reply) => (answers.get(path) ?? status(200))(reply),
    });
    scene.waybill = await startWaybill(scene.db, scene.temporal, scene.trust);
  });
  afterAll(async () => {
    await scene.waybill.stop();
    await scene.receiver.close();
    await scene.temporal.close();
    await scene.db.drop();
    scene.trust.dispose();
  });
  return scene;

  async function restartWorker(): Promise<void> {
    const { taskQueue } = scene.waybill;
    await scene.waybill.stop();
    scene.waybill = await startWaybill(scene.db, scene.temporal, scene.trust, { taskQueue });
  }
  async function owe(answer: Answer, policy: Readonly<Record<string, number>> = {}): Promise<Owed> {
    const name = `${scope}-${answers.size + 1}`;
    const path = `/${name}`;
    answers.set(path, answer);
    const { client } = scene.waybill;
    const { subscriber } = await client.addSubscriber({
      name,
      url: `https://localhost:${scene.receiver.port}${path}`,
      labels: { name },
      policy: { ...QUICK, ...policy },
    });
    return {
      ...{ path, name, subscriber: subscriber.id, key: obligationKey(name, subscriber.id, 1) },
      publish: () =>
        scene.waybill.client.publish({
          ...{ shipment: name, version: 1, type: 'shipment.delivered' },
          ...{ payload: name, labels: { name } },
        }),
      requests: () => scene.receiver.requests.filter((r) => r.path === path),
    };
  }
  function traced(key: ObligationKey): Promise<Trace> {
    return scene.waybill.client.trace(key);
  }
  function becomes(key: ObligationKey, ...wanted: Disposition[]): Promise<Trace> {
    return eventually(
      async () => {
        const [row] = await scene.waybill.client.find({ key });
        return row && wanted.includes(row.disposition) ? traced(key) : undefined;
      },
      `${key} is ${wanted.join(' or ')}`,
    );
  }
  function handle(key: ObligationKey): ReturnType<Scene['handle']> {
    return scene.temporal.client.workflow.getHandle(key);
  }
}

export const word = (reason: string, requestId?: string) => ({
  actor: 'ann',
  reason,
  ...(requestId ? { requestId } : {}),
});
