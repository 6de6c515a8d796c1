import { afterAll, beforeAll, expect, it } from 'vitest';
import { obligationKey, type ObligationKey, type SubscriberId } from '../../src/contract.js';
import { drillTarget } from '../../src/ledger/drill.js';
import { updateSubscriber } from '../../src/operate/subscribers.js';
import { revoke, rotate, secretsOf } from '../../src/operate/secrets.js';
import { newSecret } from '../../src/wire/sign.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { claimGo, desk, makeObligations, settle, settlement } from '../support/obligations.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.drop());

const T0 = new Date('2026-11-30T12:00:00Z');
const HOUR = 3_600_000;
const at = (ms: number): Date => new Date(T0.getTime() + ms);
const word = (requestId: string) => ({ actor: 'ann', reason: 'drill', requestId });

async function subscriber() {
  const { account, subscribers, shipment } = await makeObligations(db.pool, 1, {}, { now: T0 });
  const id = subscribers[0] as SubscriberId;
  const on = (ms: number) => desk(db.pool, account, at(ms));
  return { id, account, key: obligationKey(shipment, id, 1), on };
}

/** The ids that a claim at this time signs with. */
let tries = 0;
async function signers(key: ObligationKey, ms: number): Promise<string[]> {
  const go = await claimGo(db.pool, key, { tryNumber: ++tries, now: at(ms) });
  await settle(db.pool, settlement(key, go.attempt, 'failed', { to: 'waiting' }), at(ms));
  return go.subscriber.secrets.map((s) => s.id);
}

it('signs with old and new inside the overlap, with the new alone afterwards, each by its own end', async () => {
  const { id, key, on } = await subscriber();
  const [a] = (await secretsOf(on(0), id)).map((s) => s.id);
  expect(await signers(key, 0)).toEqual([a]);
  const { secretId: b } = await rotate(on(HOUR), id, word('1'), { overlapMs: 24 * HOUR });
  expect(await signers(key, HOUR)).toEqual([b, a]);
  // A second rotation inside the overlap: A keeps its end, B gets one of its own.
  const { secretId: c } = await rotate(on(2 * HOUR), id, word('2'), { overlapMs: 2 * HOUR });
  expect(await signers(key, 3 * HOUR)).toEqual([c, b, a]);
  expect(await signers(key, 4 * HOUR)).toEqual([c, a]);
  expect(await signers(key, 25 * HOUR - 1)).toEqual([c, a]);
  expect(await signers(key, 25 * HOUR)).toEqual([c]);
  expect((await secretsOf(on(25 * HOUR), id)).map((s) => [s.id, s.state, s.expiresAt])).toEqual([
    [c, 'current', null],
    [b, 'expired', at(4 * HOUR)],
    [a, 'expired', at(25 * HOUR)],
  ]);
});

it('rotates once under one request id, and shows the secret once', async () => {
  const { id, on } = await subscriber();
  const first = await rotate(on(0), id, word('once'));
  expect(first.secret).toMatch(/^whsec_/);
  const again = await rotate(on(1_000), id, word('once'));
  expect(again).toMatchObject({ repeated: true, secretId: first.secretId });
  expect(again).not.toHaveProperty('secret');
  expect(await secretsOf(on(2_000), id)).toHaveLength(2);
  const both = await Promise.all([1, 2].map(() => rotate(on(3_000), id, word('double click'))));
  expect(both.filter((answer) => answer.secret !== undefined)).toHaveLength(1);
  expect(await secretsOf(on(4_000), id)).toHaveLength(3);
});

it('refuses a request id that was used for another rotation', async () => {
  const { id, on } = await subscriber();
  const secret = newSecret();
  await rotate(on(0), id, word('x'), { secret });
  expect(await rotate(on(1), id, word('x'), { secret })).toMatchObject({ repeated: true });
  for (const rotation of [{ secret: newSecret() }, { secret, overlapMs: 5 }]) {
    await expect(rotate(on(2), id, word('x'), rotation)).rejects.toMatchObject({ code: 'request_id_reused' });
  }
});

it('revokes at once, and never the one that is left to sign with', async () => {
  const { id, key, on } = await subscriber();
  const [a] = (await secretsOf(on(0), id)).map((s) => s.id as string) as [string];
  await expect(revoke(on(0), a, word('r0'))).rejects.toMatchObject({ code: 'secret_in_use' });
  const { secretId: b } = await rotate(on(5), id, word('1'));
  const go = await claimGo(db.pool, key, { now: at(10), tryNumber: ++tries });
  // The request on the wire was given A already, and the answer says so.
  expect(await revoke(on(20), a, word('r1'))).toMatchObject({ changed: true, inFlight: 1, confirmed: false });
  await settle(db.pool, settlement(key, go.attempt, 'failed', { to: 'waiting' }), at(30));
  expect(await revoke(on(40), a, word('r1'))).toMatchObject({ repeated: true, confirmed: true });
  expect(await signers(key, 50)).toEqual([b]);
  expect((await secretsOf(on(60), id)).map((s) => s.state)).toEqual(['current', 'revoked']);
  await expect(revoke(desk(db.pool, 'another'), a, word('r2'))).rejects.toMatchObject({ code: 'not_found' });
});

it('ends the ones before at once where there is no overlap', async () => {
  const { id, key, on } = await subscriber();
  const { secretId: b } = await rotate(on(100), id, word('1'), { overlapMs: 0 });
  expect(await signers(key, 100)).toEqual([b]);
});

it('keeps at most five live, refuses what is no secret, and audits without values', async () => {
  const { id, account, on } = await subscriber();
  for (const n of [1, 2, 3, 4]) await rotate(on(n), id, word(`n${n}`));
  await expect(rotate(on(5), id, word('n5'))).rejects.toMatchObject({ code: 'too_many_secrets' });
  await expect(rotate(on(6), id, word('n6'), { secret: 'whsec_!!!!' })).rejects.toMatchObject({
    code: 'invalid_field',
    field: 'secret',
  });
  await expect(rotate(on(6), id, word('n7'), { overlapMs: -1 })).rejects.toMatchObject({
    field: 'overlapMs',
  });
  const { rows } = await db.admin.query<{ text: string; act: string; refused: string | null }>(
    `SELECT act, refused, a::text AS text FROM waybill.audit a WHERE account = $1 AND act LIKE 'secret%' ORDER BY id`,
    [account],
  );
  expect(rows.map((row) => row.refused)).toEqual([null, null, null, null, 'too_many_secrets']);
  for (const { text } of rows) expect(text).not.toContain('whsec_');
});

it('a drill is given the very things that a claim is given', async () => {
  const { id, account, key, on } = await subscriber();
  await rotate(on(0), id, word('1'), { overlapMs: HOUR });
  const own = { headers: { 'x-key': 'k' }, auth: { type: 'bearer', token: 't' } } as const;
  await updateSubscriber(on(0), id, own, 'ann');
  for (const ms of [1, HOUR]) {
    const go = await claimGo(db.pool, key, { tryNumber: ++tries, now: at(ms) });
    await settle(db.pool, settlement(key, go.attempt, 'failed', { to: 'waiting' }), at(ms));
    expect(await drillTarget(db.pool, account, id, at(ms))).toEqual(go.subscriber);
  }
});
