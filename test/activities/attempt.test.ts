import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { attempt, type AttemptControl, type AttemptDeps } from '../../src/activities/attempt.js';
import { systemClock } from '../../src/clock.js';
import { LeaseInFlight, RecordLost, WorkerStopping } from '../../src/activities/faults.js';
import type { ObligationKey } from '../../src/contract.js';
import { postgresPayloads, verifiedPayloads } from '../../src/ledger/payloads.js';
import type { Settlement } from '../../src/ledger/settle.js';
import { attemptsOf } from '../../src/ledger/trace.js';
import { updateSubscriber } from '../../src/operate/subscribers.js';
import { silentLog } from '../../src/watch/log.js';
import { parseAllowList } from '../../src/wire/allow-list.js';
import { SealKeyMissing } from '../../src/wire/seal.js';
import { makeWire, type Wire } from '../../src/wire/send.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import {
  claim,
  claimGo,
  desk,
  makeObligations,
  settle,
  settlement,
  testSealer,
} from '../support/obligations.js';
import { startReceiver, type Receiver, type Received, type Reply } from '../support/receiver.js';
import { makeTrust, type Trust } from '../support/waybill.js';

let db: TestDatabase;
let trust: Trust;
let wire: Wire;
let receiver: Receiver;
let respond: (request: Received, reply: Reply) => void;

beforeAll(async () => {
  db = await freshDatabase();
  trust = await makeTrust();
  wire = makeWire({
    allow: parseAllowList('localhost,127.0.0.0/8'),
    extraCa: readFileSync(trust.caFile, 'utf8'),
  });
  receiver = await startReceiver({ tls: trust.tls, answer: (request, reply) => respond(request, reply) });
});
afterEach(() => receiver.requests.splice(0));
afterAll(async () => {
  wire.close();
  await receiver.close();
  await db.drop();
  trust.dispose();
});

const ok: typeof respond = (_, { response }) => void response.writeHead(200).end('thanks');

const depsWith = (more: Partial<AttemptDeps> = {}): AttemptDeps => ({
  claim: ({ key, round, tryNumber }) => claim(db.pool, key, { round, tryNumber }),
  settle: (item) => settle(db.pool, item),
  payload: verifiedPayloads(postgresPayloads(db.pool), 1_000_000),
  open: testSealer.open,
  send: wire.send,
  clock: systemClock,
  random: () => 0.5,
  log: silentLog,
  ...more,
});

const control = (more: Partial<AttemptControl> = {}): AttemptControl => ({
  signal: new AbortController().signal,
  remembered: undefined,
  remember: () => Promise.resolve(),
  ...more,
});

async function oweOne(): Promise<ObligationKey> {
  const { keys } = await makeObligations(db.pool, 1, { url: `https://localhost:${receiver.port}/hook` });
  return keys[0] as ObligationKey;
}

const databaseDown = (): Error => Object.assign(new Error('terminating connection'), { code: '57P01' });

