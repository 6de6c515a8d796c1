import type { ChildProcess } from 'node:child_process';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WaybillClient } from '../../src/client.js';
import { loadConfig } from '../../src/config.js';
import type { Check } from '../../src/operate/doctor.js';
import {
  ended,
  environment,
  errorOf,
  freshNamespace,
  row,
  says,
  start,
  waybill,
  type Env,
  type Ran,
} from '../cli/run.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { startReceiver, type Received, type Receiver, type Reply } from '../support/receiver.js';
import { eventually, makeTrust, type Trust } from '../support/waybill.js';

/** Each worker is a process of its own, as `waybill worker` runs, and bundles the workflows as it starts. */
const TEST_MS = 120_000;
const START_MS = 60_000;
const POLICY = { firstRetryMs: 500, ceilingMs: 1_000, maxTries: 5, timeoutMs: 20_000 };

interface Worker {
  readonly child: ChildProcess;
  readonly ended: Promise<Ran>;
  /** Resolves once its log holds the line; rejects where it ends before. */
  logs(line: string): Promise<void>;
}

let trust: Trust;
let db: TestDatabase;
let receiver: Receiver;
let client: WaybillClient;
let env: Env;
let answer: (request: Received, reply: Reply) => void;
const workers = new Set<Worker>();

const ok: typeof answer = (_, { response }) => void response.writeHead(200).end();

beforeAll(async () => {
  trust = await makeTrust();
});
beforeEach(async () => {
  db = await freshDatabase();
  receiver = await startReceiver({ tls: trust.tls, answer: (request, reply) => answer(request, reply) });
  env = {
    ...environment(db, await freshNamespace()),
    WAYBILL_ALLOW: 'localhost',
    WAYBILL_EXTRA_CA_FILE: trust.caFile,
    WAYBILL_LEASE_MARGIN_MS: '3000',
  };
  expect((await waybill(['setup'], env)).code).toBe(0);
  client = new WaybillClient({ config: loadConfig({ ...env, WAYBILL_DRAIN_MS: '60000' }), actor: 'test' });
}, TEST_MS);
afterEach(async () => {
  for (const { child, ended: over } of workers) {
    child.kill('SIGKILL');
    await over;
  }
  workers.clear();
  await client.close();
  await receiver.close();
  await db.drop();
}, TEST_MS);
afterAll(() => trust.dispose());

async function startWorker(more: Env = {}, roles = 'relay,obligations,sends'): Promise<Worker> {
  const child = start(['worker', '--json', '--roles', roles], { ...env, WAYBILL_LOG_LEVEL: 'info', ...more });
  let log = '';
  child.stderr?.on('data', (chunk: Buffer | string) => (log += chunk.toString()));
  const over = ended(child);
  let code: number | null | undefined;
  void over.then((ran) => (code = ran.code));
  const worker: Worker = {
    child,
    ended: over,
    logs: (line) =>
      eventually(async () => {
        if (log.includes(line)) return true;
        if (code !== undefined) throw new Error(`ended with ${code} before '${line}':\n${log.slice(-2_000)}`);
        return undefined;
      }, line).then(() => undefined),
  };
  workers.add(worker);
  await says(child, '"ready":true');
  return worker;
}

const owe = (names: readonly string[], policy: Readonly<Record<string, number>> = POLICY) =>
  client.addSubscribers(
    names.map((name) => ({ name, url: `https://localhost:${receiver.port}/${name}`, policy })),
  );
const publish = (shipment: string) =>
  client.publish({ shipment, version: 1, type: 'shipment.late', payload: shipment });
const seen = (count: number) =>
  eventually(
    async () => (receiver.requests.length >= count ? true : undefined),
    `${count} requests`,
    START_MS,
  );
const keys = (): string[] => receiver.requests.map((request) => String(request.headers['webhook-id']));

/** All obligations of a shipment, once there are so many and all are delivered. */
const delivered = (shipment: string, count: number, withinMs = START_MS) =>
  eventually(
    async () => {
      const rows = await client.find({ shipment, limit: 1_000 });
      return rows.length === count && rows.every((o) => o.disposition === 'delivered') ? rows : undefined;
    },
    `${count} of ${shipment} are delivered`,
    withinMs,
  );

/** Tries charged to the subscriber, by the ledger. */
async function triesOf(shipment: string): Promise<number[]> {
  const { rows } = await db.pool.query<{ try: number }>(
    `SELECT o.try FROM waybill.obligations o JOIN waybill.events e ON e.id = o.event_id WHERE e.shipment_id = $1`,
    [shipment],
  );
  return rows.map((r) => r.try);
}

