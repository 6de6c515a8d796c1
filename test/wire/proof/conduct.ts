import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

/** A connection as a conduct sees it. */
export interface Line {
  /** Encrypted where the receiver speaks TLS. */
  readonly socket: Socket;
  /** Requests that were read whole on this connection, this one included. */
  readonly nth: number;
  write(bytes: string | Uint8Array): void;
  /** Ends it in good order. */
  end(bytes?: string): void;
  /** RST. */
  reset(): void;
  /** The same piece again and again, for as long as the connection stands. */
  drip(piece: string, everyMs?: number): void;
  /** Pieces without end, as fast as they are taken. */
  flood(piece: string | Uint8Array): void;
}

/** What a receiver does once it has read a request; `early`: once it has read the head of one. */
export interface Conduct {
  readonly name: string;
  readonly expected: string;
  readonly act: (line: Line) => void;
  readonly early?: boolean;
  /** Long enough that sockets can't take it whole. */
  readonly largeBody?: boolean;
  /** It ends by the deadline alone. */
  readonly silent?: boolean;
  /** Sends one after the other and what each must come to, where one is not enough. */
  readonly then?: readonly string[];
}

const OK = 'HTTP/1.1 200 OK\r\n';
const EMPTY = `${OK}content-length: 0\r\n\r\n`;
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;
const DELIVERED = 'delivered success 200';
const SILENT = 'unknown timeout';
const ODD = 'unknown protocol';
const CUT = 'unknown reset';
const KIB = 1024;

const after =
  (text: string): ((line: Line) => void) =>
  (line) =>
    line.write(text);
const closing =
  (text: string): ((line: Line) => void) =>
  (line) =>
    line.end(text);
const say = (name: string, expected: string, text: string): Conduct => ({ name, expected, act: after(text) });
const last = (name: string, expected: string, text: string): Conduct => ({
  name,
  expected,
  act: closing(text),
});

function encoded(encoding: string, bytes: Uint8Array): (line: Line) => void {
  return (line) => {
    line.write(`${OK}content-encoding: ${encoding}\r\ncontent-length: ${bytes.byteLength}\r\n\r\n`);
    line.write(bytes);
  };
}

let bombs: Record<'gzip' | 'br' | 'deflate' | 'layers', Uint8Array> | undefined;
/** 50 MB of zeros, small; made when first asked for. */
function bomb(kind: 'gzip' | 'br' | 'deflate' | 'layers'): Uint8Array {
  const zeros = Buffer.alloc(50 * 1_048_576);
  const gzip = bombs?.gzip ?? gzipSync(zeros);
  bombs ??= {
    gzip,
    br: brotliCompressSync(zeros.subarray(0, 5 * 1_048_576)),
    deflate: deflateSync(zeros),
    layers: gzipSync(gzipSync(gzip)),
  };
  return bombs[kind];
}

const SILENCES: readonly Conduct[] = [
  { name: 'silence after the request', expected: SILENT, act: () => {} },
  {
    name: 'silence, the request unread',
    expected: 'failed timeout',
    act: ({ socket }) => socket.pause(),
    early: true,
    largeBody: true,
  },
  {
    name: 'a status line that drips',
    expected: SILENT,
    act: (line) => (line.write('HTTP/1.1 200 '), line.drip('x')),
  },
  { name: 'a header that drips', expected: SILENT, act: (line) => (line.write(`${OK}x: `), line.drip('x')) },
  {
    name: 'header lines that drip',
    expected: SILENT,
    act: (line) => (line.write(OK), line.drip('a: b\r\n')),
  },
  { name: 'half a head, then silence', expected: SILENT, act: after(`${OK}content-le`) },
  {
    name: 'a body that drips after 200',
    expected: DELIVERED,
    act: (line) => (line.write(`${OK}\r\n`), line.drip('x')),
  },
  {
    name: 'a body that drips after 503',
    expected: 'failed server_error 503',
    act: (line) => (line.write('HTTP/1.1 503 Busy\r\n\r\n'), line.drip('x')),
  },
  {
    name: 'chunks that drip',
    expected: DELIVERED,
    act: (line) => (line.write(CHUNKED), line.drip('1\r\nx\r\n')),
  },
  { name: 'a head and never a body', expected: DELIVERED, act: after(`${OK}content-length: 100\r\n\r\n`) },
  {
    name: '5 MB, then silence',
    expected: DELIVERED,
    act: (line) => (line.write(`${OK}\r\n`), line.write(Buffer.alloc(5 * KIB * KIB))),
  },
  {
    name: '60 KiB, then silence',
    expected: DELIVERED,
    act: (line) => (line.write(`${OK}\r\n`), line.write(Buffer.alloc(60 * KIB))),
  },
  { name: '102 that drip', expected: SILENT, act: (line) => line.drip('HTTP/1.1 102 Processing\r\n\r\n') },
];

