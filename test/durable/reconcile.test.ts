import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { systemClock } from '../../src/clock.js';
import type { Disposition, ObligationKey } from '../../src/contract.js';
import { relayDue } from '../../src/intake/relay.js';
import { reconcile, type Reported } from '../../src/operate/reconcile/reconcile.js';
import type { SurveyDeps } from '../../src/operate/reconcile/survey.js';
import { silentLog } from '../../src/watch/log.js';
import type { Point } from '../../src/watch/points.js';
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

let db: TestDatabase;
let trust: Trust;
let waybill: TestWaybill;
let receiver: Receiver;
let temporal: Awaited<ReturnType<typeof connectTemporal>>;
let client: typeof temporal.client;
/** What the receiver answers, by path; 200 where nothing is set. */
const statuses = new Map<string, number>();

beforeAll(async () => {
  temporal = await connectTemporal(inject('temporalAddress'), 'carol@desk');
  ({ client } = temporal);
  db = await freshDatabase();
  trust = await makeTrust();
  receiver = await startReceiver({
    tls: trust.tls,
    answer: ({ path }, { response }) => void response.writeHead(statuses.get(path) ?? 200).end(),
  });
  // No relay: what the outbox holds stays there until a test says so.
  waybill = await startWaybill(db, temporal, trust, { roles: ['obligations', 'sends'] });
});
afterAll(async () => {
  await waybill.stop();
  await receiver.close();
  await temporal.close();
  await db.drop();
  trust.dispose();
});

const relayDeps = () => ({
  pool: db.pool,
  databaseUrl: db.url,
  starter: { workflows: client.workflow, taskQueue: waybill.taskQueue },
  clock: systemClock,
  log: silentLog,
});

async function run(dryRun = false, graceMs = 0, more: Partial<SurveyDeps> = {}): Promise<Reported[]> {
  const found: Reported[] = [];
  const deps = {
    ...more,
    db: db.pool,
    temporal: more.temporal ?? client.workflow,
    taskQueue: waybill.taskQueue,
    starter: relayDeps().starter,
    relay: relayDeps(),
    graceMs,
    now: () => Promise.resolve(null),
    actor: 'system',
    onFault: (_: unknown, error: unknown) => {
      throw error;
    },
  };
  await reconcile(deps, { dryRun, onFinding: (finding) => found.push(finding) });
  return found;
}

let serial = 0;
/** Subscribers of a label of their own that all answer `status` until told otherwise, and one event to them. */
async function owe(count: number, status: number, relayed = true, policy: Record<string, number> = {}) {
  const name = `rec-${++serial}`;
  const path = `/${name}`;
  statuses.set(path, status);
  const url = `https://localhost:${receiver.port}${path}`;
  const slow = { firstRetryMs: 3_600_000, ceilingMs: 3_600_000, maxTries: 50, timeoutMs: 2_000, ...policy };
  const labels = { name };
  await waybill.client.addSubscribers(
    Array.from({ length: count }, (_, i) => ({ name: `${name}-${i}`, url, labels, policy: slow })),
  );
  const { eventId } = await waybill.client.publish({
    shipment: name,
    version: 1,
    type: 'shipment.late',
    payload: name,
    labels,
  });
  if (relayed) await relayDue(relayDeps());
  return { name, path, eventId, requests: () => receiver.requests.filter((r) => r.path === path) };
}

const rows = (shipment: string) => waybill.client.find({ shipment, limit: 1_000 });
const all = (shipment: string, count: number, ...wanted: Disposition[]) =>
  eventually(
    async () => {
      const found = await rows(shipment);
      return found.length === count && found.every((o) => wanted.includes(o.disposition)) ? found : undefined;
    },
    `all ${count} are ${wanted.join(' or ')}`,
  );

async function deleteWorkflow(workflowId: string): Promise<void> {
  await client.workflowService.deleteWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId },
  });
  await eventually(
    () =>
      client.workflow
        .getHandle(workflowId)
        .describe()
        .then(
          () => undefined,
          () => true,
        ),
    'the workflow is gone',
    60_000,
  );
}
// `rev` moves on as with each change of the product's own: an older answer that is still under way must lose.
const dueNow = (keys: readonly string[]) =>
  db.admin.query(
    'UPDATE waybill.obligations SET next_eligible_at = now(), rev = rev + 1 WHERE key = ANY($1)',
    [keys],
  );
const kinds = (found: readonly Reported[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { kind } of found) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
};