describe('SIGTERM in the middle of a send', () => {
  it(
    'lets it end and be recorded, takes nothing else up, and ends with 0; the rest is the next worker’s',
    async () => {
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      answer = (_, { response }) => void released.then(() => response.writeHead(200).end());
      await owe(['a', 'b']);
      const first = await startWorker({ WAYBILL_CONCURRENT_SENDS: '1' });
      await publish('slow');
      await seen(1); // and the other one waits for the only slot

      first.child.kill('SIGTERM');
      await first.logs('worker.draining');
      await publish('meanwhile');
      await new Promise((resolve) => setTimeout(resolve, 3_000)); // what the receiver takes to answer
      release();
      expect((await first.ended).code).toBe(0);

      expect(receiver.requests).toHaveLength(1);
      const [served] = keys() as [string];
      const { obligation, attempts } = await client.trace(served);
      expect(obligation).toMatchObject({ disposition: 'delivered' });
      expect(attempts).toMatchObject([{ outcome: 'delivered', counted: true }]);
      const { rows } = await db.pool.query(`SELECT FROM waybill.outbox`);
      expect(rows).toHaveLength(1); // nobody has relayed what came after the signal

      await startWorker();
      await delivered('slow', 2);
      await delivered('meanwhile', 2);
      expect(keys()).toHaveLength(new Set(keys()).size);
      expect([...(await triesOf('slow')), ...(await triesOf('meanwhile'))]).toEqual([1, 1, 1, 1]);
    },
    TEST_MS,
  );

  it(
    'that is not answered before the drain is over is unknown, charged to nobody and repeated under its key',
    async () => {
      answer = () => undefined;
      // A deadline that was raised, from elsewhere, after the worker had started: the one way past the refusal.
      await owe(['a'], { ...POLICY, timeoutMs: 1_000 });
      const first = await startWorker({ WAYBILL_DRAIN_MS: '4000' });
      await client.updateSubscriber('a', { policy: { timeoutMs: 40_000 } });
      await publish('cut');
      await seen(1);
      first.child.kill('SIGTERM');
      expect((await first.ended).code).toBe(0);

      const [key] = keys() as [string];
      expect((await client.trace(key)).attempts).toMatchObject([
        { outcome: 'unknown', class: 'shutdown', sent: 'maybe', counted: false },
      ]);
      expect(await triesOf('cut')).toEqual([0]);

      answer = ok;
      await startWorker({ WAYBILL_DRAIN_MS: '50000' });
      await delivered('cut', 1);
      expect(keys()).toEqual([key, key]);
      expect(receiver.requests.map((r) => r.headers['waybill-attempt'])).toEqual(['1', '2']);
      expect(await triesOf('cut')).toEqual([1]);
    },
    TEST_MS,
  );

  it(
    'and a second one, a moment later, cuts and records it as unknown at once, and ends with 130',
    async () => {
      answer = () => undefined;
      await owe(['a']);
      const first = await startWorker();
      await publish('twice');
      await seen(1);
      first.child.kill('SIGTERM');
      await first.logs('worker.draining');
      await new Promise((resolve) => setTimeout(resolve, 1_200));
      const toldAtMs = performance.now();
      first.child.kill('SIGINT');
      await first.logs('worker.cutting_sends');
      expect((await first.ended).code).toBe(130);
      expect(performance.now() - toldAtMs).toBeLessThan(POLICY.timeoutMs / 2);
      const [key] = keys() as [string];
      expect((await client.trace(key)).attempts).toMatchObject([
        { outcome: 'unknown', class: 'shutdown', counted: false },
      ]);

      answer = ok;
      await startWorker();
      await delivered('twice', 1);
      expect(keys()).toEqual([key, key]);
      expect(await triesOf('twice')).toEqual([1]);
    },
    TEST_MS,
  );

  it(
    'and the same word by two ways is one: the drain goes on',
    async () => {
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      answer = (_, { response }) => void released.then(() => response.writeHead(200).end());
      await owe(['a']);
      const first = await startWorker();
      await publish('doubled');
      await seen(1);
      first.child.kill('SIGTERM');
      first.child.kill('SIGINT');
      await first.logs('worker.same_signal');
      release();
      expect((await first.ended).code).toBe(0);
      await delivered('doubled', 1);
      expect(keys()).toHaveLength(1);
    },
    TEST_MS,
  );
});

