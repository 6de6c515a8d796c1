import type { ErrorCode, SubscriberId } from '../contract.js';
import type { Act } from './acts.js';
import type { Queryable } from './pool.js';

/** Secrets of one subscriber that may sign at the same time: each is a signature more on every request. */
export const MAX_LIVE_SECRETS = 5;

/** A signing secret as it may be shown: everything but what it is. */
export interface SecretRow {
  readonly id: string;
  /** `current` signs and has no end; `overlap` signs until it expires. */
  readonly state: 'current' | 'overlap' | 'expired' | 'revoked';
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
}

/** Newest first. */
export async function listSecrets(
  db: Queryable,
  subscriber: SubscriberId,
  limit: number,
  now: Date | null,
): Promise<SecretRow[]> {
  const { rows } = await db.query<SecretRow>(
    `SELECT id, created_at AS "createdAt", expires_at AS "expiresAt",
        CASE WHEN expires_at IS NULL THEN 'current'
          WHEN expires_at > coalesce($2::timestamptz, clock_timestamp()) THEN 'overlap'
          WHEN revoked_at IS NOT NULL THEN 'revoked' ELSE 'expired' END AS state
      FROM waybill.subscriber_secrets WHERE subscriber_id = $1 ORDER BY created_at DESC, id LIMIT $3`,
    [subscriber, now, limit],
  );
  return rows;
}

/** The sealed text of one; undefined where there is none. */
export async function sealedSecret(db: Queryable, id: string): Promise<string | undefined> {
  const { rows } = await db.query<{ sealed: string }>(
    'SELECT sealed FROM waybill.subscriber_secrets WHERE id = $1',
    [id],
  );
  return rows[0]?.sealed;
}

export interface SecretActAnswer {
  readonly ok: boolean;
  readonly code?: ErrorCode;
  readonly changed?: boolean;
  readonly repeated?: boolean;
  readonly secretId?: string;
  /** Sends under way that were given the revoked secret. */
  readonly inFlight?: number;
  /** `inFlight` is 0: nothing is signed with it any more. */
  readonly confirmed?: boolean;
}

type Word = Omit<Act, 'verb'>;

/** Adds a secret; those without an end get theirs, `overlapMs` from now. One with an end keeps it. */
export async function rotateSecret(
  db: Queryable,
  account: string,
  subscriber: SubscriberId,
  secret: { readonly id: string; readonly sealed: string },
  overlapMs: number,
  word: Word,
  source: 'client' | 'cli',
  now: Date | null,
): Promise<SecretActAnswer> {
  const { rows } = await db.query<{ answer: SecretActAnswer }>(
    'SELECT waybill.rotate_secret($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS answer',
    [
      ...[account, subscriber, secret.id, secret.sealed, overlapMs, MAX_LIVE_SECRETS],
      ...[word.actor, word.reason, word.requestId, source, now],
    ],
  );
  return (rows[0] as { answer: SecretActAnswer }).answer;
}

/** Ends a secret at once: no claim after the answer is given it. */
export async function revokeSecret(
  db: Queryable,
  account: string,
  secretId: string,
  word: Word,
  source: 'client' | 'cli',
  now: Date | null,
): Promise<SecretActAnswer> {
  const { rows } = await db.query<{ answer: SecretActAnswer }>(
    'SELECT waybill.revoke_secret($1, $2, $3, $4, $5, $6, $7) AS answer',
    [account, secretId, word.actor, word.reason, word.requestId, source, now],
  );
  return (rows[0] as { answer: SecretActAnswer }).answer;
}
