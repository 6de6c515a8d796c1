import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ObligationKey, SubscriberId, Verb } from '../../src/contract.js';
import { actOnObligation, actOnSubscriber, lookAt } from '../../src/ledger/acts.js';
import { letGoDue } from '../../src/ledger/wakes.js';
import { takeDue } from '../../src/ledger/outbox.js';
import { attemptsOf, auditOf, findObligations } from '../../src/ledger/trace.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { claim, claimGo, makeObligations, settle, settlement } from '../support/obligations.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.drop());

const NOW = new Date('2026-11-30T12:00:00Z');
const after = (ms: number): Date => new Date(NOW.getTime() + ms);

async function deadOne(policy: Record<string, number> = {}) {
  const made = await makeObligations(
    db.pool,
    1,
    { policy: { redriveWindowMs: 60_000, ...policy } },
    { now: NOW },
  );
  const key = made.keys[0] as ObligationKey;
  await claimGo(db.pool, key, { now: NOW });
  await settle(
    db.pool,
    settlement(key, 1, 'rejected', { to: 'dead', redriveWindowMs: 60_000 }, { status: 400 }),
    NOW,
  );
  return { ...made, key };
}

const act = (account: string | null, key: ObligationKey, verb: Verb, requestId: string, now = NOW) =>
  actOnObligation(db.pool, account, key, { verb, actor: 'ann', reason: 'mended', requestId }, 'client', now);

describe('redrive', () => {
  it('starts a fresh budget, numbers attempts on, and names who asked', async () => {
    const { account, key } = await deadOne();
    const answer = await act(account, key, 'redrive', 'r1', after(1_000));
    expect(answer).toMatchObject({
      ok: true,
      disposition: 'pending',
      standing: { is: 'due', round: 1, tries: 0 },
    });
    const go = await claimGo(db.pool, key, { round: 1, tryNumber: 1, now: after(1_000) });
    expect(go.attempt).toBe(2);
    expect((await attemptsOf(db.pool, key))[1]).toMatchObject({ round: 1, initiator: 'redrive by ann (r1)' });
  });

  it('with a repeated request id is one redrive', async () => {
    const { account, key } = await deadOne();
    await act(account, key, 'redrive', 'r1');
    expect(await act(account, key, 'redrive', 'r1')).toMatchObject({ ok: true, repeated: true });
    expect((await auditOf(db.pool, key)).filter((a) => a.act === 'redrive')).toHaveLength(1);
    const [row] = await findObligations(db.pool, { account, key, limit: 1 });
    expect(row?.round).toBe(1);
  });

  it.each([
    [
      'redrive_window_over',
      async (d: Awaited<ReturnType<typeof deadOne>>) => act(d.account, d.key, 'redrive', 'r', after(60_000)),
    ],
    [
      'validity_over',
      async (d: Awaited<ReturnType<typeof deadOne>>) => {
        await db.admin.query('UPDATE waybill.obligations SET valid_until = $2 WHERE key = $1', [
          d.key,
          after(1_000),
        ]);
        return act(d.account, d.key, 'redrive', 'r', after(2_000));
      },
    ],
    [
      'payload_unavailable',
      async (d: Awaited<ReturnType<typeof deadOne>>) => {
        await db.admin.query('DELETE FROM waybill.event_payloads WHERE event_id = $1', [d.eventId]);
        return act(d.account, d.key, 'redrive', 'r');
      },
    ],
    [
      'payload_unavailable',
      async (d: Awaited<ReturnType<typeof deadOne>>) => {
        await db.admin.query(`UPDATE waybill.event_payloads SET bytes = 'other' WHERE event_id = $1`, [
          d.eventId,
        ]);
        return act(d.account, d.key, 'redrive', 'r');
      },
    ],
    [
      'not_dead',
      async (d: Awaited<ReturnType<typeof deadOne>>) => {
        await act(d.account, d.key, 'redrive', 'r0');
        return act(d.account, d.key, 'redrive', 'r');
      },
    ],
    [
      'already_final',
      async (d: Awaited<ReturnType<typeof deadOne>>) => {
        await act(d.account, d.key, 'terminate', 't');
        return act(d.account, d.key, 'redrive', 'r');
      },
    ],
  ])('is refused with %s, and the refusal is on record with its reason', async (code, redrive) => {
    const dead = await deadOne();
    expect(await redrive(dead)).toMatchObject({ ok: false, code, changed: false });
    const audit = (await auditOf(db.pool, dead.key)).at(-1);
    expect(audit).toMatchObject({
      act: 'redrive',
      actor: 'ann',
      reason: 'mended',
      requestId: 'r',
      refused: code,
    });
  });
});

