import type { IncomingMessage } from 'node:http';
import { OutgoingMessage } from 'node:http';
import { BlockList } from 'node:net';
import fc from 'fast-check';
import { parseHttpDate, parseRetryAfter, RETRY_AFTER_MAX_MS } from '../../../src/policy/retry-after.js';
import { judgeAddress, judgeUrl } from '../../../src/wire/address-guard.js';
import type { AllowList } from '../../../src/wire/allow-list.js';
import { headerFault } from '../../../src/wire/headers.js';
import { answered } from '../../../src/wire/verdict.js';
import { RANGES4, RANGES6 } from './cases-ranges.js';

/** What must hold for whatever is made up; judged by node's own BlockList over the proof's own ranges. */
export interface Property {
  readonly name: string;
  readonly holds: (allow: AllowList) => fc.IRawProperty<unknown>;
}

/** One list for each family: node takes an IPv4 address for a mapped one where a list holds IPv6 ranges. */
const special = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const { cidr } of RANGES4) add(cidr, 'ipv4');
for (const { cidr } of RANGES6) if (!/^(::ffff:\d|64:ff9b::\d)/.test(cidr)) add(cidr, 'ipv6');
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

function add(cidr: string, family: 'ipv4' | 'ipv6'): void {
  const [net = '', bits] = cidr.split('/');
  special[family].addSubnet(net, Number(bits), family);
}

const dotted = (n: number): string => [24, 16, 8, 0].map((shift) => (n >>> shift) & 255).join('.');
const isPublic4 = (n: number): boolean => !special.ipv4.check(dotted(n), 'ipv4');
const text6 = (parts: readonly number[]): string => parts.map((part) => part.toString(16)).join(':');

/** RFC 4291, 6052 and 5214 in the plainest words. */
function isPublic6(parts: readonly number[]): boolean {
  const embedded = (((parts[6] ?? 0) << 16) | (parts[7] ?? 0)) >>> 0;
  const prefix = parts.slice(0, 6).join();
  if (prefix === '0,0,0,0,0,65535' || prefix === `100,${0xff9b},0,0,0,0`) return isPublic4(embedded);
  if ((parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe) return false;
  const text = text6(parts);
  return globalUnicast.check(text, 'ipv6') && !special.ipv6.check(text, 'ipv6');
}

const edges4 = RANGES4.flatMap(({ first, last, before, after }) => [first, last, before, after]).flatMap(
  (text) => (text === undefined ? [] : [text.split('.').reduce((n, octet) => n * 256 + Number(octet), 0)]),
);
const uint32 = fc.oneof(
  fc.integer({ min: 0, max: 0xffffffff }),
  fc.tuple(fc.constantFrom(...edges4), fc.integer({ min: -3, max: 3 })).map(([n, by]) => (n + by) >>> 0),
);
const hextet = fc.oneof(
  fc.constantFrom(
    0,
    0xffff,
    0x64,
    0xff9b,
    0x2001,
    0x2002,
    0x3fff,
    0x5efe,
    0x200,
    0xdb8,
    0xfe80,
    0x7f00,
    0xa9fe,
    0x2620,
    0x4f,
    0x8000,
  ),
  fc.integer({ min: 0, max: 0xffff }),
);
const low = fc.tuple(hextet, hextet);
const parts6 = fc.oneof(
  fc.array(hextet, { minLength: 8, maxLength: 8 }),
  low.map((pair) => [0, 0, 0, 0, 0, 0xffff, ...pair]),
  low.map((pair) => [0x64, 0xff9b, 0, 0, 0, 0, ...pair]),
  fc
    .tuple(fc.constantFrom(0x2606, 0x2a00, 0x2400), fc.array(hextet, { minLength: 7, maxLength: 7 }))
    .map(([a, rest]) => [a, ...rest]),
);

/** The four octets, or the last of them as one number, each in decimal, hex or octal, in other digits or dots. */
const spelled = fc
  .record({
    n: uint32,
    parts: fc.constantFrom(1, 2, 3, 4),
    bases: fc.array(fc.constantFrom(8, 10, 16), { minLength: 4, maxLength: 4 }),
    dot: fc.constantFrom('.', '。', '．', '｡', '%2e'),
    wide: fc.boolean(),
    trailing: fc.boolean(),
  })
  .map(({ n, parts, bases, dot, wide, trailing }) => {
    const octets = [24, 16, 8, 0].map((shift) => (n >>> shift) & 255);
    const rest = octets.slice(parts - 1).reduce((sum, octet) => sum * 256 + octet, 0);
    const written = [...octets.slice(0, parts - 1), rest].map((value, i) => {
      const base = bases[i] ?? 10;
      const prefix = base === 16 ? '0x' : base === 8 ? '0' : '';
      return prefix + value.toString(base);
    });
    const fullWidth = (text: string): string =>
      text.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)));
    const shown = written.map((part) => (wide ? fullWidth(part) : part)).join(dot) + (trailing ? '.' : '');
    return { n, host: shown };
  });

