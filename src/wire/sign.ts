import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
/** Standard Webhooks, "Signature scheme": secrets hold 24 to 64 random bytes. */
const SECRET_MIN_BYTES = 24;
const SECRET_MAX_BYTES = 64;
const NEW_SECRET_BYTES = 32;

/** A text that is no usable signing secret. Its message says why and never repeats the text. */
export class SecretInvalid extends Error {
  override name = 'SecretInvalid';
}

/** What one signature covers: `id.timestamp.body`, the body byte for byte as it is sent. */
export interface SignInput {
  id: string;
  timestampSeconds: number;
  body: Uint8Array;
  /** All live secrets; each gives one signature, in this order. */
  secrets: readonly Uint8Array[];
}

/**
 * The value of `webhook-signature`: one `v1,<base64 HMAC-SHA256>` for each secret, separated by a blank (Standard
 * Webhooks v1). Throws where there is no secret or the timestamp isn't whole seconds: an unsigned request must not
 * leave the house.
 */
export function sign(input: SignInput): string {
  if (input.secrets.length === 0) throw new SecretInvalid('there is no secret to sign with');
  if (!Number.isSafeInteger(input.timestampSeconds) || input.timestampSeconds < 0) {
    throw new RangeError('the timestamp to sign is not whole seconds');
  }
  const head = `${input.id}.${input.timestampSeconds}.`;
  return input.secrets
    .map((secret) => `v1,${createHmac('sha256', secret).update(head).update(input.body).digest('base64')}`)
    .join(' ');
}

/**
 * The key bytes of a `whsec_` secret. Only the one canonical spelling is taken (padded standard base64, 24 to 64
 * bytes): lenient decoders turn a mistyped secret into a near-empty key. A secret that was encoded twice is refused
 * where that is certain. Throws {@link SecretInvalid}.
 */
export function parseSecret(text: string): Uint8Array {
  if (!text.startsWith(PREFIX)) throw new SecretInvalid(`a secret starts with "${PREFIX}"`);
  const encoded = text.slice(PREFIX.length);
  const bytes = decodeBase64(encoded);
  if (!bytes) throw new SecretInvalid(`what follows "${PREFIX}" is not padded standard base64`);
  if (bytes.length < SECRET_MIN_BYTES || bytes.length > SECRET_MAX_BYTES) {
    throw new SecretInvalid(
      `a secret has ${SECRET_MIN_BYTES} to ${SECRET_MAX_BYTES} bytes, this one ${bytes.length}`,
    );
  }
  const asText = bytes.toString('latin1');
  if (asText.startsWith(PREFIX) || (asText.endsWith('=') && decodeBase64(asText))) {
    throw new SecretInvalid('the secret was base64-encoded twice');
  }
  return new Uint8Array(bytes);
}

/** A fresh secret: `whsec_` and the base64 of 32 random bytes. */
export function newSecret(): string {
  return PREFIX + randomBytes(NEW_SECRET_BYTES).toString('base64');
}

/** Bytes of a canonical, padded, standard base64 text (RFC 4648 4); undefined for any other spelling. */
function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return text !== '' && bytes.toString('base64') === text ? bytes : undefined;
}
