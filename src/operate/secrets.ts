import { WaybillError, invalid } from '../errors.js';
import { checkSecret, newId } from '../intake/subscriber-input.js';
import { assertText } from '../intake/text.js';
import { coded } from '../ledger/pool.js';
import {
  listSecrets,
  revokeSecret,
  rotateSecret,
  sealedSecret,
  type SecretActAnswer,
  type SecretRow,
} from '../ledger/secrets.js';
import { secretContext } from '../wire/seal.js';
import { newSecret } from '../wire/sign.js';
import { checkWord, granted, type Door, type OperatorWord } from './obligations.js';
import { needSubscriber, type SubscriberDesk } from './subscribers.js';

/** How long the secrets before a rotation go on signing, where nothing else is said. */
export const DEFAULT_OVERLAP_MS = 24 * 3_600_000;
const OVERLAP_MAX_MS = 30 * 86_400_000;
const MAX_SHOWN = 100;

export interface Rotation {
  /** 0: the secrets before it end at once. */
  readonly overlapMs?: number;
  /** `whsec_...`; made when unset. */
  readonly secret?: string;
}

/** `secret` is absent where this request id was answered before: a secret is shown once. */
export type Rotated = SecretActAnswer & { readonly secret?: string };

/**
 * A new secret that signs from the next attempt on, beside the ones before it until their overlap is over. Safe to
 * repeat under its request id; give a secret of your own where a lost answer must not lose it.
 * @throws WaybillError `invalid_field`, `not_found`, `subscriber_removed`, `too_many_secrets`, `request_id_reused`.
 */
export async function rotate(
  desk: SubscriberDesk,
  idOrName: string,
  word: OperatorWord,
  { overlapMs = DEFAULT_OVERLAP_MS, secret: given }: Rotation = {},
): Promise<Rotated> {
  const checked = checkWord(word);
  if (!Number.isInteger(overlapMs) || overlapMs < 0 || overlapMs > OVERLAP_MAX_MS) {
    throw invalid('overlapMs', `must be a whole number from 0 to ${OVERLAP_MAX_MS}, which is 30 days`);
  }
  const secret = checkSecret(given ?? newSecret());
  const { id } = await needSubscriber(desk, idOrName);
  const secretId = newId('sec_');
  const sealed = desk.sealer.seal(secret, secretContext(secretId));
  const answer = await coded(() =>
    rotateSecret(
      ...([desk.db, desk.account, id, { id: secretId, sealed }, overlapMs, checked] as const),
      ...([desk.source, desk.now ?? null] as const),
    ),
  );
  await granted(desk.db, answer);
  if (!answer.repeated) return { ...answer, secret };
  if (given !== undefined) await assertSame(desk, answer.secretId, given);
  return answer;
}

/** A repeated request id with another secret would else pass for a rotation to it. */
async function assertSame(desk: SubscriberDesk, secretId: string | undefined, given: string): Promise<void> {
  const sealed = secretId && (await coded(() => sealedSecret(desk.db, secretId)));
  if (!sealed || desk.sealer.open(sealed, secretContext(secretId)) !== given) {
    throw new WaybillError('request_id_reused');
  }
}

/**
 * Ends one secret at once.
 * @throws WaybillError `invalid_field`, `not_found`, `secret_in_use` for the current one, `request_id_reused`.
 */
export async function revoke(door: Door, secretId: string, word: OperatorWord): Promise<SecretActAnswer> {
  const checked = checkWord(word);
  assertText('secret id', secretId, 1, 100);
  const answer = await coded(() =>
    revokeSecret(door.db, door.account, secretId, checked, door.source, door.now ?? null),
  );
  return granted(door.db, answer);
}

/** The newest hundred, newest first; never a value. @throws WaybillError `not_found`. */
export async function secretsOf(door: Door, idOrName: string): Promise<SecretRow[]> {
  const { id } = await needSubscriber(door, idOrName);
  return coded(() => listSecrets(door.db, id, MAX_SHOWN, door.now ?? null));
}
