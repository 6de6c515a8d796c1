import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ObligationKey } from '../../src/contract.js';
import { actOnObligation } from '../../src/ledger/acts.js';
import { batched } from '../../src/ledger/batching.js';
import { takeDue } from '../../src/ledger/outbox.js';
import { settleMany } from '../../src/ledger/settle.js';
import { attemptsOf, findObligations } from '../../src/ledger/trace.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { claim, claimGo, makeObligations, settle, settlement } from '../support/obligations.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.drop());

const dispositionOf = async (account: string, key: string) =>
  (await findObligations(db.pool, { account, key, limit: 1 }))[0]?.disposition;

describe('settle', () => {
  it('puts outcome, state and next time on record together', async () => {
    const now = new Date('2026-11-30T12:00:00Z');
    const { account, keys } = await makeObligations(db.pool, 1, {}, { now });
    const key = keys[0] as ObligationKey;
    await claimGo(db.pool, key, { now });
    const answer = await settle(
      db.pool,
      settlement(
        key,
        1,
        'failed',
        { to: 'waiting', waitMs: 300_000 },
        {
          status: 503,
          error: 'answered 503',
          retryAfter: '120',
          excerpt: Buffer.from('busy').toString('base64'),
        },
      ),
      now,
    );
    expect(answer).toMatchObject({
      answer: 'settled',
      standing: { is: 'waiting', waitMs: 300_000, tries: 1 },
    });
    const [row] = await findObligations(db.pool, { account, key, limit: 1 });
    expect(row).toMatchObject({
      disposition: 'waiting',
      attempts: 1,
      lastClass: 'server_error',
      lastStatus: 503,
    });
    expect(row?.nextEligibleAt).toEqual(new Date(now.getTime() + 300_000));
    const [attempt] = await attemptsOf(db.pool, key);
    expect(attempt).toMatchObject({ outcome: 'failed', status: 503, retryAfter: '120', counted: true });
  });

  it('repeated changes nothing and answers the same', async () => {
    const { keys } = await makeObligations(db.pool, 1);
    const key = keys[0] as ObligationKey;
    await claimGo(db.pool, key);
    const item = settlement(key, 1, 'delivered', { to: 'delivered' });
    expect((await settle(db.pool, item)).answer).toBe('settled');
    expect(await settle(db.pool, item)).toMatchObject({
      answer: 'repeated',
      standing: { disposition: 'delivered' },
    });
    expect(await attemptsOf(db.pool, key)).toHaveLength(1);
  });

  it('of an older attempt can not overwrite what a newer one did', async () => {
    const now = new Date('2026-11-30T12:00:00Z');
    const { account, keys } = await makeObligations(db.pool, 1, { policy: { timeoutMs: 1_000 } }, { now });
    const key = keys[0] as ObligationKey;
    await claimGo(db.pool, key, { now, leaseMarginMs: 1_000 });
    const later = new Date(now.getTime() + 2_000);
    expect((await claim(db.pool, key, { now: later })).answer).toBe('unknown');
    await claimGo(db.pool, key, { now: later });
    const late = await settle(
      db.pool,
      settlement(key, 1, 'rejected', { to: 'dead' }, { status: 400 }),
      later,
    );
    expect(late).toMatchObject({ answer: 'late', standing: { is: 'attempting', disposition: 'attempting' } });
    await settle(db.pool, settlement(key, 2, 'delivered', { to: 'delivered' }), later);
    expect(await dispositionOf(account, key)).toBe('delivered');
    expect((await attemptsOf(db.pool, key)).map((a) => [a.attempt, a.outcome, a.late])).toEqual([
      [1, 'unknown', false],
      [1, 'rejected', true],
      [2, 'delivered', false],
    ]);
  });

  it('of a delivery that comes late still counts, so that nothing is sent again', async () => {
    const now = new Date('2026-11-30T12:00:00Z');
    const { keys } = await makeObligations(db.pool, 1, { policy: { timeoutMs: 1_000 } }, { now });
    const key = keys[0] as ObligationKey;
    await claimGo(db.pool, key, { now, leaseMarginMs: 1_000 });
    const later = new Date(now.getTime() + 2_000);
    await claim(db.pool, key, { now: later });
    const late = await settle(db.pool, settlement(key, 1, 'delivered', { to: 'delivered' }), later);
    expect(late).toMatchObject({ answer: 'late', standing: { is: 'over', disposition: 'delivered' } });
    expect((await claim(db.pool, key, { now: later })).answer).toBe('over');
  });

  it('of a delivery that comes late while a newer attempt runs counts when that one ends, or crashes', async () => {
    for (const end of ['fails', 'crashes']) {
      const now = new Date('2026-11-30T12:00:00Z');
      const { keys } = await makeObligations(db.pool, 1, { policy: { timeoutMs: 1_000 } }, { now });
      const key = keys[0] as ObligationKey;
      await claimGo(db.pool, key, { now, leaseMarginMs: 1_000 });
      const later = new Date(now.getTime() + 2_000);
      await claim(db.pool, key, { now: later });
      await claimGo(db.pool, key, { now: later, leaseMarginMs: 1_000 });
      await settle(db.pool, settlement(key, 1, 'delivered', { to: 'delivered' }), later);
      const last = new Date(later.getTime() + 2_000);
      if (end === 'fails') await settle(db.pool, settlement(key, 2, 'failed', { to: 'waiting' }), later);
      else expect(await claim(db.pool, key, { now: last })).toMatchObject({ answer: 'unknown' });
      expect(await claim(db.pool, key, { tryNumber: 2, now: last })).toMatchObject({
        answer: 'over',
        standing: { disposition: 'delivered' },
      });
    }
  });

  it('of a delivery that comes late wakes a workflow that waits in vain', async () => {
    const now = new Date('2026-11-30T12:00:00Z');
    const { keys } = await makeObligations(db.pool, 1, { policy: { timeoutMs: 1_000 } }, { now });
    const key = keys[0] as ObligationKey;
    await claimGo(db.pool, key, { now, leaseMarginMs: 1_000 });
    const later = new Date(now.getTime() + 2_000);
    await claim(db.pool, key, { now: later });
    await settle(db.pool, settlement(key, 1, 'delivered', { to: 'delivered' }), later);
    const rows = await takeDue(db.pool, 1_000, 1_000, later);
    expect(rows.filter((row) => row.kind === 'nudge' && row.key === key)).toMatchObject([
      { message: { signal: 'recheck' } },
    ]);
  });

  it('after a termination records what happened and leaves the obligation terminated', async () => {
    const { account, keys } = await makeObligations(db.pool, 1);
    const key = keys[0] as ObligationKey;
    await claimGo(db.pool, key);
    const act = { verb: 'terminate', actor: 'ann', reason: 'wrong address', requestId: 't1' } as const;
    const ended = await actOnObligation(db.pool, account, key, act, 'client', null);
    expect(ended).toMatchObject({ ok: true, disposition: 'terminated', confirmed: false });
    await settle(db.pool, settlement(key, 1, 'delivered', { to: 'delivered' }, { status: 200 }));
    expect(await dispositionOf(account, key)).toBe('terminated');
    expect((await attemptsOf(db.pool, key))[0]).toMatchObject({
      outcome: 'delivered',
      disposition: 'terminated',
    });
  });

  it('under a pause that came in mid attempt ends held, with the wait frozen', async () => {
    const now = new Date('2026-11-30T12:00:00Z');
    const { account, keys } = await makeObligations(db.pool, 1, {}, { now });
    const key = keys[0] as ObligationKey;
    await claimGo(db.pool, key, { now });
    const act = { verb: 'pause', actor: 'ann', reason: 'drill', requestId: 'p1' } as const;
    expect(await actOnObligation(db.pool, account, key, act, 'client', now)).toMatchObject({
      confirmed: false,
    });
    const answer = await settle(
      db.pool,
      settlement(key, 1, 'failed', { to: 'waiting', waitMs: 60_000 }),
      now,
    );
    expect(answer).toMatchObject({ standing: { is: 'held', reason: 'paused', disposition: 'held' } });
    const later = new Date(now.getTime() + 3_600_000);
    const resumed = await actOnObligation(
      db.pool,
      account,
      key,
      { ...act, verb: 'resume', requestId: 'p2' },
      'client',
      later,
    );
    expect(resumed.standing).toMatchObject({ is: 'waiting', waitMs: 60_000 });
  });

  it('of an own fault uses no try', async () => {
    const { keys } = await makeObligations(db.pool, 1);
    const key = keys[0] as ObligationKey;
    await claimGo(db.pool, key);
    const fault = settlement(key, 1, 'cancelled', { to: 'waiting' }, { class: 'own_fault', sent: 'no' });
    expect(await settle(db.pool, fault)).toMatchObject({ standing: { is: 'due', tries: 0, attempts: 1 } });
    expect(await claimGo(db.pool, key, { tryNumber: 1 })).toMatchObject({ attempt: 2 });
  });

  it('leaves each worker no way to alter or delete what is on record', async () => {
    for (const table of ['attempt_intents', 'attempt_outcomes', 'audit']) {
      await expect(db.pool.query(`DELETE FROM waybill.${table}`)).rejects.toThrow(/permission denied/);
      await expect(db.pool.query(`UPDATE waybill.${table} SET worker = 'x'`)).rejects.toThrow(
        /permission denied|does not exist/,
      );
    }
  });
});

describe('a batch', () => {
  it('that fails is split, so that one bad item fails alone', async () => {
    const { keys } = await makeObligations(db.pool, 3);
    for (const key of keys) await claimGo(db.pool, key);
    const one = batched(
      (items: readonly Parameters<typeof settleMany>[1][number][]) =>
        settleMany(db.pool, items, { worker: 'test', now: null }),
      50,
    );
    const good = keys.map((key) => settlement(key, 1, 'delivered', { to: 'delivered' }));
    const bad = { ...(good[1] as (typeof good)[number]), sent: 'perhaps' as never };
    const results = await Promise.allSettled([one(good[0] as never), one(bad), one(good[2] as never)]);
    expect(results.map((r) => r.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});