const junk = fc.string({ unit: 'binary', maxLength: 40 });
const urlish = fc.oneof(
  junk,
  fc.webUrl({ validSchemes: ['https', 'http'], withQueryParameters: true, withFragments: true }),
  fc
    .tuple(
      fc.constantFrom('https://', 'https:', 'http://', 'HTTPS:\\\\', ''),
      junk,
      fc.constantFrom('', ':443', ':0', '/', '?'),
    )
    .map((x) => x.join('')),
  fc.tuple(junk, spelled, junk).map(([a, { host }, b]) => `https://${a}${host}${b}`),
  parts6.map((parts) => `https://[${text6(parts)}]/`),
);

const agree = (text: string, expected: boolean, allow: AllowList): void => {
  if (judgeAddress(text, allow).ok !== expected)
    throw new Error(`${text} is ${expected ? '' : 'not '}public`);
};
const must = (condition: boolean, what: string): void => {
  if (!condition) throw new Error(what);
};

const LAST_DATE_MS = Date.UTC(2299, 11, 31);
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const NOW_MS = Date.UTC(2026, 10, 30, 14, 41, 23);

export const PROPERTIES: readonly Property[] = [
  {
    name: 'an IPv4 address is judged as the registries say',
    holds: (allow) => fc.property(uint32, (n) => agree(dotted(n), isPublic4(n), allow)),
  },
  {
    name: 'an IPv6 address is judged as the registries say, by the IPv4 in it where there is one',
    holds: (allow) => fc.property(parts6, (parts) => agree(text6(parts), isPublic6(parts), allow)),
  },
  {
    name: 'no spelling of an IPv4 address changes its verdict',
    holds: (allow) =>
      fc.property(spelled, ({ n, host }) => {
        const judged = judgeUrl(`https://${host}/h`, allow);
        must(judged.ok === isPublic4(n), `${host} is ${dotted(n)}`);
        if (judged.ok)
          must(judged.url.hostname === dotted(n), `${host} is dialled as ${judged.url.hostname}`);
      }),
  },
  {
    name: 'no spelling of an IPv6 address changes its verdict',
    holds: (allow) =>
      fc.property(parts6, fc.boolean(), fc.boolean(), (parts, upper, padded) => {
        const written = parts.map((part) => part.toString(16).padStart(padded ? 4 : 1, '0')).join(':');
        const judged = judgeUrl(`https://[${upper ? written.toUpperCase() : written}]/h`, allow);
        must(judged.ok === isPublic6(parts), written);
      }),
  },
  {
    name: 'a URL that passes is https without credentials, to a public host, and passes again as it is',
    holds: (allow) =>
      fc.property(urlish, (text) => {
        const judged = judgeUrl(text, allow);
        if (!judged.ok) return must(judged.detail.length < 4_096, 'a refusal has a reason');
        const { href, protocol, username, password, hostname, hash } = judged.url;
        must(protocol === 'https:' && username === '' && password === '' && hash === '', href);
        must(!hostname.endsWith('.') && !/^(localhost|.*\.(local|internal|localhost))$/.test(hostname), href);
        if (/^\d+\.\d+\.\d+\.\d+$/.test(hostname)) must(!special.ipv4.check(hostname, 'ipv4'), href);
        const again = judgeUrl(href, allow);
        must(again.ok && again.url.href === href, `${href} is judged otherwise when it is sent to`);
      }),
  },
  {
    name: 'a whole number of seconds in Retry-After is that long, up to 30 days',
    holds: () =>
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), (seconds) => {
        const wait = parseRetryAfter(String(seconds), NOW_MS);
        const most = BigInt(RETRY_AFTER_MAX_MS);
        const expected = seconds * 1000n > most ? most : seconds * 1000n;
        must(wait !== undefined && BigInt(wait.waitMs) === expected, `${seconds} s`);
        must(wait?.clamped === seconds * 1000n > most, `${seconds} s cut`);
      }),
  },
  {
    name: 'a date in Retry-After, in each of its three forms, is that date',
    holds: () =>
      fc.property(fc.integer({ min: 0, max: LAST_DATE_MS / 1000 }), (second) => {
        const at = new Date(second * 1000);
        const imf = at.toUTCString();
        const [, day = '', month = '', year = '', time = ''] = imf.split(/,? /);
        must(parseHttpDate(imf, NOW_MS) === second * 1000, imf);
        const asctime = `${imf.slice(0, 3)} ${month} ${String(Number(day)).padStart(2)} ${time} ${year}`;
        must(parseHttpDate(asctime, NOW_MS) === second * 1000, asctime);
        const rfc850 = `${DAYS[at.getUTCDay()]}, ${day}-${month}-${year.slice(2)} ${time} GMT`;
        const near = at.getUTCFullYear() > 1976 && at.getUTCFullYear() <= 2076;
        if (near) must(parseHttpDate(rfc850, NOW_MS) === second * 1000, rfc850);
      }),
  },
  {
    name: 'no text in Retry-After gives a negative, broken or longer wait than 30 days',
    holds: () => {
      const piece = fc.constantFrom(
        'Mon',
        ',',
        ' ',
        '30',
        'Nov',
        '2026',
        '14:42:53',
        'GMT',
        '-',
        '.',
        '+',
        'e',
        '0x',
      );
      const text = fc.oneof(
        junk,
        fc.double().map(String),
        fc.array(piece, { maxLength: 9 }).map((x) => x.join('')),
      );
      return fc.property(text, fc.integer({ min: 0, max: 4e12 }), (raw, nowMs) => {
        const wait = parseRetryAfter(raw, nowMs)?.waitMs ?? 0;
        must(Number.isInteger(wait) && wait >= 0 && wait <= 2_592_000_000, `${raw}: ${wait}`);
        must(/^[ \t]*\d+[ \t]*$|GMT|:/.test(raw) || parseRetryAfter(raw, nowMs) === undefined, raw);
      });
    },
  },
  {
    name: 'a header that passes goes out as it is, in one line',
    holds: () => {
      const name = fc.oneof(junk, fc.stringMatching(/^[a-zA-Z0-9-]{1,20}$/));
      const value = fc.oneof(junk, fc.stringMatching(/^[ -~]{0,60}$/), fc.integer(), fc.constant(null));
      return fc.property(name, value, (header, given) => {
        const fault = headerFault({ [header]: given }, 0);
        if (fault !== undefined) {
          return must(
            typeof given !== 'string' || given.length < 4 || !fault.includes(given),
            'shows the value',
          );
        }
        // eslint-disable-next-line no-control-regex
        must(typeof given === 'string' && !/[\r\n\u0000]/.test(header + given), 'it breaks the line');
        new OutgoingMessage().setHeader(header, given as string);
      });
    },
  },
  {
    name: 'what is kept of an answer is short, printable, and shows no path',
    holds: () => {
      const location = fc.oneof(
        junk,
        urlish,
        fc.webUrl().map((url) => `${url}/s3cret?k=s3cret#s3cret`),
      );
      return fc.property(
        junk,
        location,
        fc.integer({ min: 300, max: 399 }),
        (retryAfter, pointsTo, status) => {
          const headers = { 'retry-after': retryAfter, location: pointsTo, 'content-encoding': retryAfter };
          const head = { statusCode: status, headers } as unknown as IncomingMessage;
          const { location: shown = '', retryAfter: kept = '' } = answered(
            head,
            new URL('https://a.example/hook'),
          );
          must(/^[ -~]{0,100}$/.test(kept), kept);
          must(!/s3cret/.test(shown) && /^[a-z][a-z0-9+.-]*:(…|\/\/[^/@?#]+(\/…)?)$|^$/.test(shown), shown);
          must(shown.length <= 270, shown);
        },
      );
    },
  },
];
