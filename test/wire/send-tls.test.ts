import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { parseAllowList } from '../../src/wire/allow-list.js';
import { makeWire } from '../../src/wire/send.js';
import { usualContext } from '../../src/wire/trust.js';
import type { ServerIdentity } from '../support/tls.js';
import { issue, makeAuthority, makeIntermediate, selfSigned } from '../support/tls.js';
import { authority, HOST, identity, request, startBench } from './bench.js';

const intermediate = await makeIntermediate(authority);
const below = await issue(intermediate, { hosts: [HOST], issuerUrl: 'http://ca.example/below.crt' });

const FAULTS: [string, () => Promise<ServerIdentity>, RegExp][] = [
  ['expired', () => issue(authority, { hosts: [HOST], validFromDays: -9, validToDays: -1 }), /has expired/],
  ['not valid yet', () => issue(authority, { hosts: [HOST], validFromDays: 1 }), /not valid yet/],
  ['self-signed', () => selfSigned({ hosts: [HOST] }), /self-signed/],
  [
    'unknown issuer',
    async () => issue(await makeAuthority('Other'), { hosts: [HOST] }),
    /issuer of the certificate is unknown, and no intermediate/,
  ],
  ['unknown root sent along', chainOfStranger, /authority that is not trusted/],
  [
    'intermediate not sent',
    () => Promise.resolve(below),
    /intermediate certificate that issued it is not sent/,
  ],
  ['intermediate of an unknown root', intermediateOfStranger, /authority that is not known here/],
  ['another name', () => issue(authority, { hosts: ['other.example'] }), /for another name/],
  ['only its address', () => issue(authority, { hosts: ['127.0.0.1'] }), /for another name/],
  ['name only in CN', () => issue(authority, { hosts: [], commonName: HOST }), /for another name/],
];

async function chainOfStranger(): Promise<ServerIdentity> {
  const stranger = await makeAuthority('Stranger');
  const leaf = await issue(stranger, { hosts: [HOST] });
  return { ...leaf, cert: leaf.cert + '\n' + stranger.cert };
}

async function intermediateOfStranger(): Promise<ServerIdentity> {
  const between = await makeIntermediate(await makeAuthority('Stranger'));
  const leaf = await issue(between, { hosts: [HOST] });
  return { ...leaf, cert: leaf.cert + '\n' + between.cert };
}

describe('a certificate fault is told apart, and nothing is sent', () => {
  test.each(FAULTS)('%s', async (_what, make, text) => {
    const bench = await startBench({ tls: await make() });
    const verdict = await bench.send();
    expect(verdict).toMatchObject({ outcome: 'failed', class: 'tls', sent: 'no' });
    expect(verdict.error).toMatch(text);
    expect(bench.receiver.requests).toHaveLength(0);
    await bench.receiver.until(() => bench.receiver.openSockets() === 0);
  });

  describe('whatever the environment says', () => {
    afterEach(() => {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    });
    test('verification stays on', async () => {
      const bench = await startBench({ tls: await selfSigned({ hosts: [HOST] }) });
      process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
      expect(await bench.send()).toMatchObject({ outcome: 'failed', class: 'tls', sent: 'no' });
    });
  });
});

describe('whom we trust', () => {
  test("a client certificate goes with the usual authorities and the operator's", async () => {
    const client = await issue(authority, { hosts: ['waybill'], usage: 'client' });
    const bench = await startBench({ tls: { ...identity, requestCert: true, ca: authority.cert } });
    expect(await bench.send({ tls: { owner: 'sub_a', ...client } })).toMatchObject({ outcome: 'delivered' });
    const stranger = await makeAuthority('Stranger');
    const narrow = { owner: 'sub_a', ...client, ca: stranger.cert };
    expect(await bench.send({ tls: narrow })).toMatchObject({ class: 'tls', sent: 'no' });
  });

  test("the operator's authority is trusted by no other wire of the process", async () => {
    const bench = await startBench();
    expect(await bench.send()).toMatchObject({ outcome: 'delivered' });
    const without = makeWire({ allow: parseAllowList('127.0.0.1') });
    onTestFinished(() => without.close());
    expect(await without.send(request(bench.url('/', 'localhost')))).toMatchObject({
      class: 'address_policy',
    });
    expect(await without.send(request(bench.url('/', '127.0.0.1')))).toMatchObject({
      class: 'tls',
      sent: 'no',
    });
  });

  test('another client certificate costs a fraction of what reading all roots does', () => {
    const own = { cert: identity.cert, key: identity.key };
    const whole = [...tls.rootCertificates, authority.cert];
    const ways = {
      ours: () => usualContext(authority.cert, own),
      whole: () => tls.createSecureContext({ ca: whole, ...own }),
    };
    const leastMs = (make: () => unknown): number => {
      const runs = Array.from({ length: 5 }, () => {
        const startMs = performance.now();
        make();
        return performance.now() - startMs;
      });
      return Math.min(...runs);
    };
    expect(leastMs(ways.ours)).toBeLessThan(leastMs(ways.whole) / 4);
  });
});

