import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ObligationKey, SubscriberId } from '../../src/contract.js';
import { actOnObligation, actOnSubscriber } from '../../src/ledger/acts.js';
import { claimMany, type ClaimAnswer } from '../../src/ledger/claim.js';
import { attemptsOf } from '../../src/ledger/trace.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { claim, claimGo, makeObligations, settle, settlement } from '../support/obligations.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.drop());

const word = (requestId: string) => ({ actor: 'ann', reason: 'drill', requestId });

describe('who may send', () => {
  it('gives a lease, writes the intent, and numbers attempts without gaps', async () => {
    const { keys } = await makeObligations(db.pool, 1, { policy: { timeoutMs: 3_000 } });
    const key = keys[0] as ObligationKey;
    const first = await claimGo(db.pool, key);
    expect(first).toMatchObject({ attempt: 1, leaseMs: 13_000 });
    await settle(db.pool, settlement(key, 1, 'failed', { to: 'waiting' }));
    expect((await claimGo(db.pool, key, { tryNumber: 2 })).attempt).toBe(2);
    const attempts = await attemptsOf(db.pool, key);
    expect(attempts.map((a) => [a.attempt, a.tryNumber, a.initiator, a.outcome])).toEqual([
      [1, 1, 'publish', 'failed'],
      [2, 2, 'schedule', null],
    ]);
  });

  it('lets nobody else in while a lease runs', async () => {
    const { keys } = await makeObligations(db.pool, 1);
    const key = keys[0] as ObligationKey;
    await claimGo(db.pool, key);
    const second = await claim(db.pool, key);
    expect(second.answer).toBe('in_flight');
    expect((second as { waitMs: number }).waitMs).toBeGreaterThan(20_000);
  });

  it('gives the lease that stands to whoever asks again with its token, and to nobody else', async () => {
    const now = new Date('2026-11-30T12:00:00Z');
    const later = (ms: number) => new Date(now.getTime() + ms);
    const { keys } = await makeObligations(db.pool, 1, { policy: { timeoutMs: 3_000 } }, { now });
    const key = keys[0] as ObligationKey;
    const first = await claimGo(db.pool, key, { now, token: 'mine' });
    const again = await claimGo(db.pool, key, { now: later(400), token: 'mine' });
    const { attempt, event, subscriber } = first;
    expect(again).toMatchObject({ attempt, event, subscriber, leaseMs: 12_600 });
    expect(await attemptsOf(db.pool, key)).toHaveLength(1);
    for (const token of [undefined, 'another']) {
      const other = await claim(db.pool, key, { now: later(500), ...(token ? { token } : {}) });
      expect(other).toMatchObject({ answer: 'in_flight', waitMs: 12_500 });
    }
    const late = await claim(db.pool, key, { now: later(13_000), token: 'mine' });
    expect(late).toMatchObject({ answer: 'unknown', attempt: 1, crashes: 1 });
  });

  it('gives it to nobody again once a person has called it off or paused it', async () => {
    for (const verb of ['terminate', 'pause'] as const) {
      const { keys } = await makeObligations(db.pool, 1);
      const key = keys[0] as ObligationKey;
      await claimGo(db.pool, key, { token: 'mine' });
      await actOnObligation(
        db.pool,
        null,
        key,
        { verb, actor: 'ann', reason: 'stop', requestId: `${key} ${verb}` },
        'client',
        null,
      );
      expect(await claim(db.pool, key, { token: 'mine' })).toMatchObject({ answer: 'in_flight' });
    }
  });

  it('sends nothing for a try that is on record', async () => {
    const { keys } = await makeObligations(db.pool, 1);
    const key = keys[0] as ObligationKey;
    await claimGo(db.pool, key);
    await settle(db.pool, settlement(key, 1, 'failed', { to: 'waiting', waitMs: 5_000 }));
    const again = await claim(db.pool, key, { tryNumber: 1 });
    expect(again).toMatchObject({
      answer: 'settled',
      standing: { is: 'waiting', outcome: 'failed', tries: 1 },
    });
  });

  it('sends nothing after delivery, whoever asks for whatever try', async () => {
    const { keys } = await makeObligations(db.pool, 1);
    const key = keys[0] as ObligationKey;
    await claimGo(db.pool, key);
    await settle(db.pool, settlement(key, 1, 'delivered', { to: 'delivered' }));
    for (const tryNumber of [1, 2, 99]) {
      expect(await claim(db.pool, key, { tryNumber })).toMatchObject({
        answer: 'over',
        standing: { is: 'over', disposition: 'delivered' },
      });
    }
  });

  it('does not come early, even by a millisecond', async () => {
    const now = new Date('2026-11-30T12:00:00Z');
    const { keys } = await makeObligations(db.pool, 1, {}, { now });
    const key = keys[0] as ObligationKey;
    await claimGo(db.pool, key, { now });
    await settle(db.pool, settlement(key, 1, 'failed', { to: 'waiting', waitMs: 300_000 }), now);
    const early = await claim(db.pool, key, { tryNumber: 2, now: new Date(now.getTime() + 299_999) });
    expect(early).toMatchObject({
      answer: 'not_yet',
      standing: { is: 'waiting', reason: 'not_due', waitMs: 1 },
    });
    expect((await claim(db.pool, key, { tryNumber: 2, now: new Date(now.getTime() + 300_000) })).answer).toBe(
      'go',
    );
  });

  it('holds what is not before its time, and ends what is past its validity', async () => {
    const now = new Date('2026-11-30T12:00:00Z');
    const later = (ms: number): Date => new Date(now.getTime() + ms);
    const { keys } = await makeObligations(
      db.pool,
      1,
      {},
      { now, notBefore: later(60_000), validUntil: later(90_000) },
    );
    const key = keys[0] as ObligationKey;
    expect(await claim(db.pool, key, { now })).toMatchObject({
      answer: 'not_yet',
      standing: { waitMs: 60_000 },
    });
    await claimGo(db.pool, key, { now: later(60_000) });
    await settle(
      db.pool,
      settlement(key, 1, 'failed', { to: 'waiting', waitMs: 1_000 }, { status: 503 }),
      later(61_000),
    );
    expect(await claim(db.pool, key, { tryNumber: 2, now: later(90_000) })).toMatchObject({
      answer: 'over',
      standing: { disposition: 'expired', outcome: 'failed', status: 503 },
    });
  });

  it('knows nothing of a key that does not exist', async () => {
    expect(await claim(db.pool, 'no:such:1' as ObligationKey)).toEqual({ answer: 'missing' });
  });

  it('answers a batch in the order asked, the same key twice included', async () => {
    const { keys } = await makeObligations(db.pool, 3);
    const asked = [keys[2], keys[0], keys[2], keys[1]] as ObligationKey[];
    const answers = await claimMany(
      db.pool,
      asked.map((key) => ({ key, round: 0, tryNumber: 1 })),
      { worker: 'test', leaseMarginMs: 1_000, now: null },
    );
    expect(answers.map((a) => a.answer)).toEqual(['go', 'go', 'in_flight', 'go']);
  });
});

