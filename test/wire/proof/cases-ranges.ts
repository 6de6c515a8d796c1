/**
 * IANA's special ranges, written down from the registries for the proof alone, and the one of a cloud's metadata: the first and the last address of
 * each, and the public addresses right before and after it (none where the neighbour is special too).
 */
export interface RangeCase {
  readonly what: string;
  readonly cidr: string;
  readonly first: string;
  readonly last: string;
  readonly before?: string;
  readonly after?: string;
}

const range = (
  what: string,
  cidr: string,
  first: string,
  last: string,
  before?: string,
  after?: string,
): RangeCase => ({ what, cidr, first, last, ...(before ? { before } : {}), ...(after ? { after } : {}) });

export const RANGES4: readonly RangeCase[] = [
  range('this network', '0.0.0.0/8', '0.0.0.0', '0.255.255.255', undefined, '1.0.0.0'),
  range('private 10', '10.0.0.0/8', '10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'),
  range('carrier NAT', '100.64.0.0/10', '100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'),
  range('loopback', '127.0.0.0/8', '127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'),
  range(
    'Azure WireServer',
    '168.63.129.16/32',
    '168.63.129.16',
    '168.63.129.16',
    '168.63.129.15',
    '168.63.129.17',
  ),
  range('link-local', '169.254.0.0/16', '169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'),
  range('private 172', '172.16.0.0/12', '172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'),
  range('IETF protocols', '192.0.0.0/24', '192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'),
  range('TEST-NET-1', '192.0.2.0/24', '192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'),
  range('AS112', '192.31.196.0/24', '192.31.196.0', '192.31.196.255', '192.31.195.255', '192.31.197.0'),
  range('AMT', '192.52.193.0/24', '192.52.193.0', '192.52.193.255', '192.52.192.255', '192.52.194.0'),
  range('6to4 relays', '192.88.99.0/24', '192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'),
  range('private 192', '192.168.0.0/16', '192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'),
  range(
    'direct AS112',
    '192.175.48.0/24',
    '192.175.48.0',
    '192.175.48.255',
    '192.175.47.255',
    '192.175.49.0',
  ),
  range('benchmarking', '198.18.0.0/15', '198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'),
  range('TEST-NET-2', '198.51.100.0/24', '198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'),
  range('TEST-NET-3', '203.0.113.0/24', '203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'),
  range('multicast', '224.0.0.0/4', '224.0.0.0', '239.255.255.255', '223.255.255.255'),
  range('reserved', '240.0.0.0/4', '240.0.0.0', '255.255.255.254'),
  range('broadcast', '255.255.255.255/32', '255.255.255.255', '255.255.255.255'),
];

const F7 = 'ffff:ffff:ffff:ffff:ffff:ffff:ffff';
const F6 = 'ffff:ffff:ffff:ffff:ffff:ffff';
const F5 = 'ffff:ffff:ffff:ffff:ffff';
const F4 = 'ffff:ffff:ffff:ffff';

