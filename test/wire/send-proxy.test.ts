import type { LookupAddress } from 'node:dns';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseAllowList } from '../../src/wire/allow-list.js';
import { parseEgressProxy } from '../../src/wire/egress-proxy.js';
import type { WireOptions } from '../../src/wire/send.js';
import type { Asked, Pass, Proxy, ProxyOptions } from '../support/proxy.js';
import { startProxy } from '../support/proxy.js';
import type { ReceiverOptions } from '../support/receiver.js';
import { issue, makeAuthority, selfSigned } from '../support/tls.js';
import { AMPLE_MS, authority, HOST, identity, startBench, type Bench } from './bench.js';

/** Public: with a proxy nothing here dials it, so that the guard can be the one of production. */
const PUBLIC = '8.8.8.8';
const OTHER = '9.9.9.9';
const ELSEWHERE = 'elsewhere.example.com';

/** By host; `hooks.example.com` is PUBLIC, `elsewhere.example.com` is OTHER. */
function resolving(addresses: Record<string, string[]> = {}) {
  const known: Record<string, string[]> = { [HOST]: [PUBLIC], [ELSEWHERE]: [OTHER], ...addresses };
  return (host: string): Promise<LookupAddress[]> =>
    Promise.resolve(
      (known[host] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
}

const both = await issue(authority, { hosts: [HOST, ELSEWHERE, PUBLIC, '2001:4860:4860::8888'] });

interface Proxied extends Bench {
  proxy: Proxy;
}

/** A bench behind a proxy, with the guard as by default: nothing private is allowed. */
async function behind(
  passing: ProxyOptions & { credentials?: string } = {},
  receiving: ReceiverOptions = {},
  sending: Partial<WireOptions> = {},
): Promise<Proxied> {
  const proxy = await startProxy(passing);
  onTestFinished(() => proxy.close());
  const user = passing.credentials === undefined ? '' : `${passing.credentials}@`;
  const url = `${passing.tls ? 'https' : 'http'}://${user}127.0.0.1:${proxy.port}`;
  const bench = await startBench(
    { tls: both, ...receiving },
    { allow: [], resolver: resolving(), proxy: parseEgressProxy(url), ...sending },
  );
  return { ...bench, proxy };
}

/** Answers some addresses, and opens tunnels to all others. */
function answering(text: string, address = PUBLIC): (asked: Asked, pass: Pass) => void {
  return (asked, pass) => {
    if (asked.target.startsWith(`${address}:`)) pass.socket.write(text);
    else pass.tunnel();
  };
}

const OUR_FAULT = { outcome: 'cancelled', class: 'own_fault', sent: 'no' };

describe('through the proxy', () => {
  test('it is asked for the judged address and never for the name; the receiver sees an ordinary request', async () => {
    const bench = await behind();
    const verdict = await bench.send();
    expect(verdict).toMatchObject({ outcome: 'delivered', status: 200, address: PUBLIC });
    const target = `${PUBLIC}:${bench.receiver.port}`;
    expect(bench.proxy.asked).toEqual([
      { target, port: bench.receiver.port, lines: [`Host: ${target}`], credentials: undefined },
    ]);
    const [received] = bench.receiver.requests;
    expect(received).toMatchObject({ servername: HOST, path: '/hook', body: Buffer.from('{"a":1}') });
    expect(received?.headers['host']).toBe(`${HOST}:${bench.receiver.port}`);
    expect(Object.keys(received?.headers ?? {}).filter((name) => name.includes('proxy'))).toEqual([]);
  });

  test('an IPv6 address stands in brackets, a literal in the URL is asked for as it is', async () => {
    const bench = await behind({}, {}, { resolver: resolving({ [HOST]: ['2001:4860:4860::8888'] }) });
    expect(await bench.send()).toMatchObject({ outcome: 'delivered', address: '2001:4860:4860::8888' });
    for (const host of ['[2001:4860:4860::8888]', PUBLIC]) {
      expect(await bench.send({ url: bench.url('/', host) })).toMatchObject({ outcome: 'delivered' });
    }
    expect(bench.proxy.asked.map(({ target }) => target.replace(/:\d+$/, ''))).toEqual([
      '[2001:4860:4860::8888]',
      '[2001:4860:4860::8888]',
      PUBLIC,
    ]);
  });

  test('plain http, where it is allowed, goes through CONNECT too', async () => {
    const bench = await behind(
      {},
      { tls: undefined as never },
      { allow: parseAllowList(`http://${HOST}`), resolver: resolving({ [HOST]: ['10.1.2.3'] }) },
    );
    const url = bench.url().replace('https:', 'http:');
    for (let n = 0; n < 3; n += 1)
      expect(await bench.send({ url })).toMatchObject({ outcome: 'delivered', address: '10.1.2.3' });
    expect(bench.proxy.asked.map(({ target }) => target)).toEqual([`10.1.2.3:${bench.receiver.port}`]);
  });

  test('credentials are decoded, go to the proxy alone, and stand in no output', async () => {
    const bench = await behind({ credentials: 'way%20bill:p%C3%A4ss%40w0rd%3A' });
    expect(await bench.send()).toMatchObject({ outcome: 'delivered' });
    expect(bench.proxy.asked[0]?.credentials).toBe('way bill:päss@w0rd:');
    expect(JSON.stringify(bench.receiver.requests)).not.toContain('asic');
  });

  test('TLS to the proxy and TLS through it, each verified for its own', async () => {
    const bench = await behind({ tls: identity }, { tls: both });
    for (let n = 0; n < 3; n += 1) expect(await bench.send()).toMatchObject({ outcome: 'delivered' });
    expect(bench.proxy.connections()).toBe(1);
    bench.wire.close();
    await bench.proxy.until(() => bench.proxy.openSockets() === 0);
  });

  test("a subscriber's own authority and client certificate hold inside the tunnel", async () => {
    const [theirs, stranger] = [await makeAuthority('Theirs'), await makeAuthority('Stranger')];
    const server = await issue(theirs, { hosts: [HOST] });
    const client = await issue(theirs, { hosts: ['waybill'], usage: 'client' });
    const bench = await behind({}, { tls: { ...server, requestCert: true, ca: theirs.cert } });
    const own = { owner: 'sub_a', ca: theirs.cert, ...client };
    expect(await bench.send({ tls: own })).toMatchObject({ outcome: 'delivered' });
    expect(await bench.send({ tls: { ...own, ca: stranger.cert } })).toMatchObject({
      outcome: 'failed',
      class: 'tls',
      address: PUBLIC,
    });
    expect(await bench.send({ tls: { ...own, owner: 'sub_b' } })).toMatchObject({ outcome: 'delivered' });
    // No tunnel is shared between two identities.
    expect(bench.proxy.asked).toHaveLength(3);
  });

  test("the receiver's certificate is verified as ever, and its fault is the receiver's", async () => {
    const bench = await behind({}, { tls: await selfSigned({ hosts: [HOST] }) });
    const verdict = await bench.send();
    expect(verdict).toMatchObject({ outcome: 'failed', class: 'tls', sent: 'no' });
    expect(verdict.error).toContain('the certificate is self-signed');
    expect(bench.receiver.requests).toEqual([]);
    await bench.proxy.until(() => bench.proxy.openSockets() === 0);
  });

  test('tunnels are kept alive within the same bounds, and leave no listeners behind', async () => {
    const warnings: string[] = [];
    const hear = (warning: Error): void => void warnings.push(warning.name);
    process.on('warning', hear);
    const bench = await behind({}, {}, { maxIdleSockets: 2 });
    for (let n = 0; n < 50; n += 1) expect(await bench.send()).toMatchObject({ outcome: 'delivered' });
    expect(bench.proxy.asked).toHaveLength(1);
    await Promise.all(Array.from({ length: 6 }, () => bench.send()));
    expect(bench.proxy.asked).toHaveLength(6);
    await bench.proxy.until(() => bench.proxy.openSockets() <= 2);
    process.off('warning', hear);
    expect(warnings).toEqual([]);
    await bench.proxy.until(() => bench.proxy.openSockets() === 0);
  });

  test("the environment's proxies have no say", async () => {
    const names = [
      'HTTP_PROXY',
      'HTTPS_PROXY',
      'http_proxy',
      'https_proxy',
      'ALL_PROXY',
      'NODE_USE_ENV_PROXY',
    ];
    const before = names.map((name) => [name, process.env[name]] as const);
    const proxy = await startProxy();
    onTestFinished(async () => {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
      await proxy.close();
    });
    for (const name of names) process.env[name] = `http://127.0.0.1:${proxy.port}`;
    const bench = await startBench();
    expect(await bench.send()).toMatchObject({ outcome: 'delivered' });
    expect(proxy.connections()).toBe(0);
  });
});

describe('the guard is not weakened', () => {
  test.each([['127.0.0.1'], ['10.0.0.5'], ['169.254.169.254'], ['::ffff:10.0.0.5'], ['fd00::1']])(
    'a name that leads to %s is refused before the proxy is reached',
    async (address) => {
      const bench = await behind({}, {}, { resolver: resolving({ [HOST]: [PUBLIC, address] }) });
      expect(await bench.send()).toMatchObject({ outcome: 'blocked', class: 'address_policy', sent: 'no' });
      expect(bench.proxy.connections()).toBe(0);
    },
  );

  test('so is a literal, and a resolver that changes its mind gets nowhere', async () => {
    let times = 0;
    const bench = await behind(
      {},
      {},
      {
        resolver: () => Promise.resolve([{ address: (times += 1) === 1 ? PUBLIC : '127.0.0.1', family: 4 }]),
      },
    );
    expect(await bench.send({ url: bench.url('/', '127.0.0.1') })).toMatchObject({ outcome: 'blocked' });
    expect(bench.proxy.connections()).toBe(0);
    expect(await bench.send()).toMatchObject({ outcome: 'delivered', address: PUBLIC });
    // Asked once for one connection: the proxy gets what was judged, and has no name to resolve anew.
    expect(times).toBe(1);
    const others = await bench.send({ url: bench.url('/', 'other.example.com') });
    expect(others).toMatchObject({ outcome: 'blocked', class: 'address_policy' });
    expect(bench.proxy.asked).toHaveLength(1);
  });

  test("a name that does not resolve is the receiver's fault, as ever", async () => {
    const bench = await behind({}, {}, { resolver: resolving({ [HOST]: [] }) });
    expect(await bench.send()).toMatchObject({ outcome: 'failed', class: 'dns' });
    expect(bench.proxy.connections()).toBe(0);
  });
});

describe("the proxy's own faults are ours, and use no try", () => {
  const SAID: [string, string, RegExp][] = [
    ['407', 'HTTP/1.1 407 Auth\r\nproxy-authenticate: Basic\r\n\r\n', /credentials, or wants some \(407\)/],
    [
      '403',
      'HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\n\r\nno',
      /does not permit this connection \(403\)/,
    ],
    ['500', 'HTTP/1.1 500 Oops\r\n\r\n', /refused to open a tunnel \(500\)/],
    ['302', 'HTTP/1.1 302 Found\r\nlocation: http://s3cret.example/\r\n\r\n', /\(302\)/],
    ['101', 'HTTP/1.1 101 Switching\r\n\r\n', /\(101\)/],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', /not valid HTTP/],
    ['a head that is none', 'HTTP/1.1 2e2 OK\r\n\r\n', /not valid HTTP/],
    ['HTTP/2', 'HTTP/2 200\r\n\r\n', /not valid HTTP/],
    ['a head without end', `HTTP/1.1 200 OK\r\nx-a: ${'a'.repeat(20_000)}`, /head of more than 16384 bytes/],
    ['too long a head', `HTTP/1.1 200 OK\r\nx-a: ${'a'.repeat(20_000)}\r\n\r\n`, /more than 16384 bytes/],
    ['bytes after its head', 'HTTP/1.1 200 OK\r\n\r\nhello', /bytes of its own into the tunnel/],
    ['a body', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello', /bytes of its own into the tunnel/],
  ];
  test.each(SAID)('%s', async (_what, text, error) => {
    const bench = await behind({ credentials: 'ann:s3cret', answer: answering(text) });
    // Whatever evidence there is that it reaches others.
    expect(await bench.send({ url: bench.url('/', ELSEWHERE) })).toMatchObject({ outcome: 'delivered' });
    const verdict = await bench.send();
    expect(verdict).toMatchObject(OUR_FAULT);
    expect(verdict.error).toMatch(error);
    expect(JSON.stringify(verdict)).not.toMatch(/s3cret|127\.0\.0\.1|YW5u/);
    expect(bench.receiver.requests).toHaveLength(1);
    await bench.proxy.until(() => bench.proxy.openSockets() <= 1);
  });

  test.each<[string, (asked: Asked, pass: Pass) => void, RegExp]>([
    ['it closes', (_asked, { socket }) => socket.end(), /closed the connection before its answer was whole/],
    ['it closes in mid head', (_asked, { socket }) => socket.end('HTTP/1.1 200 OK\r\n'), /before its answer/],
    [
      'it resets',
      (_asked, { reset }) => reset(),
      /connection to the egress proxy failed \(ECONNRESET\)|closed/,
    ],
  ])('%s', async (_what, answer, error) => {
    const bench = await behind({ answer });
    const verdict = await bench.send();
    expect(verdict).toMatchObject(OUR_FAULT);
    expect(verdict.error).toMatch(error);
  });

  test('it refuses connections, or its name leads nowhere', async () => {
    const bench = await behind();
    await bench.proxy.close();
    const refused = await bench.send();
    expect(refused).toMatchObject({
      ...OUR_FAULT,
      error: 'the egress proxy could not be reached (ECONNREFUSED)',
    });
    const nowhere = parseEgressProxy('http://ann:s3cret@proxy.invalid:3128');
    const lost = await behind({}, {}, { proxy: nowhere });
    const verdict = await lost.send();
    expect(verdict).toMatchObject(OUR_FAULT);
    expect(verdict.error).toMatch(/^the egress proxy could not be reached \((ENOTFOUND|EAI_AGAIN)\)$/);
  });

  test.each([
    ['self-signed', () => selfSigned({ hosts: ['127.0.0.1'] }), /could not be trusted \(TLS: .*self-signed/],
    [
      'for another name',
      () => issue(authority, { hosts: [HOST] }),
      /could not be trusted \(TLS: .*another name/,
    ],
  ])('its certificate is %s', async (_what, make, error) => {
    const bench = await behind({ credentials: 'ann:s3cret', tls: await make() });
    const verdict = await bench.send();
    expect(verdict).toMatchObject(OUR_FAULT);
    expect(verdict.error).toMatch(error);
    expect(bench.proxy.asked).toEqual([]);
  });

  test('it speaks no TLS where it should, or never finishes the handshake', async () => {
    const plain = await startProxy();
    onTestFinished(() => plain.close());
    const bench = await behind({}, {}, { proxy: parseEgressProxy(`https://127.0.0.1:${plain.port}`) });
    expect(await bench.send({ timeoutMs: 300 })).toMatchObject({
      ...OUR_FAULT,
      error: 'the deadline passed while connecting to the egress proxy',
    });
    const talking = createServer(
      (socket: Socket) => void socket.on('error', () => undefined).end('no TLS\r\n'),
    );
    await new Promise<void>((resolve) => talking.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void talking.close());
    const { port } = talking.address() as AddressInfo;
    const odd = await behind({}, {}, { proxy: parseEgressProxy(`https://127.0.0.1:${port}`) });
    const verdict = await odd.send();
    expect(verdict).toMatchObject(OUR_FAULT);
    expect(verdict.error).toContain('does not speak TLS on this port');
  });

  test('it drips its answer until the deadline, whoever else it reaches', async () => {
    const drip = (asked: Asked, { socket, tunnel }: Pass): void => {
      if (!asked.target.startsWith(PUBLIC)) return tunnel();
      const timer = setInterval(() => socket.write('a'), 20);
      socket.write('HTTP/1.1 200 OK\r\nx-a: ');
      socket.once('close', () => clearInterval(timer));
    };
    const bench = await behind({ answer: drip });
    const dripping = bench.send({ timeoutMs: 1_000 });
    await bench.proxy.until(() => bench.proxy.asked.length === 1);
    expect(await bench.send({ url: bench.url('/', ELSEWHERE) })).toMatchObject({ outcome: 'delivered' });
    const verdict = await dripping;
    expect(verdict).toMatchObject(OUR_FAULT);
    expect(verdict.error).toContain("reading the egress proxy's answer");
  });
});

describe('a receiver it cannot reach', () => {
  const UNREACHABLE = ['502', '503', '504'].map(
    (status) => [status, `HTTP/1.1 ${status} No\r\n\r\n`] as const,
  );

  test.each(UNREACHABLE)(
    '%s is our fault where the proxy opens no tunnel to anybody',
    async (status, text) => {
      const bench = await behind({ answer: answering(text) });
      // What it did before it was asked proves nothing.
      await bench.send({ url: bench.url('/', ELSEWHERE) });
      const verdict = await bench.send({ timeoutMs: 400 });
      expect(verdict).toMatchObject({ ...OUR_FAULT, address: PUBLIC });
      expect(verdict.error).toBe(
        `the egress proxy could not reach the receiver (${status}), and it reaches nobody else either`,
      );
      expect(verdict.tookMs).toBeGreaterThan(300);
    },
  );

  test.each(UNREACHABLE)("%s is the receiver's where it opens one to somebody else", async (status, text) => {
    const bench = await behind({ answer: answering(text) });
    const sending = bench.send();
    await bench.proxy.until(() => bench.proxy.asked.length === 1);
    await bench.send({ url: bench.url('/', ELSEWHERE) });
    const verdict = await sending;
    expect(verdict).toMatchObject({ outcome: 'failed', class: 'network', sent: 'no', address: PUBLIC });
    expect(verdict.error).toBe(
      `the egress proxy could not reach the receiver (${status}), and it reaches others`,
    );
    expect(verdict.tookMs).toBeLessThan(5_000);
  });

  test('a tunnel to the same address is no evidence', async () => {
    let first = true;
    const bench = await behind({
      answer: (_asked, { socket, tunnel }) => {
        if (first) socket.write('HTTP/1.1 502 No\r\n\r\n');
        else tunnel();
        first = false;
      },
    });
    const sending = bench.send({ timeoutMs: 600 });
    await bench.proxy.until(() => bench.proxy.asked.length === 1);
    expect(await bench.send()).toMatchObject({ outcome: 'delivered' });
    expect(await sending).toMatchObject(OUR_FAULT);
  });

  test('silence until the deadline is judged by the same rule', async () => {
    const bench = await behind({ answer: answering('') });
    const alone = await bench.send({ timeoutMs: 300 });
    expect(alone).toMatchObject({
      ...OUR_FAULT,
      error: 'the deadline passed while waiting for the egress proxy',
    });
    const sending = bench.send({ timeoutMs: 1_500 });
    await bench.proxy.until(() => bench.proxy.asked.length === 2);
    await bench.send({ url: bench.url('/', ELSEWHERE) });
    expect(await sending).toMatchObject({ outcome: 'failed', class: 'timeout', sent: 'no' });
    await bench.proxy.until(() => bench.proxy.openSockets() <= 1);
  });

  test('the next judged address is asked for, where one is refused or not answered in its share', async () => {
    const addresses = ['2001:4860:4860::8888', PUBLIC, OTHER];
    const answer = (asked: Asked, { socket, tunnel }: Pass): void => {
      if (asked.target.startsWith('[')) socket.write('HTTP/1.1 503 No route\r\n\r\n');
      else if (asked.target.startsWith(OTHER)) tunnel();
    };
    const bench = await behind({ answer }, {}, { resolver: resolving({ [HOST]: addresses }) });
    const verdict = await bench.send({ timeoutMs: 3_000 });
    expect(verdict).toMatchObject({ outcome: 'delivered', address: OTHER });
    const { port } = bench.receiver;
    expect(bench.proxy.asked.map(({ target }) => target)).toEqual([
      `[2001:4860:4860::8888]:${port}`,
      `${PUBLIC}:${port}`,
      `${OTHER}:${port}`,
    ]);
  });

  test('of a name with hundreds of addresses it is asked for eight', async () => {
    const many = Array.from({ length: 300 }, (_, n) => `8.8.${n >> 8}.${n & 255}`);
    const refuse = (_asked: Asked, { socket }: Pass): void => void socket.write('HTTP/1.1 502 No\r\n\r\n');
    const bench = await behind({ answer: refuse }, {}, { resolver: resolving({ [HOST]: many }) });
    expect(await bench.send({ timeoutMs: 2_000 })).toMatchObject(OUR_FAULT);
    expect(bench.proxy.asked).toHaveLength(8);
  });
});

describe('one deadline, and one end, for the tunnel as well', () => {
  test.each([
    ['waiting for the proxy', () => undefined],
    ['shaking hands', (_asked: Asked, { socket }: Pass) => void socket.write('HTTP/1.1 200 OK\r\n\r\n')],
  ])('called off while %s: both sockets go', async (_what, answer) => {
    const bench = await behind({ answer });
    const over = new AbortController();
    const sending = bench.send({ signal: over.signal });
    await bench.proxy.until(() => bench.proxy.asked.length === 1);
    over.abort();
    expect(await sending).toMatchObject({ outcome: 'cancelled', class: 'called_off', sent: 'no' });
    await bench.proxy.until(() => bench.proxy.openSockets() === 0);
    expect(bench.proxy.asked).toHaveLength(1);
  });

  test('a proxy that opens tunnels into nowhere: the deadline holds', async () => {
    const answer = (_asked: Asked, { socket }: Pass): void => void socket.write('HTTP/1.1 200 OK\r\n\r\n');
    const bench = await behind({ answer });
    const verdict = await bench.send({ timeoutMs: 300 });
    expect(verdict).toMatchObject({ outcome: 'failed', class: 'timeout', address: PUBLIC });
    expect(verdict.error).toContain('shaking hands (TLS)');
    await bench.proxy.until(() => bench.proxy.openSockets() === 0);
  });

  test(
    'the wire is closed while evidence is awaited',
    async () => {
      const bench = await behind({ answer: answering('HTTP/1.1 502 No\r\n\r\n') });
      const sending = bench.send();
      await bench.proxy.until(() => bench.proxy.asked.length === 1);
      await bench.proxy.until(() => bench.proxy.openSockets() === 0);
      bench.wire.close();
      expect(await sending).toMatchObject({ outcome: 'cancelled', class: 'shutdown', sent: 'no' });
    },
    AMPLE_MS,
  );
});

describe('the setting', () => {
  test.each([
    ['proxy.s3cret.example:3128'],
    ['socks5://s3cret.example:1080'],
    ['http://s3cret.example'],
    ['https://s3cret.example/'],
    ['http://s3cret.example:0'],
    ['http://s3cret.example:3128/path'],
    ['http://s3cret.example:3128?x'],
    ['http://s3cret.example:3128#x'],
    ['http://s3cret.example:99999'],
    [' http://s3cret.example:3128'],
    ['http://s3cret.ex\nample:3128'],
    ['http://a%3As3cret:b@proxy.example:3128'],
    ['http://a:s3cret%0D%0A@proxy.example:3128'],
    ['http://a:s3cret%FF@proxy.example:3128'],
  ])('%j is refused without being shown', (text) => {
    let said = '';
    try {
      parseEgressProxy(text);
    } catch (fault) {
      said = (fault as Error).message;
    }
    expect(said).not.toBe('');
    expect(said).not.toContain('s3cret');
  });

  test.each([
    ['http://proxy.example:3128', 'http://proxy.example:3128', 'proxy.example', 3128],
    ['http://proxy.example:80/', 'http://proxy.example:80', 'proxy.example', 80],
    ['https://[fd00::1]:443', 'https://[fd00::1]:443', 'fd00::1', 443],
    ['http://u:s3cret@10.0.0.1:8080', 'http://10.0.0.1:8080', '10.0.0.1', 8080],
  ])('%s', (text, origin, host, port) => {
    const proxy = parseEgressProxy(text);
    expect(proxy).toMatchObject({ origin, host, port });
    expect(`${proxy} ${JSON.stringify({ proxy })}`).not.toContain('s3cret');
  });
});