describe('reconciliation', () => {
  it('while everything works finds nothing and changes nothing', async () => {
    const waiting = await owe(5, 500);
    await all(waiting.name, 5, 'waiting');
    const done = await owe(5, 200);
    await all(done.name, 5, 'delivered');
    await eventually(async () => ((await run(true)).length === 0 ? true : undefined), 'all is settled');
    const before = await db.admin.query('SELECT * FROM waybill.obligations ORDER BY key');
    const audit = await db.admin.query('SELECT count(*) AS n FROM waybill.audit');
    expect(await run()).toEqual([]);
    expect((await db.admin.query('SELECT * FROM waybill.obligations ORDER BY key')).rows).toEqual(
      before.rows,
    );
    expect((await db.admin.query('SELECT count(*) AS n FROM waybill.audit')).rows).toEqual(audit.rows);
  });

  it('brings back what was removed by hand: outbox starts, workflows and rows, each by its kind, once', async () => {
    const hit = await owe(20, 500);
    const keys = (await all(hit.name, 20, 'waiting')).map((o) => o.key);
    for (const key of keys.slice(0, 2)) await deleteWorkflow(key);
    await db.admin.query('DELETE FROM waybill.obligations WHERE key = ANY($1)', [keys.slice(2, 4)]);
    const never = await owe(1, 200);
    const [untouched] = await all(never.name, 1, 'delivered');
    const lost = await owe(3, 200, false);
    await db.admin.query('DELETE FROM waybill.outbox WHERE event_id = $1', [lost.eventId]);
    const stuck = await owe(3, 200, false);

    const expected = {
      'outbox-not-relayed': 1,
      'event-not-relayed': 1,
      'workflow-missing': 2,
      'record-missing': 2,
    };
    // Long enough that what the repairs themselves set going isn't taken for stuck.
    const graceMs = 1_500;
    const dry = await eventually(async () => {
      const found = await run(true, graceMs);
      return found.length >= 6 ? found : undefined;
    }, 'the grace is over, and the list of running workflows has caught up');
    expect(kinds(dry)).toEqual(expected);
    expect(dry.every((finding) => finding.did === null)).toBe(true);
    const mended = await run(false, graceMs);
    expect(kinds(mended)).toEqual(expected);
    expect(mended.filter((f) => f.kind === 'record-missing').map((f) => f.did)).toEqual([
      'rebuilt as waiting',
      'rebuilt as waiting',
    ]);

    statuses.set(hit.path, 200);
    await dueNow(keys);
    for (const key of keys) await client.workflow.getHandle(key).signal('recheck');
    await all(hit.name, 20, 'delivered');
    await all(lost.name, 3, 'delivered');
    await all(stuck.name, 3, 'delivered');
    expect(hit.requests()).toHaveLength(40);
    expect([...lost.requests(), ...stuck.requests()]).toHaveLength(6);
    expect(untouched?.attempts).toBe(1);
    await eventually(
      async () => ((await run()).length === 0 ? true : undefined),
      'a second run finds nothing new',
    );
    const { rows: audit } = await db.admin.query<{ reason: string; actor: string }>(
      `SELECT reason, actor FROM waybill.audit WHERE act = 'reconcile'`,
    );
    expect(audit).toHaveLength(6);
    expect(audit.every(({ actor }) => actor === 'system')).toBe(true);
  });

  it('goes on with a small event that was matched and never started, whoever took its outbox row away', async () => {
    const o = await owe(3, 200, false);
    const reached = (point: Point): void => {
      if (point === 'relay.matched') throw new Error('died');
    };
    await relayDue({ ...relayDeps(), reached });
    await db.admin.query('DELETE FROM waybill.outbox WHERE event_id = $1', [o.eventId]);
    const found = (await run()).find(({ eventId }) => eventId === o.eventId);
    expect(found).toMatchObject({ kind: 'event-not-fanned-out', did: 'fan-out started' });
    await all(o.name, 3, 'delivered');
    expect(o.requests()).toHaveLength(3);
  });

  it('holds what may have been sent and is not on record, and sends it only for a person', async () => {
    const o = await owe(1, 500);
    const [row] = await all(o.name, 1, 'waiting');
    const key = row?.key as ObligationKey;
    await db.admin.query('DELETE FROM waybill.obligations WHERE key = $1', [key]);
    await db.admin.query('DELETE FROM waybill.attempt_outcomes WHERE key = $1', [key]);
    const [finding] = await eventually(async () => {
      const found = await run();
      return found.length > 0 ? found : undefined;
    }, 'it is found');
    expect(finding).toMatchObject({ kind: 'record-missing', key, did: 'rebuilt and held as record-lost' });
    expect((await rows(o.name))[0]).toMatchObject({
      disposition: 'held',
      heldReason: 'record-lost',
      heldBy: 'system',
    });
    expect(o.requests()).toHaveLength(1);
    statuses.set(o.path, 200);
    await waybill.client.resume(key, { actor: 'ann', reason: 'asked the partner: not received' });
    await relayDue(relayDeps());
    await all(o.name, 1, 'delivered');
    expect(o.requests()).toHaveLength(2);
  });

  it('brings back rows whose workflow is gone or over, too, from what is left of either', async () => {
    const open = await owe(3, 500);
    const [a, b, c] = (await all(open.name, 3, 'waiting')).map((o) => o.key) as string[] as [
      string,
      string,
      string,
    ];
    const done = await owe(3, 200);
    const [d, e, f] = (await all(done.name, 3, 'delivered')).map((o) => o.key) as string[] as [
      string,
      string,
      string,
    ];
    for (const key of [d, e, f]) await client.workflow.getHandle(key).result();
    for (const key of [a, b, f]) await deleteWorkflow(key);
    await client.workflow.getHandle(c).terminate('not wanted');
    await db.admin.query('DELETE FROM waybill.obligations WHERE key = ANY($1)', [[a, b, c, d, e, f]]);
    for (const table of ['attempt_intents', 'attempt_outcomes'])
      await db.admin.query(`DELETE FROM waybill.${table} WHERE key = ANY($1)`, [[b, e, f]]);

    const dry = await run(true);
    expect(dry.map(({ kind, key }) => `${kind} ${key}`).sort()).toEqual(
      [a, b, c, d, e, f].map((key) => `record-missing ${key}`).sort(),
    );
    const did = new Map((await run()).map((found) => [found.key, found.did]));
    expect(Object.fromEntries(did)).toEqual({
      [a]: 'rebuilt as waiting; workflow started',
      [b]: 'rebuilt and held as record-lost; workflow started',
      [c]: 'rebuilt; terminated, as temporal:carol@desk did in Temporal',
      [d]: 'rebuilt as delivered',
      [e]: 'rebuilt, adopted as delivered',
      [f]: 'rebuilt and held as record-lost; workflow started',
    });
    expect(await run()).toEqual([]);
    statuses.set(open.path, 200);
    await dueNow([a, b, c]);
    for (const key of [a, b, f]) await client.workflow.getHandle(key).signal('recheck');
    await eventually(async () => {
      const [row] = await waybill.client.find({ key: a });
      return row?.disposition === 'delivered' ? true : undefined;
    }, 'what is on record goes on');
    const now = await Promise.all([b, c, d, e, f].map((key) => waybill.client.find({ key })));
    expect(now.map(([row]) => row?.disposition)).toEqual([
      'held',
      'terminated',
      'delivered',
      'delivered',
      'held',
    ]);
    expect(open.requests()).toHaveLength(4);
    expect(done.requests()).toHaveLength(3);
  }, 200_000);

  it('takes a termination or cancellation in Temporal’s own tools for what it is: a person’s decision', async () => {
    const o = await owe(2, 500);
    const [a, b] = (await all(o.name, 2, 'waiting')).map((row) => row.key) as [ObligationKey, ObligationKey];
    await client.workflow.getHandle(a).terminate('wrong shipment');
    await client.workflow.getHandle(b).cancel();
    await eventually(async () => {
      const { status } = await client.workflow.getHandle(b).describe();
      return status.name === 'CANCELLED' ? true : undefined;
    }, 'it is cancelled');
    expect(kinds(await run())).toEqual({ 'workflow-terminated': 1, 'workflow-cancelled': 1 });
    await all(o.name, 2, 'terminated');
    expect((await waybill.client.trace(a)).audit).toMatchObject([
      { act: 'terminate', actor: 'temporal:carol@desk', reason: 'wrong shipment', source: 'temporal' },
      { act: 'reconcile', reason: 'workflow-terminated' },
    ]);
    expect(await run()).toEqual([]);
  });

  it('notes a reset once, and nothing that is on record is sent again', async () => {
    const o = await owe(1, 500);
    const [row] = await all(o.name, 1, 'waiting');
    const key = row?.key as ObligationKey;
    await client.workflowService.resetWorkflowExecution({
      namespace: 'default',
      workflowExecution: { workflowId: key },
      workflowTaskFinishEventId: 4 as never, // a Long, by its type; the wire takes a number
      reason: 'curious',
      requestId: `${key}-reset`,
    });
    const found = await eventually(async () => {
      const findings = await run();
      return findings.length > 0 ? findings : undefined;
    }, 'it is found');
    expect(found).toMatchObject([{ kind: 'workflow-reset', key }]);
    expect(await run()).toEqual([]);
    expect((await rows(o.name))[0]).toMatchObject({ disposition: 'waiting', attempts: 1 });
    expect(o.requests()).toHaveLength(1);
  });

  it('going by what Temporal lists as running, reads what isn’t listed or was reset, and of the rest as many as it is told', async () => {
    const o = await owe(6, 500);
    const keys = (await all(o.name, 6, 'waiting')).map((row) => row.key);
    const [gone, ended, reset] = keys as [ObligationKey, ObligationKey, ObligationKey];
    await deleteWorkflow(gone);
    await client.workflow.getHandle(ended).terminate('wrong shipment');
    await client.workflowService.resetWorkflowExecution({
      namespace: 'default',
      workflowExecution: { workflowId: reset },
      workflowTaskFinishEventId: 4 as never,
      reason: 'curious',
      requestId: `${reset}-reset`,
    });
    await eventually(async () => {
      const listed = new Set<string>();
      const query = `WaybillShipment = '${o.name}' AND ExecutionStatus = 'Running'`;
      for await (const { workflowId } of client.workflow.list({ query })) listed.add(workflowId);
      return listed.size === 4 && keys.slice(2).every((key) => listed.has(key)) ? true : undefined;
    }, 'the list is up to date');
    const read: string[] = [];
    const temporal = Object.create(client.workflow) as typeof client.workflow;
    temporal.getHandle = (id: string, ...run) => {
      read.push(id);
      return client.workflow.getHandle(id, ...run);
    };
    const ofThese = () => new Set(read.filter((id) => keys.includes(id as ObligationKey)));

    const found = await run(true, 0, { temporal, readsOfListed: 0 });
    expect(kinds(found)).toEqual({ 'workflow-missing': 1, 'workflow-terminated': 1, 'workflow-reset': 1 });
    expect(ofThese()).toEqual(new Set([gone, ended, reset]));
    read.length = 0;
    expect(await run(true, 0, { temporal, readsOfListed: 1_000_000 })).toEqual(found);
    expect(ofThese()).toEqual(new Set(keys));
    expect(kinds(await run())).toEqual(kinds(found));
    const tookMs: number[] = [];
    const rest = (ms: number) => Promise.resolve(void tookMs.push(ms));
    expect(await run(true, 0, { readsOfListed: 0, rest })).toEqual([]);
    expect(tookMs.length).toBeGreaterThan(0);
    expect(tookMs.every((ms) => ms > 0)).toBe(true);
  });

  it('adopts the end of a workflow where the ledger is behind: a database from an older backup', async () => {
    const o = await owe(1, 200);
    const [row] = await all(o.name, 1, 'delivered');
    const key = row?.key as ObligationKey;
    await client.workflow.getHandle(key).result();
    await db.admin.query(
      `UPDATE waybill.obligations SET disposition = 'pending', attempts = 0, try = 0, finished_at = NULL WHERE key = $1`,
      [key],
    );
    await db.admin.query('DELETE FROM waybill.attempt_outcomes WHERE key = $1', [key]);
    await db.admin.query('DELETE FROM waybill.attempt_intents WHERE key = $1', [key]);
    expect(await run()).toMatchObject([{ kind: 'workflow-closed', key, did: 'adopted as delivered' }]);
    expect(await rows(o.name)).toMatchObject([{ disposition: 'delivered' }]);
    expect(o.requests()).toHaveLength(1);
  });

  it('records a lease that ran out, and the delivery goes on', async () => {
    const o = await owe(1, 500);
    const [row] = await all(o.name, 1, 'waiting');
    const key = row?.key as ObligationKey;
    statuses.set(o.path, 200);
    await db.admin.query(
      `UPDATE waybill.obligations SET disposition = 'attempting', attempts = 2, lease_attempt = 2, lease_try = 2,
        lease_until = now() - interval '1 s' WHERE key = $1`,
      [key],
    );
    expect(await run()).toMatchObject([
      { kind: 'lease-ran-out', key, did: 'recorded as unknown, workflow told' },
    ]);
    await all(o.name, 1, 'delivered');
  });

  it('leaves what is only under way alone: a grace time', async () => {
    const o = await owe(1, 200, false);
    const found: Reported[] = [];
    const deps = { ...relayDeps(), db: db.pool, temporal: client.workflow, taskQueue: waybill.taskQueue };
    await reconcile(
      { ...deps, relay: relayDeps(), graceMs: 60_000, now: () => Promise.resolve(null), actor: 'system' },
      { dryRun: true, onFinding: (finding) => found.push(finding) },
    );
    expect(found).toEqual([]);
    await relayDue(relayDeps());
    await all(o.name, 1, 'delivered');
  });
});
