import type { TlsIdentity } from './agent.js';
import { ownHeaderFault } from './headers.js';
import { authContext, headersContext, tlsContext } from './seal.js';

/** What is stored for a subscriber can't be used as it is. The message names the thing and never shows it. */
export class StoredBadly extends Error {
  override name = 'StoredBadly';
}

interface StoredTexts {
  readonly id: string;
  readonly headersSealed: string | null;
  readonly authSealed: string | null;
  readonly tlsSealed: string | null;
}
type Open = (sealed: string, context: string) => string;

/**
 * The subscriber's own headers with the one that authorizes, names in lower case. Judged anew before each send, since
 * what is stored may be older than the rules, or edited by hand. Throws {@link StoredBadly} and what `open` throws.
 */
export function ownHeaders(stored: StoredTexts, open: Open): Record<string, string> {
  const headers: [string, string][] = [];
  const opened =
    stored.headersSealed === null
      ? {}
      : fieldsOf('headers', open(stored.headersSealed, headersContext(stored.id)));
  for (const [name, value] of Object.entries(opened)) {
    const fault = ownHeaderFault(name, value);
    if (fault) throw new StoredBadly(fault);
    headers.push([name.toLowerCase(), value as string]);
  }
  if (stored.authSealed !== null) {
    if (headers.some(([name]) => name === 'authorization'))
      throw new StoredBadly('a header authorization is stored beside another authorization');
    const value = open(stored.authSealed, authContext(stored.id));
    const fault = ownHeaderFault('authorization', value);
    if (fault) throw new StoredBadly(fault);
    headers.push(['authorization', value]);
  }
  return Object.fromEntries(headers);
}

/** The subscriber's own TLS texts, undefined where it has none. Throws {@link StoredBadly} and what `open` throws. */
export function ownTls(stored: StoredTexts, open: Open): TlsIdentity | undefined {
  if (stored.tlsSealed === null) return undefined;
  const { ca, cert, key } = fieldsOf('TLS texts', open(stored.tlsSealed, tlsContext(stored.id)));
  for (const text of [ca, cert, key]) {
    if (text !== undefined && typeof text !== 'string')
      throw new StoredBadly('the stored TLS texts are no texts');
  }
  if ((cert === undefined) !== (key === undefined)) {
    throw new StoredBadly('of the stored TLS texts, certificate or key is missing');
  }
  return {
    owner: stored.id,
    ca: ca as string | undefined,
    cert: cert as string | undefined,
    key: key as string | undefined,
  };
}

function fieldsOf(what: string, json: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    value = undefined; // JSON.parse's message would quote the text
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new StoredBadly(`the stored ${what} are unreadable`);
  }
  return value as Record<string, unknown>;
}