describe('acts', () => {
  it('of another account find nothing, and leave no trace', async () => {
    const { key } = await deadOne();
    expect(await act('somebody-else', key, 'terminate', 'x')).toEqual({ ok: false, code: 'not_found' });
    expect(await auditOf(db.pool, key)).toEqual([]);
  });

  it('refuse a request id that was used for something else', async () => {
    const { account, key } = await deadOne();
    await act(account, key, 'redrive', 'same');
    expect(await act(account, key, 'terminate', 'same')).toMatchObject({
      ok: false,
      code: 'request_id_reused',
    });
    expect((await auditOf(db.pool, key)).at(-1)).toMatchObject({
      act: 'terminate',
      refused: 'request_id_reused',
    });
  });

  it('without actor, reason or request id are refused on record', async () => {
    const { key } = await deadOne();
    const nobody = { verb: 'terminate', actor: '', reason: '', requestId: '' } as const;
    expect(await actOnObligation(db.pool, null, key, nobody, 'temporal', NOW)).toMatchObject({
      ok: false,
      code: 'invalid_field',
    });
    expect((await auditOf(db.pool, key)).at(-1)).toMatchObject({
      source: 'temporal',
      refused: 'invalid_field',
    });
  });

  it.each([
    ['pause', 'not_open'],
    ['resume', 'not_held'],
  ] as const)('%s of a dead obligation is refused with %s', async (verb, code) => {
    const { account, key } = await deadOne();
    expect(await act(account, key, verb, '1')).toMatchObject({ ok: false, code });
  });

  it('leave a word for the workflow in the same transaction', async () => {
    await db.admin.query('DELETE FROM waybill.outbox');
    const { account, key } = await deadOne();
    await db.admin.query(`DELETE FROM waybill.outbox WHERE kind = 'event'`);
    await act(account, key, 'redrive', 'r1');
    const rows = await takeDue(db.pool, 10, 1_000, NOW);
    expect(rows).toMatchObject([
      { kind: 'nudge', key, message: { signal: 'redrive', actor: 'ann', reason: 'mended', requestId: 'r1' } },
    ]);
    expect(await takeDue(db.pool, 10, 1_000, NOW)).toEqual([]);
  });
});

describe('a look', () => {
  it('records a lease that ran out, also of an obligation that was terminated meanwhile', async () => {
    const { account, keys } = await makeObligations(
      db.pool,
      1,
      { policy: { timeoutMs: 1_000 } },
      { now: NOW },
    );
    const key = keys[0] as ObligationKey;
    await claimGo(db.pool, key, { now: NOW, leaseMarginMs: 1_000 });
    await act(account, key, 'terminate', 't', after(500));
    expect(await lookAt(db.pool, key, 'test', after(1_000))).toMatchObject({ is: 'over', leaseMs: 1_000 });
    expect(await lookAt(db.pool, key, 'test', after(2_000))).toMatchObject({
      is: 'over',
      disposition: 'terminated',
      leaseMs: 0,
    });
    expect(await attemptsOf(db.pool, key)).toMatchObject([{ outcome: 'unknown', class: 'worker_crash' }]);
  });
});

