import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ObligationKey } from '../../src/contract.js';
import type { ClaimAnswer } from '../../src/ledger/claim.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { claimGo, makeObligations } from '../support/obligations.js';
import { makeAuthority } from '../support/tls.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.drop());

const NOW = new Date('2026-11-30T12:00:00Z');

/** The statement of 0.1.0 and 0.2.0, word for word. */
async function claimAsBefore(key: ObligationKey, now = NOW): Promise<ClaimAnswer> {
  const { rows } = await db.pool.query<{ answer: ClaimAnswer }>(
    'SELECT answer FROM waybill.claim($1, $2, $3, $4, $5, $6, $7) ORDER BY ord',
    [[key], [0], [1], [null], 'old', 10_000, now],
  );
  return rows[0]?.answer as ClaimAnswer;
}

const owed = async (subscriber: Parameters<typeof makeObligations>[2], validUntil?: Date) => {
  const { keys } = await makeObligations(
    db.pool,
    1,
    subscriber,
    validUntil ? { now: NOW, validUntil } : { now: NOW },
  );
  return keys[0] as ObligationKey;
};

describe('a worker of a release that sends no texts of a subscriber’s own', () => {
  it('goes on as before where there are none', async () => {
    expect((await claimAsBefore(await owed({}))).answer).toBe('go');
  });

  it.each(['headers', 'auth', 'tls'])(
    'gets no lease where there are %s, uses up nothing, and asks again',
    async (what) => {
      const authority = await makeAuthority();
      const own = {
        headers: { headers: { 'x-key': 'v' } },
        auth: { auth: { type: 'bearer', token: 't' } as const },
        tls: { tls: { ca: authority.cert } },
      }[what];
      const key = await owed(own ?? {});
      for (let n = 0; n < 2; n += 1) {
        expect(await claimAsBefore(key)).toMatchObject({
          answer: 'not_yet',
          standing: {
            is: 'waiting',
            reason: 'worker-too-old',
            waitMs: 60_000,
            attempts: 0,
            tries: 0,
            disposition: 'pending',
          },
        });
      }
      const go = await claimGo(db.pool, key, { now: NOW });
      expect(go.attempt).toBe(1);
    },
  );

  it('waits no longer than the validity has left', async () => {
    const key = await owed({ headers: { 'x-key': 'v' } }, new Date(NOW.getTime() + 5_000));
    expect(await claimAsBefore(key)).toMatchObject({ standing: { waitMs: 5_000 } });
    expect(await claimAsBefore(key, new Date(NOW.getTime() + 5_000))).toMatchObject({
      answer: 'over',
      standing: { disposition: 'expired' },
    });
  });
});
