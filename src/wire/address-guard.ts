import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { AllowList } from './allow-list.js';
import { allowsAddress, allowsHost, NAT64 } from './allow-list.js';
import { specialRange } from './special-ranges.js';

/** Why an address was refused. Stable: these words are stored, shown and counted. */
export const ADDRESS_REASONS = [
  'url_malformed',
  'url_too_long',
  'scheme_not_https',
  'userinfo_present',
  'port_forbidden',
  'host_malformed',
  'host_internal',
  'address_unparsable',
  'address_not_public',
] as const;
export type AddressReason = (typeof ADDRESS_REASONS)[number];

/** A refusal. `detail` is for people: it may name the host, never the path, the query or credentials. */
export interface Refusal {
  ok: false;
  reason: AddressReason;
  detail: string;
}

/** Longest URL taken, in UTF-16 units, as written and as normalised: what receivers commonly accept. */
export const URL_MAX_LENGTH = 2048;

const NAME_MAX_LENGTH = 253;
/** What a host label may hold once the URL parser has made it ASCII; `_` is met in the wild. */
const LABEL = /^[a-z0-9_-]{1,63}$/;
/**
 * Names that lead inside, or nowhere on the public internet: RFC 6761, 6762 with its appendix G, 7686, 8375, 9476,
 * ICANN's `.internal`, and the `.localdomain` and `.svc` of hosts files and clusters.
 */
const INTERNAL_SUFFIXES = [
  ...['localhost', 'local', 'internal', 'localdomain', 'home.arpa', 'svc'],
  ...['intranet', 'private', 'corp', 'home', 'lan'],
  ...['test', 'onion', 'alt'],
];

/**
 * Judges where a URL would lead before anything is resolved, by its parsed form (WHATWG URL), so that spelling
 * doesn't matter: `https` only, no credentials, no internal name, no special address. The answer's `url` is
 * normalised: ASCII host without its trailing dot, no fragment. A name's addresses are judged at each connection.
 */
export function judgeUrl(text: string, allow: AllowList): { ok: true; url: URL } | Refusal {
  if (text.length > URL_MAX_LENGTH)
    return refuse('url_too_long', `a URL has at most ${URL_MAX_LENGTH} characters`);
  // The URL parser drops tabs and line ends wherever they stand: such a text isn't what its author sees.
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u0020\u007f]/.test(text))
    return refuse('url_malformed', 'a URL holds no blank or control character');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url)
    return refuse('url_malformed', 'not a URL with a scheme and a host, such as https://example.com/hook');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return refuse('scheme_not_https', 'only https is sent to');
  }
  if (url.username !== '' || url.password !== '') {
    return refuse(
      'userinfo_present',
      'credentials in a URL are not sent; put a secret token into its path or query',
    );
  }
  if (url.port === '0') return refuse('port_forbidden', 'port 0 is not one to connect to');
  url.hash = '';
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  const host = bareHost(url);
  const judged = isIP(host) ? judgeAddress(host, allow) : judgeName(host, allow);
  if (!judged.ok) return judged;
  if (
    url.protocol === 'http:' &&
    !allowsHost(allow, host, 'http') &&
    !allowsAddress(allow, unwrap(host), 'http')
  ) {
    return refuse('scheme_not_https', `plain http to ${host} is not on the allow list`);
  }
  if (url.href.length > URL_MAX_LENGTH) {
    return refuse('url_too_long', `a URL has at most ${URL_MAX_LENGTH} characters once it is normalised`);
  }
  return { ok: true, url };
}

/**
 * Judges one address, as written in a URL or as resolved: public unicast or allow-listed, else refused, and refused
 * too where it can't be read. IPv4 inside IPv6 (mapped, NAT64 `64:ff9b::/96`) is judged as that IPv4; the dead
 * transition forms (6to4, Teredo, IPv4-compatible, ISATAP) and local NAT64 (`64:ff9b:1::/48`, which doesn't tell where
 * its IPv4 lies) are refused whatever they hold.
 */
export function judgeAddress(text: string, allow: AllowList): { ok: true } | Refusal {
  const address = unwrap(text);
  if (!address) return refuse('address_unparsable', 'an address could not be read');
  if (allowsAddress(allow, address, 'https')) return { ok: true };
  const special = specialRange(address);
  return special === undefined
    ? { ok: true }
    : refuse('address_not_public', `${text} is not a public address (${special})`);
}

/** The host of a URL without the brackets of an IPv6 literal: what is resolved, dialled and named to TLS. */
export function bareHost(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
}

function judgeName(host: string, allow: AllowList): { ok: true } | Refusal {
  const labels = host.split('.');
  if (host.length > NAME_MAX_LENGTH || !labels.every((label) => LABEL.test(label))) {
    return refuse('host_malformed', 'the host is not a usable domain name');
  }
  if (allowsHost(allow, host, 'https')) return { ok: true };
  const internal =
    labels.length === 1 || INTERNAL_SUFFIXES.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
  return internal ? refuse('host_internal', `${host} is an internal name`) : { ok: true };
}

/** The address that counts: IPv4 taken out of its IPv6 wrapping. Zone ids, short and odd spellings give undefined. */
function unwrap(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (text.includes('%') || !isIP(text)) return undefined;
  const address = ipaddr.parse(text);
  if (!(address instanceof ipaddr.IPv6)) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  return address.match(NAT64) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address;
}

function refuse(reason: AddressReason, detail: string): Refusal {
  return { ok: false, reason, detail };
}
