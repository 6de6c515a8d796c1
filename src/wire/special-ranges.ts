import ipaddr from 'ipaddr.js';

/**
 * What is not handed out to the public, with the word a refusal shows: IANA's registries of special-purpose
 * addresses (RFC 6890 and its updates) whole, also the few entries that are reachable globally, since no
 * subscriber's endpoint stands on a relay's or a sink's anycast address; and what the registries leave out: multicast,
 * and a cloud's own metadata at an address that looks public.
 */
const IPV4: readonly [string, string][] = [
  ['0.0.0.0/8', 'this network'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'shared by carriers'],
  ['127.0.0.0/8', 'loopback'],
  // Public by its registry, but answered by Azure's own hosts alone, with secrets of the machine that asks.
  ['168.63.129.16/32', 'Azure platform'],
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'IETF protocols'],
  ['192.0.2.0/24', 'documentation'],
  ['192.31.196.0/24', 'AS112'],
  ['192.52.193.0/24', 'AMT'],
  ['192.88.99.0/24', '6to4 relays'],
  ['192.168.0.0/16', 'private'],
  ['192.175.48.0/24', 'AS112'],
  ['198.18.0.0/15', 'benchmarking'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
];

/** Only `2000::/3` is global unicast (RFC 4291 2.4): all else is refused, known or not. These are inside it. */
const IPV6: readonly [string, string][] = [
  // Teredo, benchmarking, AMT, AS112, ORCHID and DRIP are in here, and what IETF may add.
  ['2001::/23', 'IETF protocols'],
  ['2001:db8::/32', 'documentation'],
  ['2002::/16', '6to4'],
  ['2620:4f:8000::/48', 'AS112'],
  ['3fff::/20', 'documentation'],
];
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

const RANGES4 = IPV4.map(([cidr, name]) => ({ cidr: ipaddr.IPv4.parseCIDR(cidr), name }));
const RANGES6 = IPV6.map(([cidr, name]) => ({ cidr: ipaddr.IPv6.parseCIDR(cidr), name }));

/** Why an address is not public unicast, in a word or two, or undefined where it is. */
export function specialRange(address: ipaddr.IPv4 | ipaddr.IPv6): string | undefined {
  if (address instanceof ipaddr.IPv4) return RANGES4.find(({ cidr }) => address.match(cidr))?.name;
  if (!address.match(GLOBAL_UNICAST)) return 'not global unicast';
  return RANGES6.find(({ cidr }) => address.match(cidr))?.name ?? (isIsatap(address) ? 'ISATAP' : undefined);
}

/** RFC 5214 6.1: the interface id is `::0:5efe:a.b.c.d`, or `::200:5efe:a.b.c.d` for a public one. */
function isIsatap(address: ipaddr.IPv6): boolean {
  const [, , , , upper = 0, lower = 0] = address.parts;
  return (upper & ~0x200) === 0 && lower === 0x5efe;
}
