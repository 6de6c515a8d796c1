import type { WorkflowHandle } from '@temporalio/client';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Clock } from '../../src/clock.js';
import { SEARCH_ATTRIBUTES, obligationKey, type ObligationKey } from '../../src/contract.js';
import { acceptEvent } from '../../src/intake/publish.js';
import { attemptsOf, auditOf, findObligations, type ObligationRow } from '../../src/ledger/trace.js';
import { INDEXED_VALUE_TYPES } from '../../src/operate/set-up.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { longestRun } from '../support/histories.js';
import { startReceiver } from '../support/receiver.js';
import { eventually, installRuntime, makeTrust, startWaybill, type Trust } from '../support/waybill.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TOLERANCE_MS = 2_000;

let db: TestDatabase;
let trust: Trust;
beforeAll(async () => {
  installRuntime();
  db = await freshDatabase();
  trust = await makeTrust();
});
afterAll(async () => {
  await db.drop();
  trust.dispose();
});

type Answer = (nowMs: number, times: readonly number[]) => [status: number, headers?: Record<string, string>];

/**
 * One delivery on a time-skipping server of its own (its clock belongs to all that runs on it). Answers when the
 * receiver saw each request, by that clock, and how the workflow ended.
 */
async function deliver(
  name: string,
  policy: Record<string, number>,
  answer: Answer,
  meanwhile: (handle: WorkflowHandle) => Promise<void> = () => Promise.resolve(),
  before: (subscriber: string, nowMs: number) => Promise<unknown> = () => Promise.resolve(),
) {
  const env = await TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: 'existing-path', path: inject('temporalTestServerPath') } },
  });
  const clock: Clock = {
    ledgerNow: async () => new Date(await env.currentTimeMs()),
    epochMs: () => env.currentTimeMs(),
    monotonicMs: () => performance.now(),
  };
  const times: number[] = [];
  const receiver = await startReceiver({
    tls: trust.tls,
    answer: (_, { response }) => {
      void env.currentTimeMs().then((nowMs) => {
        times.push(nowMs);
        response.writeHead(...answer(nowMs, times)).end('busy');
      });
    },
  });
  // `waybill setup` also waits until visibility knows them; this server has none.
  await env.connection.operatorService.addSearchAttributes({
    namespace: 'default',
    searchAttributes: Object.fromEntries(
      Object.entries(SEARCH_ATTRIBUTES).map(([name, type]) => [name, INDEXED_VALUE_TYPES[type]]),
    ),
  });
  const temporal = { client: env.client, connection: env.nativeConnection, namespace: 'default' };
  const waybill = await startWaybill(db, temporal, trust, { clock });
  try {
    const url = `https://localhost:${receiver.port}/`;
    const { subscriber } = await waybill.client.addSubscriber({ name, url, labels: { name }, policy });
    await before(subscriber.id, await env.currentTimeMs());
    const event = { shipment: name, version: 1, type: 'shipment.delivered', payload: '{}', labels: { name } };
    await acceptEvent(db.pool, event, { now: await clock.ledgerNow() });
    const key = obligationKey(name, subscriber.id, 1);
    const handle = env.client.workflow.getHandle(key);
    await eventually(
      () =>
        handle.describe().then(
          () => true,
          () => undefined,
        ),
      'the workflow has started',
    );
    const [result] = await Promise.all([handle.result().catch((error: unknown) => error), meanwhile(handle)]);
    const timersMs = timersIn(await handle.fetchHistory());
    return { key, times, result, timersMs, history: await longestRun(env.client, key) };
  } finally {
    await waybill.stop();
    await receiver.close();
    await env.teardown();
  }
}

/** How long each timer of a history was to be, in whole seconds. */
const timersIn = ({ events }: History): number[] =>
  (events ?? []).flatMap(({ timerStartedEventAttributes: timer }) =>
    timer ? [Number(timer.startToFireTimeout?.seconds) * 1_000] : [],
  );

const rowOf = async (key: ObligationKey): Promise<ObligationRow> =>
  (await findObligations(db.pool, { account: 'default', key, limit: 1 }))[0] as ObligationRow;
const near = (aMs: number | undefined, bMs: number | undefined): void =>
  expect(Math.abs((aMs ?? Number.NaN) - (bMs ?? Number.NaN))).toBeLessThanOrEqual(TOLERANCE_MS);

