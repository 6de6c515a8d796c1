import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const FORMAT = 'v1';
const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
/** NIST SP 800-38D 8.2.2: 96 random bits; at most 2^32 seals under one key. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/;

/** The sealed text names a key that isn't configured: our own fault, mended by configuring it. */
export class SealKeyMissing extends Error {
  override name = 'SealKeyMissing';
  readonly keyId: string;
  constructor(keyId: string) {
    super(`no encryption key with the id "${keyId}" is configured`);
    this.keyId = keyId;
  }
}

/** The sealed text is malformed, was altered, or belongs to another context or key. */
export class SealBroken extends Error {
  override name = 'SealBroken';
  constructor() {
    super('a sealed text is malformed, was altered, or belongs elsewhere');
  }
}

/** Keys by id, the one to seal with first. */
export type SealKeys = ReadonlyMap<string, Uint8Array>;

/** Encrypts texts for the database and back. `context` says where a text belongs; it isn't stored, but bound. */
export interface Sealer {
  seal(plain: string, context: string): string;
  /** Throws {@link SealKeyMissing} or {@link SealBroken}. */
  open(sealed: string, context: string): string;
}

/**
 * Reads `id:<base64 of 32 bytes>,id:...`; the first entry is the one to seal with, all can open. Throws an Error
 * that names an entry by its place and never shows any of its text.
 */
export function parseKeys(text: string): SealKeys {
  const keys = new Map<string, Uint8Array>();
  for (const [index, entry] of text.split(',').entries()) {
    const colon = entry.indexOf(':');
    const id = entry.slice(0, Math.max(0, colon)).trim();
    const encoded = entry.slice(colon + 1).trim();
    const place = `encryption key ${index + 1}`;
    if (colon < 0 || !KEY_ID.test(id)) throw new Error(`${place} is not written as <id>:<base64>`);
    const key = Buffer.from(encoded, 'base64');
    if (key.length !== KEY_BYTES || key.toString('base64') !== encoded) {
      throw new Error(`${place} is not the base64 of ${KEY_BYTES} bytes`);
    }
    if (keys.has(id)) throw new Error(`${place} repeats the id of an earlier one`);
    keys.set(id, new Uint8Array(key));
  }
  return keys;
}

/**
 * Seals with AES-256-GCM as `v1.<keyId>.<nonce>.<ciphertext and tag>` (base64url). The context is authenticated, so
 * that a sealed text moved to another row or column doesn't open.
 */
export function makeSealer(keys: SealKeys): Sealer {
  const first = keys.entries().next().value;
  if (!first) throw new Error('there is no encryption key');
  const [sealingId, sealingKey] = first;
  return {
    seal(plain, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, sealingKey, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(bound(sealingId, context));
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return [FORMAT, sealingId, nonce.toString('base64url'), sealed.toString('base64url')].join('.');
    },
    open(sealed, context) {
      const [format, keyId, nonceText, sealedText, ...rest] = sealed.split('.');
      if (
        format !== FORMAT ||
        !keyId ||
        !KEY_ID.test(keyId) ||
        !nonceText ||
        !sealedText ||
        rest.length > 0
      ) {
        throw new SealBroken();
      }
      const key = keys.get(keyId);
      if (!key) throw new SealKeyMissing(keyId);
      const nonce = decode(nonceText);
      const bytes = decode(sealedText);
      if (nonce.length !== NONCE_BYTES || bytes.length < TAG_BYTES) throw new SealBroken();
      const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(bound(keyId, context));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        return decipher.update(bytes.subarray(0, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
      } catch {
        throw new SealBroken();
      }
    },
  };
}

/** Format and key id are authenticated with the context, so that neither can be exchanged unnoticed. */
function bound(keyId: string, context: string): Buffer {
  return Buffer.from(`${FORMAT}.${keyId}.${context}`, 'utf8');
}

/** Only the canonical spelling opens, so that one sealed text has one form. */
function decode(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.toString('base64url') !== text) throw new SealBroken();
  return bytes;
}

/** Contexts that sealed texts are bound to: a text moved to another row or column doesn't open. */
export const urlContext = (subscriber: string): string => `subscriber:${subscriber}:url`;
export const headersContext = (subscriber: string): string => `subscriber:${subscriber}:headers`;
export const authContext = (subscriber: string): string => `subscriber:${subscriber}:auth`;
export const tlsContext = (subscriber: string): string => `subscriber:${subscriber}:tls`;
export const secretContext = (secretId: string): string => `secret:${secretId}`;
