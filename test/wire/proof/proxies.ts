import type { Asked, Pass } from '../../support/proxy.js';

/** What an egress proxy does once it is asked, and what the attempt must come to. */
export interface ProxyConduct {
  readonly name: string;
  readonly expected: string;
  readonly act: (asked: Asked, pass: Pass) => void;
  /** It ends by the deadline, or a moment before it where evidence is waited for. */
  readonly silent?: boolean;
}

const OURS = 'cancelled own_fault';
const OPENED = 'delivered success 200';
const KIB = 1024;
const DRIP_MS = 50;

const say = (name: string, text: string, expected = OURS, silent = false): ProxyConduct => ({
  ...{ name, expected, silent },
  act: (_asked, { socket }) => void socket.write(text),
});
const last = (name: string, text: string): ProxyConduct => ({
  ...{ name, expected: OURS },
  act: (_asked, { socket }) => void socket.end(text),
});
const opening = (head: string): ProxyConduct => ({
  ...{ name: `opens with ${JSON.stringify(head)}`, expected: OPENED },
  act: (_asked, { tunnel }) => tunnel(`${head}\r\n\r\n`),
});

/** Each plays alone, so that 502, 503, 504 and silence find no evidence that the proxy reaches others. */
export const PROXIES: readonly ProxyConduct[] = [
  ...['HTTP/1.1 200 OK', 'HTTP/1.0 200', 'HTTP/1.1 204 No Content', 'HTTP/1.1 299 Odd'].map(opening),
  opening('HTTP/1.1 200 OK\r\ncontent-length: 5'),
  opening('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked'),
  opening(`HTTP/1.1 200 OK\r\nx-a: ${'a'.repeat(15 * KIB)}`),
  ...[100, 101, 300, 302, 400, 401, 403, 404, 405, 407, 410, 429, 500, 501, 505, 511, 599, 600, 999].map(
    (status) => say(`answers ${status}`, `HTTP/1.1 ${status} Odd\r\nretry-after: 9\r\n\r\n`),
  ),
  ...[502, 503, 504].map((status) => say(`answers ${status}`, `HTTP/1.1 ${status} Odd\r\n\r\n`, OURS, true)),
  say('says nothing', '', OURS, true),
  say('says half a head', 'HTTP/1.1 200 OK\r\nx-a: 1', OURS, true),
  say('ends its lines with LF alone', 'HTTP/1.1 200 OK\n\n', OURS, true),
  say('sends a byte after its head', 'HTTP/1.1 200 OK\r\n\r\n\0'),
  say('sends a body with 200', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'),
  say('sends two heads', 'HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n'),
  say('sends an interim answer first', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n'),
  say('speaks SSH', 'SSH-2.0-OpenSSH_9.6\r\n'),
  say('speaks TLS', '\x15\x03\x03\x00\x02\x02\x28'),
  say('speaks SOCKS', '\x05\x00'),
  say('speaks HTTP/2', 'HTTP/2 200\r\n\r\n'),
  say('speaks lower case', 'http/1.1 200 OK\r\n\r\n'),
  say('has a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n'),
  say('has a status of four digits', 'HTTP/1.1 2000 OK\r\n\r\n'),
  say('begins with an empty line', '\r\nHTTP/1.1 200 OK\r\n\r\n'),
  say('has a head of 17 KiB', `HTTP/1.1 200 OK\r\nx-a: ${'a'.repeat(17 * KIB)}\r\n\r\n`),
  say('has a head without end', `HTTP/1.1 200 OK\r\nx-a: ${'a'.repeat(1024 * KIB)}`),
  last('closes at once', ''),
  last('closes in mid head', 'HTTP/1.1 200 OK\r\n'),
  { name: 'resets', expected: OURS, act: (_asked, { reset }) => reset() },
  {
    name: 'drips its head',
    expected: OURS,
    silent: true,
    act: (_asked, { socket }) => {
      socket.write('HTTP/1.1 200 OK\r\nx-a: ');
      const timer = setInterval(() => socket.write('a'), DRIP_MS);
      socket.once('close', () => clearInterval(timer));
    },
  },
  say('opens a tunnel that leads nowhere', 'HTTP/1.1 200 OK\r\n\r\n', 'failed timeout', true),
];

/** Answers of a resolver, what must come of it, and which addresses the proxy may hear of; it opens every tunnel. */
export const PROXY_TARGETS: readonly (readonly [
  answers: readonly string[],
  expected: string,
  asked: string,
])[] = [
  [['8.8.8.8'], OPENED, '8.8.8.8'],
  [['2001:4860:4860::8888'], OPENED, '[2001:4860:4860::8888]'],
  [['64:ff9b::808:808'], OPENED, '[64:ff9b::808:808]'],
  [['8.8.8.8', '9.9.9.9'], OPENED, '8.8.8.8'],
  ...[
    ...['127.0.0.1', '10.0.0.5', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0'],
    ...['::1', '::', 'fd00::1', 'fe80::1', '::ffff:10.0.0.5', '64:ff9b::a00:5', '2002:a00:5::', '224.0.0.1'],
  ].flatMap((address) =>
    [[address], ['8.8.8.8', address]].map(
      (answers) => [answers, 'blocked address_policy address_not_public', 'nothing'] as const,
    ),
  ),
  [['not an address'], 'blocked address_policy address_unparsable', 'nothing'],
  [[], 'failed dns', 'nothing'],
];
