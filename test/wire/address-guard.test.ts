import { describe, expect, test } from 'vitest';
import { judgeAddress, judgeUrl, URL_MAX_LENGTH } from '../../src/wire/address-guard.js';
import { NOTHING_ALLOWED, parseAllowList } from '../../src/wire/allow-list.js';

function reasonFor(text: string, allow = NOTHING_ALLOWED): string {
  const judged = judgeUrl(text, allow);
  return judged.ok ? judged.url.href : judged.reason;
}

describe('numeric spellings of special IPv4 addresses', () => {
  test.each([
    'https://0x7f.1/h',
    'https://0177.0.0.1/h',
    'https://2130706433/h',
    'https://127.1/h',
    'https://017700000001/h',
    'https://2852039166/latest/meta-data',
    'https://169.254.43518/',
    'https://0/',
    'https://①②⑦.⓪.⓪.①/',
    'https://127。0。0。1/',
    'https://127.0.0.1./',
    'https://%31%32%37.0.0.1/',
  ])('%s is refused', (url) => {
    expect(reasonFor(url)).toBe('address_not_public');
  });

  test('a public one is judged like its dotted form', () => {
    expect(reasonFor('https://134744072/')).toBe('https://8.8.8.8/');
  });
});

describe('IPv6 literals', () => {
  test.each([
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:169.254.169.254]/',
    'https://[::ffff:a00:5]/',
    'https://[::1]/',
    'https://[::]/',
    'https://[fe80::1]/',
    'https://[fd00:ec2::254]/',
    'https://[64:ff9b::a9fe:a9fe]/',
    'https://[64:ff9b:1::808:808]/',
  ])('%s is refused', (url) => {
    expect(reasonFor(url)).toBe('address_not_public');
  });

  test('a public one is taken', () => {
    expect(reasonFor('https://[2606:4700::1111]/')).toBe('https://[2606:4700::1111]/');
  });
});

describe('addresses', () => {
  test.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::808:808'])(
    '%s is public',
    (address) => {
      expect(judgeAddress(address, NOTHING_ALLOWED)).toEqual({ ok: true });
    },
  );

  test.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.5',
    '100.64.0.1',
    '127.0.0.1',
    '168.63.129.16',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::ffff:10.0.0.5',
    '::ffff:0:808:808',
    '64:ff9b::7f00:1',
    '64:ff9b:1::808:808',
    '100::1',
    '2001::1',
    '2001:2::1',
    '2001:10::1',
    '2001:20::1',
    '2001:db8::1',
    '2002:808:808::1',
    '2002:7f00:1::1',
    '3fff::1',
    '4000::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fec0::1',
    '2001:1ff:ffff::1',
    '2620:4f:8000::1',
    '2606:4700::5efe:808:808',
    '2606:4700::200:5efe:a00:1',
    '192.31.196.1',
    'ff02::1',
  ])('%s is not', (address) => {
    expect(judgeAddress(address, NOTHING_ALLOWED)).toMatchObject({ ok: false, reason: 'address_not_public' });
  });

  test.each([
    '',
    'localhost',
    '1.2.3',
    '1.2.3.4.5',
    'fe80::1%eth0',
    '2606:4700::1111%1',
    '[::1]',
    ':::',
    'x',
  ])('%j is refused since it cannot be read', (address) => {
    const judged = judgeAddress(address, NOTHING_ALLOWED);
    expect(judged.ok).toBe(false);
  });
});

describe('names', () => {
  test.each([
    'https://localhost./',
    'https://LOCALHOST./',
    'https://localhost/',
    'https://ｌocalhost/h',
    'https://a.localhost/',
    'https://metadata.google.internal./',
    'https://svc.internal./',
    'https://printer.local./',
    'https://intranet/',
    'https://router.home.arpa/',
    'https://hooks.team.svc/',
    'https://nas.lan/',
    'https://wiki.corp/',
    'https://a.test/',
    'https://abc.onion/',
  ])('%s is internal', (url) => {
    expect(reasonFor(url)).toBe('host_internal');
  });

  test.each([
    'https://printer.local../',
    'https://hooks..example.com/',
    'https://a!b.example/',
    'https://./',
  ])('%s is no usable name', (url) => {
    expect(reasonFor(url)).toBe('host_malformed');
  });

  test.each([
    ['https://hooks.example.com./h', 'https://hooks.example.com/h'],
    ['https://HOOKS.example.com:443/h#part', 'https://hooks.example.com/h'],
    ['https://bücher.example/h', 'https://xn--bcher-kva.example/h'],
    ['https://xn--bcher-kva.example/h', 'https://xn--bcher-kva.example/h'],
    ['https://faß.example/h', 'https://xn--fa-hia.example/h'],
    ['https://xn--80akjhbed8ahk.xn--p1ai/h', 'https://xn--80akjhbed8ahk.xn--p1ai/h'],
    ['https://a_b.example:8443/?k=v', 'https://a_b.example:8443/?k=v'],
  ])('%s is the endpoint %s', (url, normal) => {
    expect(reasonFor(url)).toBe(normal);
  });
});

