import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** RFC 6052: an IPv6-only network reaches IPv4 through it, so the embedded address is the one that counts. */
export const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

interface Entry {
  /** Plain http is allowed as well. */
  http: boolean;
  range?: [Address, number];
  /** A name, or with a leading dot all names under it. */
  host?: string;
}

/** What the operator vouches for beyond the public internet; made by {@link parseAllowList}. */
export type AllowList = readonly Entry[];

/** Vouches for nothing: public https only. */
export const NOTHING_ALLOWED: AllowList = [];

/**
 * Reads a comma-separated list of CIDRs, addresses, host names and `*.` host names, each optionally with `http://`
 * in front, which permits plain http besides https: `127.0.0.1/8,*.svc.example,http://localhost`.
 *
 * An address entry vouches for the address however it is reached. A host entry vouches for the name and for
 * whatever it resolves to; `*.svc.example` covers all names below `svc.example`, not that name itself. Plain http
 * to a name needs an entry with that name. Throws an Error that names the bad entry. An empty text allows nothing.
 */
export function parseAllowList(text: string): AllowList {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map(parseEntry);
}

/** Whether an entry names this host (lower-case ASCII, no trailing dot) for the scheme. */
export function allowsHost(allow: AllowList, host: string, scheme: 'https' | 'http'): boolean {
  return allow.some(
    (entry) =>
      entry.host !== undefined &&
      (scheme === 'https' || entry.http) &&
      (entry.host.startsWith('.') ? host.endsWith(entry.host) : host === entry.host),
  );
}

/** Whether an entry holds this address for the scheme. */
export function allowsAddress(
  allow: AllowList,
  address: Address | undefined,
  scheme: 'https' | 'http',
): boolean {
  return allow.some(
    (entry) => (scheme === 'https' || entry.http) && address !== undefined && holds(entry.range, address),
  );
}

function holds(range: [Address, number] | undefined, address: Address): boolean {
  if (!range || range[0].kind() !== address.kind()) return false;
  return address instanceof ipaddr.IPv4
    ? address.match(range as [ipaddr.IPv4, number])
    : address.match(range as [ipaddr.IPv6, number]);
}

function parseEntry(entry: string): Entry {
  const http = entry.startsWith('http://');
  const what = http ? entry.slice('http://'.length) : entry;
  const bare = what.replace(/^\[(.*)\]$/, '$1');
  if (bare.includes('%')) throw new Error(`"${entry}" in the allow list has a zone`);
  if (ipaddr.IPv6.isValidCIDR(bare)) return { http, range: unwrapped(ipaddr.IPv6.parseCIDR(bare)) };
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(bare)) return { http, range: ipaddr.IPv4.parseCIDR(bare) };
  if (ipaddr.IPv6.isValid(bare)) return { http, range: unwrapped([ipaddr.IPv6.parse(bare), 128]) };
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return { http, range: [ipaddr.IPv4.parse(bare), 32] };
  const name = what.startsWith('*.') ? what.slice(2) : what;
  const parsed = URL.canParse(`https://${name}/`) ? new URL(`https://${name}/`).hostname : '';
  // Compared with the text, so that ports, paths, credentials and odd spellings of addresses are no host names.
  if (!/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(parsed) || parsed !== name.toLowerCase()) {
    throw new Error(`"${entry}" in the allow list is not an address, a CIDR or a host name`);
  }
  return { http, host: what.startsWith('*.') ? `.${parsed}` : parsed };
}

/** An entry that names IPv4 in its IPv6 spelling (mapped, NAT64) means that IPv4, which is what is judged. */
function unwrapped([address, bits]: [ipaddr.IPv6, number]): [Address, number] {
  const wrapped = address.isIPv4MappedAddress() || address.match(NAT64);
  return wrapped && bits >= 96
    ? [new ipaddr.IPv4(address.toByteArray().slice(12)), bits - 96]
    : [address, bits];
}