describe('a lease that ended without an outcome', () => {
  it('is recorded as unknown, uses no try, and the third in a row holds the obligation', async () => {
    const now = new Date('2026-11-30T12:00:00Z');
    const { keys } = await makeObligations(db.pool, 1, { policy: { timeoutMs: 1_000 } }, { now });
    const key = keys[0] as ObligationKey;
    let at = now.getTime();
    for (const crashes of [1, 2, 3]) {
      await claimGo(db.pool, key, { now: new Date(at), leaseMarginMs: 1_000 });
      at += 2_000;
      const answer = await claim(db.pool, key, { now: new Date(at) });
      expect(answer).toMatchObject({ answer: 'unknown', attempt: crashes, crashes, standing: { tries: 0 } });
    }
    expect(await claim(db.pool, key, { now: new Date(at) })).toMatchObject({
      answer: 'not_yet',
      standing: { is: 'held', reason: 'worker-crash', disposition: 'held' },
    });
    const attempts = await attemptsOf(db.pool, key);
    expect(attempts.map((a) => [a.outcome, a.class, a.sent, a.counted])).toEqual(
      Array.from({ length: 3 }, () => ['unknown', 'worker_crash', 'maybe', false]),
    );
  });
});

describe('pause', () => {
  it('of a subscriber refuses every claim, and a resume lets them in again', async () => {
    const { account, keys, subscribers } = await makeObligations(db.pool, 1);
    const [key, id] = [keys[0] as ObligationKey, subscribers[0] as SubscriberId];
    const paused = await actOnSubscriber(
      db.pool,
      account,
      id,
      { verb: 'pause', ...word('p1') },
      'client',
      null,
    );
    expect(paused).toMatchObject({ ok: true, changed: true, confirmed: true });
    expect(await claim(db.pool, key)).toMatchObject({
      answer: 'not_yet',
      standing: { is: 'held', reason: 'subscriber_paused', disposition: 'pending' },
    });
    await actOnSubscriber(db.pool, account, id, { verb: 'resume', ...word('p2') }, 'client', null);
    expect((await claim(db.pool, key)).answer).toBe('go');
  });

  it('of an obligation freezes the rest of its wait', async () => {
    const now = new Date('2026-11-30T12:00:00Z');
    const at = (ms: number): Date => new Date(now.getTime() + ms);
    const { account, keys } = await makeObligations(db.pool, 1, {}, { now });
    const key = keys[0] as ObligationKey;
    await claimGo(db.pool, key, { now });
    await settle(db.pool, settlement(key, 1, 'failed', { to: 'waiting', waitMs: 60_000 }), now);
    await actOnObligation(db.pool, account, key, { verb: 'pause', ...word('1') }, 'client', at(20_000));
    expect(await claim(db.pool, key, { tryNumber: 2, now: at(90_000) })).toMatchObject({
      answer: 'not_yet',
      standing: { is: 'held', reason: 'paused' },
    });
    const resumed = await actOnObligation(
      db.pool,
      account,
      key,
      { verb: 'resume', ...word('2') },
      'client',
      at(100_000),
    );
    expect(resumed.standing).toMatchObject({ is: 'waiting', waitMs: 40_000, tries: 1 });
  });
});