const SIZES: readonly Conduct[] = [
  {
    name: 'header lines without end',
    expected: ODD,
    act: (line) => (line.write(OK), line.flood('x-a: bbbbbbbbbbbbbbbbbbbbbbbbbbbb\r\n')),
  },
  {
    name: 'a header without end',
    expected: ODD,
    act: (line) => (line.write(`${OK}x: `), line.flood('y'.repeat(KIB))),
  },
  {
    name: 'a status line without end',
    expected: ODD,
    act: (line) => (line.write('HTTP/1.1 200 '), line.flood('y'.repeat(KIB))),
  },
  say('a head of 20 KiB', ODD, `${OK}x: ${'a'.repeat(20 * KIB)}\r\ncontent-length: 0\r\n\r\n`),
  say('a head of 15 KiB', DELIVERED, `${OK}x: ${'a'.repeat(15 * KIB)}\r\ncontent-length: 0\r\n\r\n`),
  say('1,000 header lines', DELIVERED, `${OK}${'a: b\r\n'.repeat(1_000)}content-length: 0\r\n\r\n`),
  {
    name: 'a body without end',
    expected: DELIVERED,
    act: (line) => (line.write(`${OK}\r\n`), line.flood(Buffer.alloc(64 * KIB))),
  },
  {
    name: 'a body without end after 500',
    expected: 'failed server_error 500',
    act: (line) => (line.write('HTTP/1.1 500 No\r\n\r\n'), line.flood(Buffer.alloc(64 * KIB))),
  },
  {
    name: 'chunks without end',
    expected: DELIVERED,
    act: (line) => (line.write(CHUNKED), line.flood('4\r\nxxxx\r\n')),
  },
  {
    name: 'a chunk extension without end',
    expected: DELIVERED,
    act: (line) => (line.write(`${CHUNKED}1;`), line.flood('e'.repeat(KIB))),
  },
  {
    name: 'trailers without end',
    expected: DELIVERED,
    act: (line) => (line.write(`${CHUNKED}0\r\n`), line.flood('x-a: bbbbbbbbbbbbbbbbb\r\n')),
  },
  {
    name: 'a body of 10 GB announced',
    expected: DELIVERED,
    act: (line) => (
      line.write(`${OK}content-length: 10737418240\r\n\r\n`),
      line.flood(Buffer.alloc(64 * KIB))
    ),
  },
  say('64 KiB of body', DELIVERED, `${OK}content-length: 65536\r\n\r\n${'z'.repeat(65_536)}`),
  { name: 'a gzip bomb', expected: DELIVERED, act: (line) => encoded('gzip', bomb('gzip'))(line) },
  { name: 'a br bomb', expected: DELIVERED, act: (line) => encoded('br', bomb('br'))(line) },
  { name: 'a deflate bomb', expected: DELIVERED, act: (line) => encoded('deflate', bomb('deflate'))(line) },
  {
    name: 'a bomb of six layers',
    expected: DELIVERED,
    act: (line) => encoded('gzip, gzip, gzip, gzip, gzip, gzip', bomb('layers'))(line),
  },
  {
    name: 'gzip that is none',
    expected: DELIVERED,
    act: (line) => encoded('gzip', Buffer.from('plain'))(line),
  },
  {
    name: 'an encoding nobody knows',
    expected: DELIVERED,
    act: (line) => encoded('x-waybill', Buffer.from('plain'))(line),
  },
];

const ENDINGS: readonly Conduct[] = [
  { name: 'closed before the head', expected: CUT, act: (line) => line.end() },
  { name: 'reset before the head', expected: CUT, act: (line) => line.reset() },
  last('closed in the head', CUT, `${OK}content-le`),
  {
    name: 'reset in the head',
    expected: CUT,
    act: (line) => (line.write(OK), setTimeout(() => line.reset(), 50)),
  },
  last('closed in the body', DELIVERED, `${OK}content-length: 100\r\n\r\n7 bytes`),
  {
    name: 'reset in the body',
    expected: DELIVERED,
    act: (line) => (
      line.write(`${OK}content-length: 100\r\n\r\n7 bytes`),
      setTimeout(() => line.reset(), 50)
    ),
  },
  last(
    'closed in the body of a 503',
    'failed server_error 503',
    'HTTP/1.1 503 Busy\r\ncontent-length: 100\r\n\r\n',
  ),
  last('closed in a chunk', DELIVERED, `${CHUNKED}64\r\nx`),
  last('closed after the answer', DELIVERED, EMPTY),
  {
    name: 'closed as the body comes',
    expected: 'failed reset',
    act: (line) => line.socket.destroy(),
    early: true,
    largeBody: true,
  },
  {
    name: 'reset as the body comes',
    expected: 'failed reset',
    act: (line) => line.reset(),
    early: true,
    largeBody: true,
  },
  {
    name: '200 before the body is read',
    expected: DELIVERED,
    act: after(EMPTY),
    early: true,
    largeBody: true,
  },
  {
    name: '413 before the body is read',
    expected: 'rejected client_error 413',
    act: after('HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\n\r\n'),
    early: true,
    largeBody: true,
  },
  {
    name: '503 before the body, then closed',
    expected: 'failed server_error 503',
    act: closing('HTTP/1.1 503 Busy\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'),
    early: true,
  },
  {
    name: 'half a head before the body, then closed',
    expected: CUT,
    act: closing('HTTP/1.1 200'),
    early: true,
  },
];

