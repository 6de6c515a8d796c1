import { isIP } from 'node:net';

/**
 * The operator's proxy, through which all requests leave. Nothing that prints, inspects or serializes one shows its
 * credentials.
 */
export class EgressProxy {
  readonly secure: boolean;
  /** Without brackets. */
  readonly host: string;
  readonly port: number;
  /** What may be shown. */
  readonly origin: string;
  readonly #authorization: string | undefined;

  constructor(url: URL, authorization: string | undefined) {
    this.secure = url.protocol === 'https:';
    this.host = url.hostname.replace(/^\[|\]$/g, '');
    this.port = Number(url.port || (this.secure ? 443 : 80));
    this.origin = `${url.protocol}//${url.hostname}:${this.port}`;
    this.#authorization = authorization;
  }

  /** The value of `Proxy-Authorization`: for the proxy's own connection, and nothing else. */
  authorization(): string | undefined {
    return this.#authorization;
  }

  toString(): string {
    return this.origin;
  }

  toJSON(): string {
    return this.origin;
  }
}

/**
 * Reads `http://[user:password@]host:port`, or `https://` for TLS to the proxy itself; user and password may be
 * percent-encoded. Throws an Error that says what is wrong and shows nothing of the text.
 */
export function parseEgressProxy(text: string): EgressProxy {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // The URL parser drops blanks and line ends: what is left is not what was written.
  if (!url || /[^\x21-\x7e]/.test(text)) throw new Error('is not a URL such as http://proxy.example:3128');
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new Error('must begin with http:// or https://');
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '' || /[?#]/.test(text)) {
    throw new Error('must hold nothing after the port');
  }
  // A default port is gone from the parsed form.
  if (!/:\d+\/?$/.test(text) || url.port === '0') throw new Error('must name a port from 1 to 65535');
  return new EgressProxy(url, authorizationOf(url));
}

function authorizationOf(url: URL): string | undefined {
  if (url.username === '' && url.password === '') return undefined;
  const [user, password] = [decoded(url.username), decoded(url.password)];
  // RFC 7617 2: no colon in the user, no control character in either.
  if (user.includes(':'))
    throw new Error('has a colon in its user, which no proxy could tell from the password');
  if (/\p{Cc}/u.test(user + password)) throw new Error('has a control character in its user or password');
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('has a user or password that is not percent-encoded UTF-8');
  }
}

/**
 * No tunnel came about. `blames` says whose fault it is held to be; only `receiver` may cost a try. The message is our
 * own words: no address, no credentials, nothing that the proxy said but its status.
 */
export class ProxyFault extends Error {
  override name = 'ProxyFault';
  readonly blames: 'proxy' | 'receiver';
  constructor(message: string, blames: 'proxy' | 'receiver' = 'proxy') {
    super(message);
    this.blames = blames;
  }
}

/** Where CONNECT leads to, as it is written in its request line: an address, never a name. */
export function authority(address: string, port: number): string {
  return isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
}
