import { MockActivityEnvironment } from '@temporalio/testing';
import type { WorkflowClient } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startObligations } from '../../src/activities/start-obligations.js';
import { systemClock } from '../../src/clock.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { makeObligations } from '../support/obligations.js';
import { installRuntime } from '../support/waybill.js';

let db: TestDatabase;
beforeAll(async () => {
  installRuntime();
  db = await freshDatabase();
});
afterAll(() => db.drop());

/** A starter that notes what it is asked to start, and fails for the keys it is told to. */
function starter(refuse: (key: string) => boolean) {
  const started: string[] = [];
  const workflows = {
    start: (_type: string, { workflowId }: { workflowId: string }) => {
      if (refuse(workflowId)) return Promise.reject(new Error('refused'));
      started.push(workflowId);
      return Promise.resolve();
    },
  } as unknown as WorkflowClient;
  return { started, starter: { workflows, taskQueue: 'none' } };
}

const startedAt = async (eventId: number): Promise<Date | null> =>
  (
    await db.pool.query<{ started_at: Date | null }>('SELECT started_at FROM waybill.events WHERE id = $1', [
      eventId,
    ])
  ).rows[0]?.started_at ?? null;

describe('a fan-out', () => {
  it('starts every one in pages, and says when it is done', async () => {
    const { eventId, keys } = await makeObligations(db.pool, 250);
    const { started, starter: to } = starter(() => false);
    const env = new MockActivityEnvironment();
    expect(await env.run(startObligations, { db: db.pool, starter: to, clock: systemClock }, eventId)).toBe(
      250,
    );
    expect(started.sort()).toEqual([...keys].sort());
    expect(await startedAt(eventId)).not.toBeNull();
  });

  it('goes on where a dead worker stopped', async () => {
    const { eventId, keys } = await makeObligations(db.pool, 250);
    const { started, starter: to } = starter(() => false);
    const after = [...keys].sort()[99]?.split(':')[1] as string;
    const env = new MockActivityEnvironment({ heartbeatDetails: { after, started: 100 } });
    await env.run(startObligations, { db: db.pool, starter: to, clock: systemClock }, eventId);
    expect(started.sort()).toEqual([...keys].sort().slice(100));
  });

  it('lets one that can not be started keep nobody behind it from theirs', async () => {
    const { eventId, keys } = await makeObligations(db.pool, 250);
    const bad = [...keys].sort()[120] as string;
    const beats: { started: number }[] = [];
    const { started, starter: to } = starter((key) => key === bad);
    const env = new MockActivityEnvironment();
    env.on('heartbeat', (details: { started: number }) => beats.push(details));
    const failing = env.run(startObligations, { db: db.pool, starter: to, clock: systemClock }, eventId);
    await expect(failing).rejects.toThrow('refused');
    expect(started).toHaveLength(249);
    expect(await startedAt(eventId)).toBeNull();
    expect(beats.at(-1)).toMatchObject({ started: 100 });
  });
});