const INTERIM: readonly Conduct[] = [
  say('100 first', DELIVERED, `HTTP/1.1 100 Continue\r\n\r\n${EMPTY}`),
  say('100 twice', DELIVERED, `${'HTTP/1.1 100 Continue\r\n\r\n'.repeat(2)}${EMPTY}`),
  say('102 first', DELIVERED, `HTTP/1.1 102 Processing\r\n\r\n${EMPTY}`),
  say('103 with headers', DELIVERED, `HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${EMPTY}`),
  say('199 first', DELIVERED, `HTTP/1.1 199 Odd\r\n\r\n${EMPTY}`),
  say(
    '103, then 500',
    'failed server_error 500',
    'HTTP/1.1 103 Hints\r\n\r\nHTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n',
  ),
  say('1,000 of 102', DELIVERED, `${'HTTP/1.1 102 P\r\n\r\n'.repeat(1_000)}${EMPTY}`),
  { name: '102 without end', expected: ODD, act: (line) => line.flood('HTTP/1.1 102 P\r\n\r\n'.repeat(50)) },
  last('103, then closed', ODD, 'HTTP/1.1 103 Hints\r\n\r\n'),
  last('101 as the last word', 'unknown protocol 101', 'HTTP/1.1 101 Switching\r\n\r\n'),
  last('101 with an upgrade', ODD, 'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
];

const GARBAGE: readonly Conduct[] = [
  last('an SSH banner', ODD, 'SSH-2.0-OpenSSH_9.6\r\n\r\n'),
  last('an SMTP banner', ODD, '220 mail.example.com ESMTP\r\n'),
  {
    name: 'random bytes',
    expected: ODD,
    act: (line) => (line.write(Buffer.concat([Buffer.from([0xff]), randomBytes(4_096)])), line.end()),
  },
  { name: 'NUL bytes', expected: ODD, act: (line) => (line.write(Buffer.alloc(4_096)), line.end()) },
  last('the HTTP/2 preface', ODD, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  {
    name: 'an HTTP/2 SETTINGS frame',
    expected: ODD,
    act: (line) => line.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0])),
  },
  last('a request for an answer', ODD, 'POST /hook HTTP/1.1\r\nhost: x\r\n\r\n'),
  last('text without a head', ODD, 'hello\r\n'),
  last('HTTP/1.0', DELIVERED, 'HTTP/1.0 200 OK\r\n\r\nok'),
  say('HTTP/9.9', ODD, 'HTTP/9.9 200 OK\r\n\r\n'),
  say('lower-case http', ODD, 'http/1.1 200 OK\r\n\r\n'),
  say('a status of two digits', ODD, 'HTTP/1.1 42 Odd\r\n\r\n'),
  say('a status of four digits', ODD, 'HTTP/1.1 2000 Odd\r\n\r\n'),
  say('a status in letters', ODD, 'HTTP/1.1 OK OK\r\n\r\n'),
  say('a negative status', ODD, 'HTTP/1.1 -200 OK\r\n\r\n'),
  say('no reason phrase', DELIVERED, 'HTTP/1.1 200\r\ncontent-length: 0\r\n\r\n'),
  say('status 000', 'unknown protocol 0', 'HTTP/1.1 000 Zero\r\ncontent-length: 0\r\n\r\n'),
  say('status 600', 'unknown protocol 600', 'HTTP/1.1 600 Odd\r\ncontent-length: 0\r\n\r\n'),
  say('status 999', 'unknown protocol 999', 'HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n'),
  say('a header without a colon', ODD, `${OK}nonsense\r\n\r\n`),
  say('a blank before the colon', ODD, `${OK}x : y\r\n\r\n`),
  say('NUL in a header', ODD, `${OK}x: a\u0000b\r\n\r\n`),
  say('two lengths', ODD, `${OK}content-length: 1\r\ncontent-length: 2\r\n\r\n`),
  say('a negative length', ODD, `${OK}content-length: -1\r\n\r\n`),
  say('a length in letters', ODD, `${OK}content-length: ten\r\n\r\n`),
  say('a length beyond 64 bits', ODD, `${OK}content-length: 99999999999999999999999\r\n\r\n`),
  say('a length and chunks', ODD, `${OK}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
  say('a chunk size that is none', DELIVERED, `${CHUNKED}ZZZ\r\n`),
  say('a chunk size beyond 64 bits', DELIVERED, `${CHUNKED}fffffffffffffffff\r\n`),
  say('an error in the body of a 200', DELIVERED, `${OK}content-length: 14\r\n\r\n{"error":true}`),
  say(
    'two Retry-After, the first counts',
    'failed throttled 429 retry-after 7',
    'HTTP/1.1 429 Slow\r\nretry-after: 7\r\nretry-after: 9\r\ncontent-length: 0\r\n\r\n',
  ),
  say(
    'a Retry-After out of order',
    'failed throttled 429 retry-after caf?',
    'HTTP/1.1 429 Slow\r\nretry-after: caf\u00e9\r\ncontent-length: 0\r\n\r\n',
  ),
];

const AGAIN: readonly Conduct[] = [
  { name: 'kept alive', expected: DELIVERED, act: after(EMPTY), then: [DELIVERED, DELIVERED] },
  {
    name: 'reset as it is used again',
    expected: DELIVERED,
    act: (line) => (line.nth === 1 ? line.write(EMPTY) : line.reset()),
    then: [CUT, DELIVERED],
  },
  {
    name: 'closed as it is used again',
    expected: DELIVERED,
    act: (line) => (line.nth === 1 ? line.write(EMPTY) : line.end()),
    then: [CUT, DELIVERED],
  },
  {
    name: 'an answer nobody asked for',
    expected: DELIVERED,
    act: (line) =>
      line.nth > 1 ? line.write('HTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n') : line.write(EMPTY + EMPTY),
    then: [DELIVERED, DELIVERED],
  },
  {
    name: '204 with a body',
    expected: 'delivered success 204',
    act: after('HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 503 Busy\r\n\r\n'),
    then: ['delivered success 204'],
  },
  {
    name: 'a 304 with a length',
    expected: 'failed redirect 304',
    act: after('HTTP/1.1 304 Not Modified\r\ncontent-length: 9\r\n\r\n'),
    then: ['failed redirect 304'],
  },
  {
    name: 'connection: close',
    expected: DELIVERED,
    act: after(`${OK}content-length: 0\r\nconnection: close\r\n\r\n`),
    then: [DELIVERED],
  },
];

export const CONDUCTS: readonly Conduct[] = [
  ...SILENCES.map((conduct) => ({ ...conduct, silent: true })),
  ...SIZES,
  ...ENDINGS,
  ...INTERIM,
  ...GARBAGE,
  ...AGAIN,
];

/** What a receiver does instead of TLS, on a port where TLS is expected. */
export const HANDSHAKES: readonly Omit<Conduct, 'then' | 'early' | 'largeBody'>[] = [
  {
    name: 'plain http on the TLS port',
    expected: 'failed tls: the endpoint does not speak TLS on this port',
    act: closing('HTTP/1.1 400 Bad Request\r\n\r\n'),
  },
  {
    name: 'an SSH banner',
    expected: 'failed tls: the endpoint does not speak TLS on this port',
    act: closing('SSH-2.0-OpenSSH_9.6\r\n'),
  },
  {
    name: 'NUL bytes',
    expected: 'failed tls: the endpoint does not speak TLS on this port',
    act: (line) => (line.write(Buffer.alloc(64)), line.end()),
  },
  {
    name: 'a record of the greatest length',
    expected: 'failed tls: the endpoint does not speak TLS on this port',
    act: (line) => line.write(Buffer.from([0x16, 3, 3, 0xff, 0xff])),
  },
  {
    name: 'a handshake alert',
    expected: 'failed tls: the handshake failed',
    act: (line) => (line.write(Buffer.from([0x15, 3, 3, 0, 2, 2, 40])), line.end()),
  },
  {
    name: 'an alert that it does not know the name',
    expected: 'failed tls: the endpoint does not know the host name',
    act: (line) => (line.write(Buffer.from([0x15, 3, 3, 0, 2, 2, 112])), line.end()),
  },
  { name: 'silence', expected: 'failed timeout', act: () => {} },
  {
    name: 'a handshake that drips',
    expected: 'failed timeout',
    act: (line) => (line.write(Buffer.from([0x16, 3, 3, 0x3f, 0xff])), line.drip('\u0002')),
  },
  { name: 'closed', expected: 'failed network', act: (line) => line.end() },
  { name: 'reset', expected: 'failed network', act: (line) => line.reset() },
  {
    name: 'half a record, then closed',
    expected: 'failed network',
    act: (line) => (line.write(Buffer.from([0x16, 3, 3, 0, 80, 2])), line.end()),
  },
];