describe('what cannot be agreed on', () => {
  test.each([
    ['an old TLS only', { maxVersion: 'TLSv1.1', minVersion: 'TLSv1' }, /no TLS version from 1.2 on/],
    ['no cipher in common', { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-RSA-AES128-SHA' }, /handshake failed/],
    ['a client certificate (1.2)', { maxVersion: 'TLSv1.2', requestCert: true }, /handshake failed/],
    ['a client certificate (1.3)', { requestCert: true }, /asks for a client certificate/],
  ] as const)('%s', async (_what, options, text) => {
    const bench = await startBench({ tls: { ...identity, ...options } });
    const verdict = await bench.send();
    expect(verdict).toMatchObject({ class: 'tls' });
    expect(verdict.error).toMatch(text);
    expect(bench.receiver.requests).toHaveLength(0);
  });
});

describe('names', () => {
  test('the pinned address is dialled, the host name is what TLS and Host carry', async () => {
    const bench = await startBench();
    expect(await bench.send({ url: bench.url('/h', `${HOST}.`) })).toMatchObject({ outcome: 'delivered' });
    const [request] = bench.receiver.requests;
    expect(request?.servername).toBe(HOST);
    expect(request?.headers.host).toBe(`${HOST}:${bench.receiver.port}`);
  });

  test('an address is verified as an address, without a server name', async () => {
    const bench = await startBench();
    const url = bench.url('/h', '127.0.0.1');
    expect(await bench.send({ url })).toMatchObject({ outcome: 'delivered', address: '127.0.0.1' });
    expect(bench.receiver.requests[0]?.servername).toBeUndefined();
  });

  test('an international name is verified in its ASCII form', async () => {
    const bench = await startBench({ tls: await issue(authority, { hosts: ['xn--bcher-kva.example'] }) });
    expect(await bench.send({ url: bench.url('/h', 'bücher.example') })).toMatchObject({
      outcome: 'delivered',
    });
    expect(bench.receiver.requests[0]?.servername).toBe('xn--bcher-kva.example');
  });

  test('an intermediate that is sent along completes the chain', async () => {
    const bench = await startBench({ tls: { ...below, cert: below.cert + '\n' + intermediate.cert } });
    expect(await bench.send()).toMatchObject({ outcome: 'delivered' });
  });

  test('one name never rides on the connection of another', async () => {
    const bench = await startBench({ tls: identity });
    expect(await bench.send()).toMatchObject({ outcome: 'delivered' });
    expect(await bench.send({ url: bench.url('/h', 'other.example') })).toMatchObject({
      class: 'tls',
      sent: 'no',
    });
  });
});

describe('what is no TLS', () => {
  async function listen(answer: string | undefined): Promise<number> {
    const server = createServer((socket) => {
      onTestFinished(() => void socket.destroy());
      socket.on('error', () => socket.destroy());
      socket.once('data', () => (answer === undefined ? undefined : socket.end(answer)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return (server.address() as AddressInfo).port;
  }

  test('plain http on the port', async () => {
    const bench = await startBench();
    const url = `https://${HOST}:${await listen('HTTP/1.1 400 Bad Request\r\n\r\n')}/`;
    const verdict = await bench.send({ url });
    expect(verdict).toMatchObject({ outcome: 'failed', class: 'tls', sent: 'no' });
    expect(verdict.error).toContain('does not speak TLS on this port');
  });

  test('a close during the handshake', async () => {
    const bench = await startBench();
    const verdict = await bench.send({ url: `https://${HOST}:${await listen('')}/` });
    expect(verdict).toMatchObject({ outcome: 'failed', class: 'network', sent: 'no' });
  });

  test('a handshake that never ends', async () => {
    const bench = await startBench();
    const verdict = await bench.send({ url: `https://${HOST}:${await listen(undefined)}/`, timeoutMs: 300 });
    expect(verdict).toMatchObject({ outcome: 'failed', class: 'timeout', sent: 'no' });
    expect(verdict.error).toContain('TLS');
  });
});