export const RANGES6: readonly RangeCase[] = [
  range('unspecified', '::/128', '::', '::'),
  range('loopback', '::1/128', '::1', '::1'),
  range('IPv4-compatible', '::/96', '::2', '::ffff:ffff'),
  range('IPv4-translated', '::ffff:0:0:0/96', '::ffff:0:0:0', '::ffff:0:ffff:ffff'),
  range('NAT64, local use', '64:ff9b:1::/48', '64:ff9b:1::', `64:ff9b:1:${F5}`),
  range('discard', '100::/64', '100::', `100::${F4}`),
  range('dummy prefix', '100:0:0:1::/64', '100:0:0:1::', `100:0:0:1:${F4}`),
  range('below global unicast', '::/3', '200::', `1fff:${F7}`, undefined, '2000::'),
  range('above global unicast', '4000::/2', '4000::', `fbff:${F7}`, `3fff:${F7}`),
  range('Teredo', '2001::/32', '2001::', `2001:0:${F6}`, `2000:${F7}`),
  range('PCP anycast', '2001:1::1/128', '2001:1::1', '2001:1::1'),
  range('TURN anycast', '2001:1::2/128', '2001:1::2', '2001:1::2'),
  range('benchmarking', '2001:2::/48', '2001:2::', `2001:2:0:${F5}`),
  range('AMT', '2001:3::/32', '2001:3::', `2001:3:${F6}`),
  range('AS112-v6', '2001:4:112::/48', '2001:4:112::', `2001:4:112:${F5}`),
  range('ORCHID', '2001:10::/28', '2001:10::', `2001:1f:${F6}`),
  range('ORCHIDv2', '2001:20::/28', '2001:20::', `2001:2f:${F6}`),
  range('DRIP', '2001:30::/28', '2001:30::', `2001:3f:${F6}`),
  range('IETF protocols', '2001::/23', '2001:40::', `2001:1ff:${F6}`, undefined, '2001:200::'),
  range('documentation', '2001:db8::/32', '2001:db8::', `2001:db8:${F6}`, `2001:db7:${F6}`, '2001:db9::'),
  range('6to4', '2002::/16', '2002::', `2002:${F7}`, `2001:ffff:${F6}`, '2003::'),
  range(
    'direct AS112',
    '2620:4f:8000::/48',
    '2620:4f:8000::',
    `2620:4f:8000:${F5}`,
    `2620:4f:7fff:${F5}`,
    '2620:4f:8001::',
  ),
  range('documentation 2', '3fff::/20', '3fff::', `3fff:fff:${F6}`, undefined, '3fff:1000::'),
  range('SRv6 SIDs', '5f00::/16', '5f00::', `5f00:${F7}`),
  range('unique local', 'fc00::/7', 'fc00::', `fdff:${F7}`),
  range('link-local', 'fe80::/10', 'fe80::', `febf:${F7}`),
  range('site-local', 'fec0::/10', 'fec0::', `feff:${F7}`),
  range('multicast', 'ff00::/8', 'ff00::', `ffff:${F7}`),
  range(
    'mapped loopback',
    '::ffff:127.0.0.0/104',
    '::ffff:127.0.0.0',
    '::ffff:127.255.255.255',
    '::ffff:126.255.255.255',
    '::ffff:128.0.0.0',
  ),
  range(
    'mapped private',
    '::ffff:10.0.0.0/104',
    '::ffff:a00:0',
    '::ffff:aff:ffff',
    '::ffff:9ff:ffff',
    '::ffff:b00:0',
  ),
  range(
    'NAT64 of loopback',
    '64:ff9b::127.0.0.0/104',
    '64:ff9b::7f00:0',
    '64:ff9b::7fff:ffff',
    '64:ff9b::7eff:ffff',
    '64:ff9b::8000:0',
  ),
  range(
    'NAT64 of link-local',
    '64:ff9b::169.254.0.0/112',
    '64:ff9b::a9fe:0',
    '64:ff9b::a9fe:ffff',
    '64:ff9b::a9fd:ffff',
    '64:ff9b::a9ff:0',
  ),
  range(
    'NAT64 of private',
    '64:ff9b::192.168.0.0/112',
    '64:ff9b::c0a8:0',
    '64:ff9b::c0a8:ffff',
    '64:ff9b::c0a7:ffff',
    '64:ff9b::c0a9:0',
  ),
];

/** Public addresses that a guard which is too eager would refuse. */
export const PUBLIC: readonly string[] = [
  '1.1.1.1',
  '8.8.8.8',
  '99.255.255.255',
  '101.0.0.0',
  '192.1.0.1',
  '193.0.0.1',
  '2001:4860:4860::8888',
  '2606:4700:4700::1111',
  '2a00:1450:4001::1',
  '2400:cb00::1',
  '::ffff:8.8.8.8',
  '64:ff9b::808:808',
  '64:ff9b::5db8:d822',
];

/** What can't be read as an address: refused whatever it may mean. */
export const UNREADABLE: readonly string[] = [
  '',
  ' ',
  'localhost',
  '1.2.3',
  '1.2.3.4.5',
  '1.2.3.256',
  '0x8.8.8.8',
  '08.8.8.8',
  '134744072',
  '8.8.8.8 ',
  '8.8.8.8%eth0',
  'fe80::1%eth0',
  '2606:4700::1111%1',
  '[::1]',
  ':::',
  '2606:4700::1111::',
  '2606:4700::1111/128',
  '::ffff:8.8.8.8.8',
  '１.1.1.1',
];
