import { MockActivityEnvironment } from '@temporalio/testing';
import type { WorkflowClient } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ShiftOver } from '../../src/activities/faults.js';
import type { Pacer } from '../../src/activities/pacer.js';
import { MOST_UNTAKEN, startObligations, type FanOutDeps } from '../../src/activities/start-obligations.js';
import { systemClock } from '../../src/clock.js';
import { OWN_TURNS_ABOVE } from '../../src/intake/fairness.js';
import type { Queryable } from '../../src/ledger/pool.js';
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
function starter(refuse: (key: string) => boolean = () => false) {
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

/** Nobody waits for a turn, or for workers to take anything up. */
const pacer: Pacer = { turn: () => Promise.resolve(), learn: () => undefined, timed: (start) => start() };
const takeUps = { started: () => undefined, watch: () => () => undefined };
const depsOf = (to: FanOutDeps['starter'], more: Partial<FanOutDeps> = {}): FanOutDeps => ({
  ...{ db: db.pool, starter: to, clock: systemClock, pacer, takeUps, mostUntaken: Infinity },
  ...more,
});

const startedAt = async (eventId: number): Promise<Date | null> =>
  (
    await db.pool.query<{ started_at: Date | null }>('SELECT started_at FROM waybill.events WHERE id = $1', [
      eventId,
    ])
  ).rows[0]?.started_at ?? null;

describe('a fan-out', () => {
  it('starts every one in pages, and says when it is done', async () => {
    const { eventId, keys } = await makeObligations(db.pool, 250);
    const { started, starter: to } = starter();
    const env = new MockActivityEnvironment();
    expect(await env.run(startObligations, depsOf(to), eventId)).toBe(250);
    expect(started.sort()).toEqual([...keys].sort());
    expect(await startedAt(eventId)).not.toBeNull();
  });

  it('goes on where a dead worker stopped', async () => {
    const { eventId, keys } = await makeObligations(db.pool, 250);
    const { started, starter: to } = starter();
    const after = [...keys].sort()[99]?.split(':')[1] as string;
    const env = new MockActivityEnvironment({ heartbeatDetails: { after, started: 100 } });
    await env.run(startObligations, depsOf(to), eventId);
    expect(started.sort()).toEqual([...keys].sort().slice(100));
  });

  it('lets one that can not be started keep nobody behind it from theirs', async () => {
    const { eventId, keys } = await makeObligations(db.pool, 250);
    const bad = [...keys].sort()[120] as string;
    const beats: { started: number }[] = [];
    const { started, starter: to } = starter((key) => key === bad);
    const env = new MockActivityEnvironment();
    env.on('heartbeat', (details: { started: number }) => beats.push(details));
    const failing = env.run(startObligations, depsOf(to), eventId);
    await expect(failing).rejects.toThrow('refused');
    expect(started).toHaveLength(249);
    expect(await startedAt(eventId)).toBeNull();
    expect(beats.at(-1)).toMatchObject({ started: 100 });
  });

  it('asks for a turn for each start of a large event, and for none of another’s', async () => {
    let turns = 0;
    const counting: Pacer = { ...pacer, turn: () => Promise.resolve(void turns++) };
    const run = async (count: number): Promise<number> => {
      const { eventId } = await makeObligations(db.pool, count);
      const deps = depsOf(starter().starter, { pacer: counting });
      return new MockActivityEnvironment().run(startObligations, deps, eventId);
    };
    expect([await run(OWN_TURNS_ABOVE), turns]).toEqual([100, 0]);
    expect([await run(OWN_TURNS_ABOVE + 1), turns]).toEqual([101, 101]);
  });

  it('holds back while too much of it is taken up by nobody', async () => {
    const { eventId } = await makeObligations(db.pool, 450);
    const { started, starter: to } = starter();
    const looks: number[] = [];
    const looking: Queryable = {
      query: async (text, values) => {
        if (typeof text === 'string' && text.includes('untaken')) looks.push(started.length);
        if (looks.filter((count) => count >= MOST_UNTAKEN).length >= 3)
          await db.admin.query(
            `UPDATE waybill.obligations SET disposition = 'attempting' WHERE event_id = $1 AND key = ANY($2)`,
            [eventId, started],
          );
        return db.pool.query(text, values);
      },
    };
    const deps = depsOf(to, { db: looking, mostUntaken: MOST_UNTAKEN });
    await new MockActivityEnvironment().run(startObligations, deps, eventId);
    expect(looks.slice(0, 4)).toEqual([100, 100, 100, 200]);
    expect(started).toHaveLength(450);
  });

  it('waits for nobody who is paused, and for nobody for ever', async () => {
    const paused = await makeObligations(db.pool, 450);
    await db.admin.query('UPDATE waybill.gates SET paused_at = now() WHERE subscriber_id = ANY($1)', [
      paused.subscribers,
    ]);
    const env = new MockActivityEnvironment();
    const { starter: to } = starter();
    const bound = { mostUntaken: MOST_UNTAKEN };
    expect(await env.run(startObligations, depsOf(to, bound), paused.eventId)).toBe(450);

    const ignored = await makeObligations(db.pool, 450);
    let nowMs = 0;
    const clock = { ...systemClock, monotonicMs: () => (nowMs += 20_000) };
    const deps = depsOf(to, { ...bound, clock, shiftMs: Infinity });
    expect(await env.run(startObligations, deps, ignored.eventId)).toBe(450);
  });

  it('is done in shifts, each of which goes on where the one before ended', async () => {
    const { eventId, keys } = await makeObligations(db.pool, 250);
    const { started, starter: to } = starter();
    let details: unknown;
    const shift = (): Promise<number> => {
      const env = new MockActivityEnvironment({ heartbeatDetails: details });
      env.on('heartbeat', (beat: unknown) => (details = beat));
      return env.run(startObligations, depsOf(to, { shiftMs: 0 }), eventId);
    };
    await expect(shift()).rejects.toThrow(ShiftOver);
    expect(details).toMatchObject({ started: 100, lately: { after: '' } });
    await expect(shift()).rejects.toThrow(ShiftOver);
    expect(await startedAt(eventId)).toBeNull();
    expect(await shift()).toBe(250);
    expect(started).toEqual([...keys].sort());
    expect(await startedAt(eventId)).not.toBeNull();
  });
});