describe('five deployments in a row under 50 deliveries to slow receivers', () => {
  const ROLLS = 5;
  const DELIVERIES = 50;

  it('charge no try, repeat nothing without an unknown, and lose nothing', async () => {
    let answered = 0;
    answer = ({ path }, { response }) => {
      const slowMs = 2_000 + (Number(path.slice(2)) % 7) * 300;
      setTimeout(() => {
        answered += 1;
        response.writeHead(200).end();
      }, slowMs);
    };
    await owe(Array.from({ length: DELIVERIES }, (_, i) => `s${i}`));
    const few = { WAYBILL_CONCURRENT_SENDS: '5', WAYBILL_CONCURRENT_RETRIES: '5' };
    const deploy = () => startWorker(few, 'relay,sends');
    const end = async (worker: Worker): Promise<void> => {
      worker.child.kill('SIGTERM');
      expect((await worker.ended).code).toBe(0);
      workers.delete(worker);
    };
    let keepers = await startWorker({}, 'obligations');
    let current = await deploy();
    await publish('rolling');
    const inFlight: number[] = [];
    for (let roll = 0; roll < ROLLS; roll++) {
      await seen(receiver.requests.length + 2);
      inFlight.push(receiver.requests.length - answered);
      const [next] = await Promise.all([deploy(), end(current)]);
      current = next;
      if (roll === ROLLS >> 1) [keepers] = await Promise.all([startWorker({}, 'obligations'), end(keepers)]);
    }
    await delivered('rolling', DELIVERIES, 240_000);

    expect(inFlight.filter((sends) => sends === 0)).toEqual([]); // each deployment met sends under way
    expect(await triesOf('rolling')).toEqual(Array.from({ length: DELIVERIES }, () => 1));
    const { rows: unknown } = await db.pool.query<{ key: string }>(
      `SELECT key FROM waybill.attempt_outcomes WHERE outcome = 'unknown'`,
    );
    const explained = new Map<string, number>();
    for (const { key } of unknown) explained.set(key, (explained.get(key) ?? 0) + 1);
    const further = new Map<string, number>();
    for (const key of keys()) further.set(key, (further.get(key) ?? -1) + 1);
    expect(further.size).toBe(DELIVERIES);
    for (const [key, count] of further)
      expect([key, count <= (explained.get(key) ?? 0)]).toEqual([key, true]);
    // The drain covers every deadline, so that not even an unknown is left behind.
    expect(unknown).toEqual([]);
  }, 600_000);
});

describe('a drain shorter than the longest attempt', () => {
  it(
    'is refused at start-up and by doctor, and does not matter to a worker that sends nothing',
    async () => {
      await owe(['brief', 'patient']);
      const short = { ...env, WAYBILL_DRAIN_MS: '22999' };
      const refused = await waybill(['worker', '--json'], short);
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      expect(errorOf(refused)).toMatchObject({ code: 'config_invalid', field: 'WAYBILL_DRAIN_MS' });
      expect(errorOf(refused).message).toContain('set it to 23000 or more');

      const doctor = await waybill(['doctor', '--json'], short);
      expect(doctor.code).toBe(6);
      const { checks } = row<{ checks: Check[] }>(doctor);
      expect(checks.filter((check) => !check.ok).map((check) => check.name)).toEqual(['times']);

      const child = start(['worker', '--json', '--roles', 'relay,obligations'], short);
      const over = ended(child);
      await says(child, '"ready":true');
      child.kill('SIGTERM');
      expect((await over).code).toBe(0);

      await client.updateSubscriber('brief', { policy: { timeoutMs: 1_000 } });
      expect((await waybill(['subscriber', 'remove', 'patient', '--reason', 'gone'], env)).code).toBe(0);
      const worker = await startWorker({ WAYBILL_DRAIN_MS: '22999' });
      worker.child.kill('SIGINT');
      expect((await worker.ended).code).toBe(0);
    },
    TEST_MS,
  );

  it('can not come about by a deadline: what passes it is refused at every door, and nothing else is', async () => {
    const url = `https://localhost:${receiver.port}/`;
    const own = new WaybillClient({
      config: loadConfig({ ...env, WAYBILL_DRAIN_MS: '25000' }),
      actor: 'test',
    });
    try {
      await own.addSubscriber({ name: 'a', url, policy: { timeoutMs: 22_000 } });
      const refused = { code: 'invalid_field', field: 'policy.timeoutMs' };
      await expect(own.updateSubscriber('a', { policy: { timeoutMs: 22_001 } })).rejects.toMatchObject(
        refused,
      );
      await expect(
        own.addSubscriber({ name: 'b', url, policy: { timeoutMs: 22_001 } }),
      ).rejects.toMatchObject(refused);
      await expect(
        own.addSubscribers([
          { name: 'b', url },
          { name: 'c', url, policy: { timeoutMs: 22_001 } },
        ]),
      ).rejects.toMatchObject({ ...refused, field: '[1].policy.timeoutMs' });
      const { rows } = await db.pool.query(
        `SELECT name, policy -> 'timeoutMs' AS ms FROM waybill.subscribers`,
      );
      expect(rows).toEqual([{ name: 'a', ms: 22_000 }]);

      await client.updateSubscriber('a', { policy: { timeoutMs: 40_000 } });
      const changed = await own.updateSubscriber('a', { policy: { maxTries: 3 } });
      expect(changed.policy).toMatchObject({ maxTries: 3, timeoutMs: 40_000 });
    } finally {
      await own.close();
    }
  });
});