describe('over days and weeks', () => {
  it('a receiver that fails for seven days and a half is delivered in the end', async () => {
    const { key, times, result } = await deliver('a', {}, (nowMs, seen) => [
      nowMs - (seen[0] as number) < 7.5 * DAY_MS ? 503 : 200,
    ]);
    expect(result).toEqual({ disposition: 'delivered', attempts: times.length });
    near((times[1] as number) - (times[0] as number), 300_000);
    expect((times.at(-1) as number) - (times[0] as number)).toBeGreaterThanOrEqual(7.5 * DAY_MS);
    expect(await rowOf(key)).toMatchObject({ disposition: 'delivered', attempts: times.length });

    const attempts = await attemptsOf(db.pool, key);
    expect(attempts.map((a) => a.attempt)).toEqual(times.map((_, i) => i + 1));
    for (const [i, attempt] of attempts.entries()) {
      near(attempt.startedAt.getTime(), times[i]);
      if (i + 1 < times.length) near(attempt.nextEligibleAt?.getTime(), times[i + 1]);
    }
  });

  it('a receiver that asks for eight days gets them', async () => {
    const { key, times, result } = await deliver('b', {}, (_, seen) =>
      seen.length === 1 ? [429, { 'retry-after': String(8 * 24 * 3_600) }] : [200],
    );
    expect(result).toEqual({ disposition: 'delivered', attempts: 2 });
    expect(times).toHaveLength(2);
    near((times[1] as number) - (times[0] as number), 8 * DAY_MS);
    const [first, second] = await attemptsOf(db.pool, key);
    expect(first).toMatchObject({ class: 'throttled', retryAfter: '691200', retryClamped: false });
    const settledMs = first?.settledAt?.getTime() ?? 0;
    near(second?.startedAt.getTime(), settledMs + 8 * DAY_MS);
    expect(second?.startedAt.getTime()).toBeGreaterThanOrEqual(settledMs + 8 * DAY_MS);
  });

  it('a cool-down of two days is looked at every six hours, should the word that it is over get lost', async () => {
    let endsAtMs = 0;
    const { times, result, timersMs } = await deliver(
      'cool',
      {},
      () => [200],
      undefined,
      (subscriber, nowMs) => {
        endsAtMs = nowMs + 2 * DAY_MS;
        const cool = 'UPDATE waybill.gates SET cool_until = $2, cool_status = 429 WHERE subscriber_id = $1';
        return db.admin.query(cool, [subscriber, new Date(endsAtMs)]);
      },
    );
    expect(result).toEqual({ disposition: 'delivered', attempts: 1 });
    expect(times[0]).toBeGreaterThanOrEqual(endsAtMs);
    expect(times[0]).toBeLessThan(endsAtMs + 2 * 60_000);
    expect(timersMs.length).toBeGreaterThanOrEqual(8);
    expect(Math.max(...timersMs)).toBeLessThanOrEqual(6 * HOUR_MS);
  });

  it('what is past its validity ends expired, with its last error kept', async () => {
    const { key, times, result } = await deliver('c', { validityMs: 3 * HOUR_MS }, () => [503]);
    expect(result).toMatchObject({ cause: { type: 'expired' } });
    const row = await rowOf(key);
    expect(row).toMatchObject({
      disposition: 'expired',
      lastOutcome: 'failed',
      lastClass: 'server_error',
      lastStatus: 503,
    });
    near(row.finishedAt?.getTime(), row.validUntil.getTime());
    near(row.validUntil.getTime(), row.createdAt.getTime() + 3 * HOUR_MS);
    expect(times.length).toBeGreaterThan(3);
    expect(times.every((atMs) => atMs < row.validUntil.getTime())).toBe(true);
  });

  it('200 tries with 300 pauses and resumes between them stay bounded, and none is lost', async () => {
    const policy = {
      firstRetryMs: 60_000,
      ceilingMs: 60_000,
      maxTries: 200,
      validityMs: 3_000 * DAY_MS,
      redriveWindowMs: 0,
    };
    let accepted = 0;
    const { key, times, result, history } = await deliver(
      'd',
      policy,
      () => [503],
      async (handle) => {
        for (let i = 0; i < 300; i++) {
          await handle.signal(i % 2 === 0 ? 'pause' : 'resume', {
            actor: 'ann',
            reason: 'drill',
            requestId: `s-${i}`,
          });
          accepted++;
        }
      },
    );
    expect(result).toMatchObject({ cause: { type: 'dead' } });
    expect(await rowOf(key)).toMatchObject({ disposition: 'dead', attempts: 200, tries: 200 });
    expect(times).toHaveLength(200);
    const audit = (await auditOf(db.pool, key)).filter((row) => row.requestId !== null);
    expect(accepted).toBe(300);
    expect(audit.map((row) => row.requestId)).toEqual(Array.from({ length: 300 }, (_, i) => `s-${i}`));
    expect(history.runs).toBeGreaterThan(1);
    expect(history.events).toBeLessThan(2_000);
  }, 120_000);
});