describe('an attempt', () => {
  it('claims, sends and settles, and the answer is where the obligation stands', async () => {
    respond = ok;
    const key = await oweOne();
    const standing = await attempt(depsWith(), { key, round: 0, tryNumber: 1 }, control());
    expect(standing).toMatchObject({ is: 'over', disposition: 'delivered', attempts: 1 });
    expect(await attemptsOf(db.pool, key)).toMatchObject([
      { outcome: 'delivered', status: 200, responseBytes: 6 },
    ]);
  });

  it('whose claim’s answer was lost, twice, asks again and sends once: no crash is on record', async () => {
    respond = ok;
    const key = await oweOne();
    let lost = 2;
    const standing = await attempt(
      depsWith({
        claim: async ({ key: asked, round, tryNumber, token }) => {
          const answer = await claim(db.pool, asked, { round, tryNumber, ...(token ? { token } : {}) });
          if (lost-- > 0) throw databaseDown();
          return answer;
        },
      }),
      { key, round: 0, tryNumber: 1 },
      control(),
    );
    expect(standing).toMatchObject({ disposition: 'delivered', attempts: 1 });
    expect(await attemptsOf(db.pool, key)).toMatchObject([{ attempt: 1, outcome: 'delivered' }]);
    expect(receiver.requests).toHaveLength(1);
  });

  it('repeated after a recorded success makes no second send', async () => {
    respond = ok;
    const key = await oweOne();
    for (let i = 0; i < 3; i++) await attempt(depsWith(), { key, round: 0, tryNumber: 1 }, control());
    expect(receiver.requests).toHaveLength(1);
  });

  it('waits out another lease, and says for how long', async () => {
    const key = await oweOne();
    await claimGo(db.pool, key);
    const second = attempt(depsWith(), { key, round: 0, tryNumber: 1 }, control());
    await expect(second).rejects.toBeInstanceOf(LeaseInFlight);
    await second.catch((error: LeaseInFlight) => expect(error.waitMs).toBeGreaterThan(1_000));
    expect(receiver.requests).toEqual([]);
  });

  it('of a worker that stood still past its lease sends nothing beside the one that took over', async () => {
    const { keys, account } = await makeObligations(db.pool, 1, {
      url: `https://localhost:${receiver.port}/hook`,
      policy: { timeoutMs: 400 },
    });
    const key = keys[0] as ObligationKey;
    const input = { key, round: 0, tryNumber: 1 };
    const shortLease: Partial<AttemptDeps> = {
      claim: (request) => claim(db.pool, request.key, { ...request, leaseMarginMs: 100 }),
    };
    const payload = depsWith().payload;
    let open = 0;
    let most = 0;
    let letTheSecondAnswer = (): void => undefined;
    respond = (_, { response }) => {
      most = Math.max(most, (open += 1));
      letTheSecondAnswer = () => {
        open -= 1;
        response.writeHead(200).end();
      };
    };

    let second: Promise<unknown> = Promise.resolve();
    const first = attempt(
      depsWith({
        ...shortLease,
        // Claimed and about to send, and then not a step for longer than the lease.
        payload: async (event) => {
          await new Promise((resolve) => setTimeout(resolve, 700));
          // The one that takes over has all the time it needs.
          await updateSubscriber(desk(db.pool, account), 's0', { policy: { timeoutMs: 20_000 } }, 'test');
          second = attempt(depsWith({ payload }), input, control());
          await receiver.until(() => receiver.requests.length === 1);
          return payload(event);
        },
      }),
      input,
      control(),
    );
    await first; // its send is over while the second one's is still open
    expect(most).toBe(1);
    letTheSecondAnswer();
    await second;

    expect(receiver.requests.map((r) => r.headers['waybill-attempt'])).toEqual(['2']);
    expect(await attemptsOf(db.pool, key)).toMatchObject([
      { attempt: 1, outcome: 'unknown', class: 'worker_crash', late: false, counted: false },
      { attempt: 1, outcome: 'cancelled', class: 'lease_over', late: true, sent: 'no' }, // and changes nothing
      { attempt: 2, outcome: 'delivered', disposition: 'delivered' },
    ]);
  });

  it('after a crash puts the unknown on record and goes on with the same try', async () => {
    respond = ok;
    const key = await oweOne();
    await claimGo(db.pool, key);
    await db.admin.query(
      `UPDATE waybill.obligations SET lease_until = now() - interval '1 s' WHERE key = $1`,
      [key],
    );
    await attempt(depsWith(), { key, round: 0, tryNumber: 1 }, control());
    expect((await attemptsOf(db.pool, key)).map((a) => [a.attempt, a.tryNumber, a.outcome, a.class])).toEqual(
      [
        [1, 1, 'unknown', 'worker_crash'],
        [2, 1, 'delivered', 'success'],
      ],
    );
    expect(receiver.requests.map((r) => r.headers['waybill-attempt'])).toEqual(['2']);
  });

  it('whose verdict the ledger can not take gives it to Temporal first, then records it without a second send', async () => {
    respond = ok;
    const key = await oweOne();
    const happened: string[] = [];
    let failures = 3;
    const standing = await attempt(
      depsWith({
        settle: (item) => {
          if (failures-- > 0) {
            happened.push('settle failed');
            return Promise.reject(databaseDown());
          }
          happened.push('settled');
          return settle(db.pool, item);
        },
      }),
      { key, round: 0, tryNumber: 1 },
      control({
        remember: (verdict) => {
          happened.push('remembered');
          expect(JSON.stringify(verdict)).not.toContain(Buffer.from('thanks').toString('base64'));
          return Promise.resolve();
        },
      }),
    );
    expect(standing.disposition).toBe('delivered');
    expect(happened).toEqual(['settle failed', 'remembered', 'settle failed', 'settle failed', 'settled']);
    expect(receiver.requests).toHaveLength(1);
  });

  it('whose verdict a stalled ledger takes long over gives it to Temporal meanwhile', async () => {
    respond = ok;
    const key = await oweOne();
    let letGo: (() => void) | undefined;
    const stalled = new Promise<void>((resolve) => (letGo = resolve));
    const standing = await attempt(
      depsWith({ settle: (item) => stalled.then(() => settle(db.pool, item)) }),
      { key, round: 0, tryNumber: 1 },
      control({
        remember: (verdict) => {
          expect(verdict).toMatchObject({ key, outcome: 'delivered' });
          letGo?.();
          return Promise.resolve();
        },
      }),
    );
    expect(standing.disposition).toBe('delivered');
    expect(receiver.requests).toHaveLength(1);
  });

  it('begins with what an execution before it could not record', async () => {
    const key = await oweOne();
    const go = await claimGo(db.pool, key);
    const remembered: Settlement = settlement(
      key,
      go.attempt,
      'delivered',
      { to: 'delivered' },
      { status: 200 },
    );
    const standing = await attempt(depsWith(), { key, round: 0, tryNumber: 1 }, control({ remembered }));
    expect(standing.disposition).toBe('delivered');
    expect(receiver.requests).toEqual([]);
  });

  it('stops trying to record when the drain is over, with the verdict held by Temporal', async () => {
    respond = ok;
    const key = await oweOne();
    const stop = new AbortController();
    let held: Settlement | undefined;
    const stopping = attempt(
      depsWith({ settle: () => Promise.reject(databaseDown()) }),
      { key, round: 0, tryNumber: 1 },
      control({
        signal: stop.signal,
        remember: (verdict) => {
          held = verdict;
          stop.abort('shutdown');
          return Promise.resolve();
        },
      }),
    );
    await expect(stopping).rejects.toBeInstanceOf(WorkerStopping);
    expect(held).toMatchObject({ outcome: 'delivered' });
  });

  it('cut by a shutdown after the last byte is unknown, uses no try, and is left to another worker', async () => {
    const stop = new AbortController();
    respond = () => stop.abort('shutdown');
    const key = await oweOne();
    const cut = attempt(depsWith(), { key, round: 0, tryNumber: 1 }, control({ signal: stop.signal }));
    await expect(cut).rejects.toBeInstanceOf(WorkerStopping);
    expect(await attemptsOf(db.pool, key)).toMatchObject([
      { outcome: 'unknown', class: 'shutdown', sent: 'maybe', counted: false, disposition: 'waiting' },
    ]);
    respond = ok;
    await attempt(depsWith(), { key, round: 0, tryNumber: 1 }, control());
    expect(receiver.requests).toHaveLength(2);
  });

  it.each([
    [
      'a sealing key is missing',
      {
        open: () => {
          throw new SealKeyMissing('k9');
        },
      },
    ],
    ['the payload store does not answer', { payload: () => Promise.reject(databaseDown()) }],
  ] as [string, Partial<AttemptDeps>][])(
    'when %s is our own fault: nothing sent, nothing charged, tried again',
    async (_, broken) => {
      respond = ok;
      const key = await oweOne();
      const standing = await attempt(depsWith(broken), { key, round: 0, tryNumber: 1 }, control());
      expect(standing).toMatchObject({ is: 'waiting', tries: 0 });
      expect(standing.waitMs).toBeGreaterThan(1_000);
      expect(await attemptsOf(db.pool, key)).toMatchObject([
        { outcome: 'cancelled', class: 'own_fault', sent: 'no', counted: false, disposition: 'waiting' },
      ]);
      expect(receiver.requests).toEqual([]);
      await db.admin.query('UPDATE waybill.obligations SET next_eligible_at = now() WHERE key = $1', [key]);
      expect((await attempt(depsWith(), { key, round: 0, tryNumber: 1 }, control())).disposition).toBe(
        'delivered',
      );
    },
  );

  it('of something the ledger does not know sends nothing', async () => {
    const lost = attempt(depsWith(), { key: 'a:b:1' as ObligationKey, round: 0, tryNumber: 1 }, control());
    await expect(lost).rejects.toBeInstanceOf(RecordLost);
  });

  it('sends what was published, signed at that moment, to the byte', async () => {
    respond = ok;
    const key = await oweOne();
    await attempt(depsWith(), { key, round: 0, tryNumber: 1 }, control());
    const [request] = receiver.requests;
    expect(request?.body).toEqual(Buffer.from('{"n":1}'));
    expect(request?.headers).toMatchObject({
      'webhook-id': key,
      'idempotency-key': key,
      'waybill-event-type': 'shipment.delivered',
      'waybill-version': '1',
      'waybill-attempt': '1',
      'content-length': '7',
    });
    const ageSeconds = Date.now() / 1000 - Number(request?.headers['webhook-timestamp']);
    expect(Math.abs(ageSeconds)).toBeLessThan(60);
  });
});