describe('a crash under a pause', () => {
  it('leaves the pause the person’s', async () => {
    const { account, keys } = await makeObligations(
      db.pool,
      1,
      { policy: { timeoutMs: 1_000 } },
      { now: NOW },
    );
    const key = keys[0] as ObligationKey;
    await db.admin.query('UPDATE waybill.obligations SET crashes = 2 WHERE key = $1', [key]);
    await claimGo(db.pool, key, { now: NOW, leaseMarginMs: 1_000 });
    await act(account, key, 'pause', 'p', after(500));
    expect(await claim(db.pool, key, { now: after(2_000) })).toMatchObject({
      answer: 'unknown',
      standing: { is: 'held', reason: 'paused' },
    });
    const [row] = await findObligations(db.pool, { account, key, limit: 1 });
    expect(row).toMatchObject({ heldBy: 'ann', heldReason: 'paused' });
  });
});

describe('a subscriber', () => {
  it('removed is owed nothing any more: all its obligations end with that reason, history stays', async () => {
    const { account, keys, subscribers } = await makeObligations(db.pool, 1, {}, { now: NOW });
    const [key, id] = [keys[0] as ObligationKey, subscribers[0] as SubscriberId];
    await claimGo(db.pool, key, { now: NOW });
    await settle(db.pool, settlement(key, 1, 'failed', { to: 'waiting', waitMs: 1 }), NOW);
    const remove = { verb: 'remove', actor: 'ann', reason: 'contract ended', requestId: 'x' } as const;
    expect(await actOnSubscriber(db.pool, account, id, remove, 'client', after(5))).toMatchObject({
      ok: true,
      obligations: 1,
      confirmed: true,
    });
    expect(await actOnSubscriber(db.pool, account, id, remove, 'client', after(6))).toMatchObject({
      repeated: true,
    });
    expect(await claim(db.pool, key, { tryNumber: 2, now: after(10) })).toMatchObject({
      answer: 'over',
      standing: { disposition: 'removed' },
    });
    expect((await auditOf(db.pool, key)).at(-1)).toMatchObject({ act: 'removed', reason: 'contract ended' });
    expect(await attemptsOf(db.pool, key)).toHaveLength(1);
  });

  it('resumed wakes what came due meanwhile, and nothing else', async () => {
    const { account, keys, subscribers } = await makeObligations(db.pool, 1, {}, { now: NOW });
    const id = subscribers[0] as SubscriberId;
    await db.admin.query('DELETE FROM waybill.outbox');
    const word = { actor: 'ann', reason: 'maintenance' };
    await actOnSubscriber(db.pool, account, id, { verb: 'pause', ...word, requestId: '1' }, 'client', NOW);
    const resumed = await actOnSubscriber(
      db.pool,
      account,
      id,
      { verb: 'resume', ...word, requestId: '2' },
      'client',
      after(9),
    );
    expect(resumed).toMatchObject({ changed: true, obligations: 1 });
    await letGoDue(db.pool, after(9));
    expect(await takeDue(db.pool, 10, 1_000, after(10))).toMatchObject([
      { key: keys[0], message: { signal: 'recheck' } },
    ]);
  });
});

describe('validity', () => {
  it('runs on while an obligation is held', async () => {
    const { account, keys } = await makeObligations(db.pool, 1, {}, { now: NOW, validUntil: after(60_000) });
    const key = keys[0] as ObligationKey;
    await act(account, key, 'pause', 'p');
    expect(await lookAt(db.pool, key, 'test', after(59_999))).toMatchObject({ is: 'held', waitMs: 1 });
    expect(await lookAt(db.pool, key, 'test', after(60_000))).toMatchObject({
      is: 'over',
      disposition: 'expired',
    });
    expect((await auditOf(db.pool, key)).at(-1)).toMatchObject({ act: 'expired', actor: 'system' });
    expect(await act(account, key, 'resume', 'r', after(61_000))).toMatchObject({
      ok: false,
      code: 'already_final',
    });
    const [row] = await findObligations(db.pool, { account, key, limit: 1 });
    expect(row).toMatchObject({ disposition: 'expired', heldReason: null, heldBy: null });
  });
});
