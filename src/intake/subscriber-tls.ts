import { X509Certificate, createPrivateKey } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { invalid } from '../errors.js';
import { isRecord } from './text.js';

/** What a subscriber wants of the connection itself; all texts are PEM. */
export interface TlsInput {
  /** Authorities, the only ones that may vouch for its endpoint; the usual ones when unset. */
  readonly ca?: string;
  /** Our client certificate, and what lies between it and its root; goes with `key`. */
  readonly cert?: string;
  readonly key?: string;
}

/** What may be shown of it. */
export interface TlsShown {
  /** How many authorities. */
  readonly ca: number;
  readonly cert: { readonly subject: string; readonly validTo: string; readonly sha256: string } | null;
}

export interface CheckedTls {
  readonly texts: TlsInput;
  readonly shown: TlsShown;
}

const FIELDS = ['ca', 'cert', 'key'] as const;
const MAX_CHARACTERS = 65_536;
const MAX_CERTIFICATES = 50;
const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[A-Za-z0-9+/=\s]*-----END \1-----/g;

/** @throws WaybillError `invalid_field` naming `tls.ca`, `tls.cert` or `tls.key`; nothing of a text is repeated. */
export function checkTls(tls: unknown): CheckedTls {
  if (!isRecord(tls)) throw invalid('tls', 'must be an object of PEM texts');
  for (const field of Object.keys(tls)) {
    if (!FIELDS.some((known) => known === field)) throw invalid(`tls.${field.slice(0, 64)}`, 'no such field');
  }
  for (const field of FIELDS) {
    const text = tls[field];
    if (text === undefined) continue;
    if (typeof text !== 'string') throw invalid(`tls.${field}`, 'must be a text');
    if (text.length > MAX_CHARACTERS) {
      throw invalid(`tls.${field}`, `has ${text.length} characters, the limit is ${MAX_CHARACTERS}`);
    }
  }
  const texts: TlsInput = tls;
  if (texts.ca === undefined && texts.cert === undefined && texts.key === undefined) {
    throw invalid('tls', 'names none of ca, cert and key');
  }
  if (texts.cert !== undefined && texts.key === undefined)
    throw invalid('tls.key', 'is missing beside tls.cert');
  if (texts.key !== undefined && texts.cert === undefined)
    throw invalid('tls.cert', 'is missing beside tls.key');

  const authorities = texts.ca === undefined ? [] : certificatesOf('tls.ca', texts.ca);
  const [leaf] = texts.cert === undefined ? [] : certificatesOf('tls.cert', texts.cert);
  if (leaf && texts.key !== undefined) checkKey(leaf, texts.key);
  assertUsable(texts);
  return {
    texts,
    shown: {
      ca: authorities.length,
      cert: leaf
        ? {
            subject: leaf.subject.replaceAll('\n', ', ').slice(0, 255),
            validTo: new Date(leaf.validTo).toISOString(),
            sha256: leaf.fingerprint256,
          }
        : null,
    },
  };
}

function certificatesOf(field: string, text: string): X509Certificate[] {
  const blocks = [...text.matchAll(BLOCK)];
  if (blocks.length === 0) throw invalid(field, 'holds no PEM certificate');
  if (blocks.length > MAX_CERTIFICATES)
    throw invalid(field, `holds more than ${MAX_CERTIFICATES} certificates`);
  return blocks.map(([block, label], i) => {
    if (label !== 'CERTIFICATE') throw invalid(field, 'holds something else than certificates');
    try {
      return new X509Certificate(block);
    } catch {
      throw invalid(field, `certificate ${i + 1} can't be read`);
    }
  });
}

function checkKey(leaf: X509Certificate, text: string): void {
  const labels = [...text.matchAll(BLOCK)].map(([, label]) => label ?? '');
  // An encrypted key is a block of its own kind (RFC 7468 11) or says so in a header of its block (RFC 1421 4.6.1.1).
  if (labels.some((label) => label.startsWith('ENCRYPTED')) || /^Proc-Type:.*ENCRYPTED/m.test(text)) {
    throw invalid('tls.key', 'is encrypted; give it without a passphrase, it is sealed at rest');
  }
  let key;
  try {
    key = createPrivateKey(text);
  } catch {
    throw invalid('tls.key', 'is no PEM private key');
  }
  if (!leaf.checkPrivateKey(key))
    throw invalid('tls.key', 'does not belong to the first certificate of tls.cert');
}

/** What the checks above let pass OpenSSL may still refuse, such as a key that is too short. */
function assertUsable({ ca, cert, key }: TlsInput): void {
  const parts = [
    ['tls.ca', ca === undefined ? undefined : { ca }],
    ['tls.cert', cert === undefined || key === undefined ? undefined : { cert, key }],
  ] as const;
  for (const [field, options] of parts) {
    if (!options) continue;
    try {
      createSecureContext({ minVersion: 'TLSv1.2', ...options });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw invalid(field, `is not usable for TLS${code ? ` (${code})` : ''}`);
    }
  }
}