describe('64 callers', () => {
  it('never hold more than 8 leases of a subscriber whose cap is 8', async () => {
    const { account, subscribers } = await makeObligations(db.pool, 1, { maxConcurrency: 8 });
    const id = subscribers[0] as SubscriberId;
    const keys = await moreObligations(account, id, 64);
    const answers: ClaimAnswer[] = await Promise.all(keys.map((key) => claim(db.pool, key)));
    const granted = answers.filter((a) => a.answer === 'go').length;
    expect(granted).toBe(8);
    const refused = answers.filter((a) => a.answer === 'not_yet');
    expect(refused).toHaveLength(56);
    expect(
      refused.every(
        (a) => 'standing' in a && a.standing.reason === 'concurrency' && a.standing.waitMs >= 1_000,
      ),
    ).toBe(true);

    const open = new Set(keys.filter((_, i) => answers[i]?.answer === 'go'));
    let most = open.size;
    const left = keys.filter((key) => !open.has(key));
    await Promise.all(
      Array.from({ length: 64 }, async () => {
        for (let key = left.pop(); key !== undefined; key = left.pop()) {
          for (;;) {
            const answer = await claim(db.pool, key);
            if (answer.answer === 'go') break;
            const one = [...open][0];
            if (one !== undefined && open.delete(one)) {
              await settle(db.pool, settlement(one, 1, 'delivered', { to: 'delivered' }));
            }
          }
          const { rows } = await db.pool.query<{ n: number }>(
            'SELECT count(*) AS n FROM waybill.obligations WHERE subscriber_id = $1 AND lease_attempt IS NOT NULL',
            [id],
          );
          open.add(key);
          most = Math.max(most, rows[0]?.n ?? 0);
        }
      }),
    );
    expect(most).toBe(8);
  });

  it('are never told to wait longer than ten minutes for a slot, however long the line', async () => {
    const { account, subscribers } = await makeObligations(db.pool, 1, { maxConcurrency: 1 });
    const id = subscribers[0] as SubscriberId;
    await db.admin.query('UPDATE waybill.gates SET avg_send_ms = 60000 WHERE subscriber_id = $1', [id]);
    const keys = await moreObligations(account, id, 60);
    const waits: number[] = [];
    for (const key of keys) {
      const answer = await claim(db.pool, key);
      if (answer.answer === 'not_yet') waits.push(answer.standing.waitMs);
    }
    expect(waits).toHaveLength(59);
    expect(Math.max(...waits)).toBeLessThanOrEqual(600_000);
  });

  async function moreObligations(account: string, id: SubscriberId, count: number): Promise<ObligationKey[]> {
    const { rows } = await db.admin.query<{ key: ObligationKey }>(
      `WITH e AS (
         INSERT INTO waybill.events (account, shipment_id, version, key_prefix, type, type_patterns, payload_digest,
             payload_bytes, published_at)
           SELECT $1, $2, n, 'cap', 't', '{t}', '\\x00', 0, now() FROM generate_series(1, $3::int) n RETURNING id, version
       )
       INSERT INTO waybill.obligations (key, event_id, subscriber_id, disposition, next_eligible_at, valid_until, created_at)
         SELECT 'cap:' || $2 || ':' || version, id, $2, 'pending', now() - interval '1 s', now() + interval '1 day', now()
           FROM e RETURNING key`,
      [account, id, count],
    );
    return rows.map((r) => r.key);
  }
});