describe('the rest of a URL', () => {
  test.each([
    ['https://', 'url_malformed'],
    ['', 'url_malformed'],
    ['hooks.example.com/h', 'url_malformed'],
    ['https://exa\nmple.com/', 'url_malformed'],
    [' https://example.com/', 'url_malformed'],
    ['https://[::1/', 'url_malformed'],
    ['https://[fe80::1%25eth0]/', 'url_malformed'],
    ['https://example.com:99999/', 'url_malformed'],
    ['https://example.com:0/', 'port_forbidden'],
    ['http://example.com/', 'scheme_not_https'],
    ['ftp://example.com/', 'scheme_not_https'],
    ['javascript:alert(1)', 'scheme_not_https'],
    ['https://user:p%40ss%2Fw@hooks.example.com/h', 'userinfo_present'],
    ['https://user@hooks.example.com/h', 'userinfo_present'],
    ['https://example.com/' + 'a'.repeat(URL_MAX_LENGTH), 'url_too_long'],
    ['https://example.com/' + 'é'.repeat(URL_MAX_LENGTH / 4), 'url_too_long'],
  ])('%s: %s', (url, reason) => {
    expect(reasonFor(url)).toBe(reason);
  });

  test('a refusal shows no part of credentials, path or query', () => {
    for (const url of [
      'https://user:p%40ss%2Fw@hooks.example.com/tokenXYZ?key=K123',
      'https://localhost/tokenXYZ?key=K123',
      'ftp://example.com/tokenXYZ?key=K123',
      'https://exa mple.com/tokenXYZ?key=K123',
    ]) {
      expect(JSON.stringify(judgeUrl(url, NOTHING_ALLOWED))).not.toMatch(/p@ss|p%40ss|user:|tokenXYZ|K123/);
    }
  });
});

describe('the allow list', () => {
  const allow = parseAllowList(
    '10.1.0.0/16, ::1, *.svc.example, intranet, http://127.0.0.1/8, http://demo.local',
  );

  test.each([
    'https://10.1.2.3/',
    'https://[::ffff:10.1.2.3]/',
    'https://[::1]/',
    'https://intranet/',
    'https://a.svc.example/',
    'https://127.0.0.1/',
    'http://127.9.9.9:8080/',
    'http://demo.local/',
  ])('lets %s through', (url) => {
    expect(reasonFor(url, allow)).toBe(url.replace('[::ffff:10.1.2.3]', '[::ffff:a01:203]'));
  });

  test.each([
    ['https://10.2.0.1/', 'address_not_public'],
    ['http://10.1.2.3/', 'scheme_not_https'],
    ['http://intranet/', 'scheme_not_https'],
    ['http://example.com/', 'scheme_not_https'],
    ['http://a.svc.example/', 'scheme_not_https'],
    ['https://b.demo.local/', 'host_internal'],
    ['https://localhost/', 'host_internal'],
    ['https://user@intranet/', 'userinfo_present'],
  ])('does not widen %s: %s', (url, reason) => {
    expect(reasonFor(url, allow)).toBe(reason);
  });

  test.each([
    ['::ffff:10.1.0.0/112', 'https://10.1.2.3/'],
    ['64:ff9b::10.1.2.3', 'https://[64:ff9b::a01:203]/'],
    ['10.1.2.3', 'https://[64:ff9b::a01:203]/'],
  ])('%s means the IPv4 in it, for %s', (entry, url) => {
    expect(reasonFor(url, parseAllowList(entry))).toBe(url);
  });

  test('an empty text allows nothing', () => {
    expect(parseAllowList(' , ')).toEqual([]);
  });

  test.each([
    '10.0.0.0/33',
    '10.0.0/8',
    '0x7f.1',
    '127.1',
    'https://x.example',
    'a.example/path',
    'a.example:80',
    'user@a.example',
    '*',
    '*.*.example',
    'a..example',
    '::1/129',
    'bücher.example',
    'fe80::1%eth0',
  ])('an entry %s is named in the error', (entry) => {
    expect(() => parseAllowList(`127.0.0.1,${entry}`)).toThrow(`"${entry}"`);
  });
});
