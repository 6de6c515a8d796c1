import type { LookupAddress } from 'node:dns';
import { describe, expect, test } from 'vitest';
import { parseAllowList } from '../../src/wire/allow-list.js';
import { lookupsAtOnce } from '../../src/wire/lookups.js';
import type { Resolver } from '../../src/wire/resolve.js';
import { brokenOff } from '../../src/wire/verdict.js';
import { AMPLE_MS, HOST, startBench } from './bench.js';

/** Answers one list after another; the last one stays. */
function answering(...answers: string[][]): Resolver & { asked: string[] } {
  const asked: string[] = [];
  const resolver = (host: string): Promise<LookupAddress[]> => {
    const addresses = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(host);
    return Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
  };
  return Object.assign(resolver, { asked });
}

function failing(code: string): Resolver {
  return () => Promise.reject(Object.assign(new Error(`getaddrinfo ${code} secret.example`), { code }));
}

describe('names', () => {
  test.each(['ENOTFOUND', 'EAI_AGAIN'])('%s is a failure of DNS', async (code) => {
    const bench = await startBench({}, { resolver: failing(code) });
    const verdict = await bench.send();
    expect(verdict).toMatchObject({ outcome: 'failed', class: 'dns', sent: 'no' });
    expect(verdict.error).toBe(`the name could not be resolved (${code})`);
    expect(bench.receiver.connections()).toBe(0);
  });

  test('no address at all is a failure of DNS', async () => {
    const bench = await startBench({}, { resolver: answering([]) });
    expect(await bench.send()).toMatchObject({ outcome: 'failed', class: 'dns', sent: 'no' });
  });

  test('a resolver that never answers ends at the deadline', async () => {
    const bench = await startBench({}, { resolver: () => new Promise(() => {}) });
    const verdict = await bench.send({ timeoutMs: 200 });
    expect(verdict).toMatchObject({ outcome: 'failed', class: 'timeout', sent: 'no' });
    expect(verdict.error).toContain('resolving the name');
  });
});

describe('lookups', () => {
  /** Names under `dead.example` are answered when `release` is called, with a fault; all others at once. */
  function withDead(): Resolver & { asked: string[]; release: () => void } {
    const asked: string[] = [];
    const held: (() => void)[] = [];
    const resolver = async (host: string): Promise<LookupAddress[]> => {
      asked.push(host);
      if (!host.endsWith('dead.example')) return [{ address: '127.0.0.1', family: 4 }];
      await new Promise<void>((resolve) => held.push(resolve));
      throw Object.assign(new Error('EAI_AGAIN'), { code: 'EAI_AGAIN' });
    };
    return Object.assign(resolver, { asked, release: () => held.splice(0).forEach((end) => end()) });
  }
  const times = <T>(n: number, make: () => T): T[] => Array.from({ length: n }, make);

  test('a dead name holds one, however many wait for it, and each ends at its own deadline', async () => {
    const resolver = withDead();
    const bench = await startBench({}, { resolver, lookupsAtOnce: 2 });
    const url = bench.url('/', 'a.dead.example');
    const dead = times(16, () => bench.send({ url, timeoutMs: 400 }));
    expect(await bench.send()).toMatchObject({ outcome: 'delivered' });
    for (const verdict of await Promise.all(dead)) {
      expect(verdict).toMatchObject({ outcome: 'failed', class: 'timeout', sent: 'no' });
      expect(verdict.error).toBe('the deadline passed while resolving the name');
    }
    expect(resolver.asked).toEqual(['a.dead.example', HOST]);
    const last = bench.send({ url });
    resolver.release();
    expect(await last).toMatchObject({ outcome: 'failed', class: 'dns' });
    const next = bench.send({ url, timeoutMs: 200 });
    await next;
    expect(resolver.asked).toEqual(['a.dead.example', HOST, 'a.dead.example']);
  });

  test('one that never left the line is our own fault, and is not made once nobody waits', async () => {
    const resolver = withDead();
    const bench = await startBench({}, { resolver, lookupsAtOnce: 2 });
    const dead = ['a', 'b'].map((name) => bench.send({ url: bench.url('/', `${name}.dead.example`) }));
    const verdict = await bench.send({ timeoutMs: 200 });
    expect(verdict).toMatchObject({ outcome: 'cancelled', class: 'own_fault', sent: 'no' });
    expect(verdict.error).toBe('the deadline passed while waiting in line to resolve the name');
    resolver.release();
    for (const ended of await Promise.all(dead)) expect(ended).toMatchObject({ class: 'dns' });
    expect(resolver.asked).toEqual(['a.dead.example', 'b.dead.example']);
    expect(await bench.send()).toMatchObject({ outcome: 'delivered' });
    expect(bench.receiver.requests).toHaveLength(1);
  });

  test.each([
    [undefined, 1],
    ['0', 1],
    ['much', 1],
    ['8', 3],
    ['64', 24],
    ['128', 48],
    ['5000', 384],
    ['-1', 384],
  ])('a pool of %s leaves room for others beside %i', (UV_THREADPOOL_SIZE, most) => {
    expect(lookupsAtOnce({ UV_THREADPOOL_SIZE })).toBe(most);
  });
});

describe('what this host lacks costs the receiver nothing', () => {
  const coded = (code: string): Error => Object.assign(new Error(code), { code });

  test.each(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL'])('%s', (code) => {
    for (const stage of ['resolving the name', 'connecting', 'shaking hands (TLS)', 'sending'] as const) {
      const judged = brokenOff(coded(code), stage, 'no');
      expect(judged).toMatchObject({ outcome: 'cancelled', class: 'own_fault', sent: 'no' });
      expect(judged.error).toContain(code);
    }
    expect(brokenOff(coded(code), 'sending', 'maybe')).toMatchObject({ outcome: 'unknown', sent: 'maybe' });
  });

  test.each(['EMFILE', 'EAI_MEMORY'])('%s, as the resolver says it', async (code) => {
    const bench = await startBench({}, { resolver: failing(code) });
    expect(await bench.send()).toMatchObject({ outcome: 'cancelled', class: 'own_fault', sent: 'no' });
  });

  test('of several addresses all must have failed by it', () => {
    const of = (...codes: string[]): Error =>
      Object.assign(new AggregateError(codes.map(coded)), { code: codes[0] });
    expect(brokenOff(of('EMFILE', 'ENOBUFS'), 'connecting', 'no')).toMatchObject({ class: 'own_fault' });
    const mixed = brokenOff(of('EADDRNOTAVAIL', 'ECONNREFUSED'), 'connecting', 'no');
    expect(mixed).toMatchObject({ outcome: 'failed', class: 'network' });
    expect(mixed.error).toContain('ECONNREFUSED');
  });
});

describe('what a name leads to is judged at each connection', () => {
  test.each([
    [['127.0.0.1']],
    [['8.8.8.8', '127.0.0.1']],
    [['::ffff:10.0.0.5']],
    [['64:ff9b::a9fe:a9fe']],
    [['64:ff9b::7f00:1']],
    [['not an address']],
  ])('%j is refused, and no socket opened', async (addresses) => {
    const resolver = answering(addresses);
    const bench = await startBench({}, { allow: [], resolver });
    const verdict = await bench.send();
    expect(verdict).toMatchObject({ outcome: 'blocked', class: 'address_policy', sent: 'no' });
    expect(verdict.error).toMatch(/^address_(not_public|unparsable): hooks\.example\.com leads to/);
    expect(resolver.asked).toEqual([HOST]);
    expect(bench.receiver.connections()).toBe(0);
  });

  test('a public NAT64 address is dialled', async () => {
    const bench = await startBench({}, { resolver: answering(['64:ff9b::808:808']) });
    const verdict = await bench.send({ timeoutMs: 300 });
    expect(['network', 'timeout']).toContain(verdict.class);
    expect(verdict).toMatchObject({ outcome: 'failed', address: '64:ff9b::808:808' });
  });

  test('an answer that changes between two attempts is refused at the second', async () => {
    const resolver = answering(['127.0.0.1'], ['169.254.169.254']);
    const bench = await startBench(
      { answer: (_request, { response, close }) => response.end('ok', close) },
      { resolver },
    );
    expect(await bench.send()).toMatchObject({ outcome: 'delivered' });
    await bench.receiver.until(() => bench.receiver.openSockets() === 0);
    expect(await bench.send()).toMatchObject({ outcome: 'blocked', class: 'address_policy', sent: 'no' });
    expect(bench.receiver.requests).toHaveLength(1);
  });

  test('one connection asks once, and a warm one is used as it was judged', async () => {
    const resolver = answering(['127.0.0.1'], ['169.254.169.254']);
    const bench = await startBench({}, { resolver });
    expect(await bench.send()).toMatchObject({ outcome: 'delivered' });
    expect(await bench.send()).toMatchObject({ outcome: 'delivered', address: '127.0.0.1' });
    expect(resolver.asked).toHaveLength(1);
    expect(bench.receiver.connections()).toBe(1);
  });

  test('a busy connection is given up in the end, and its name asked for again', async () => {
    const resolver = answering(['127.0.0.1'], ['169.254.169.254']);
    const bench = await startBench({}, { resolver, socketMaxAgeMs: 500 });
    const verdicts = [];
    do verdicts.push(await bench.send());
    while (verdicts.at(-1)?.outcome === 'delivered');
    expect(verdicts.length).toBeGreaterThan(1);
    expect(verdicts.at(-1)).toMatchObject({ outcome: 'blocked', class: 'address_policy', sent: 'no' });
    expect(bench.receiver.connections()).toBe(1);
  });

  test('a name the allow list vouches for may lead inside', async () => {
    const bench = await startBench({}, { allow: parseAllowList(`http://${HOST}`) });
    expect(await bench.send()).toMatchObject({ outcome: 'delivered' });
  });

  test.each([
    'https://127.1/h',
    'https://[::ffff:7f00:1]/',
    'https://localhost./',
    'https://0/',
    'http://example.com/',
  ])('%s in the database is refused before anything is resolved', async (url) => {
    const resolver = answering(['127.0.0.1']);
    const bench = await startBench({}, { allow: [], resolver });
    expect(await bench.send({ url })).toMatchObject({
      outcome: 'blocked',
      class: 'address_policy',
      sent: 'no',
    });
    expect(resolver.asked).toEqual([]);
  });
});

describe('connections', () => {
  test('refused', async () => {
    const bench = await startBench();
    await bench.receiver.close();
    const verdict = await bench.send();
    expect(verdict).toMatchObject({ outcome: 'failed', class: 'network', sent: 'no', address: '127.0.0.1' });
    expect(verdict.error).toContain('ECONNREFUSED');
  });

  test('refused at once by our own kernel: nothing is signed, nothing sent', async () => {
    const bench = await startBench({}, { allow: parseAllowList('http://255.255.255.255') });
    const signed: string[] = [];
    const verdict = await bench.send({
      url: 'http://255.255.255.255:81/',
      sign: () => (signed.push('signed'), {}),
    });
    expect(verdict).toMatchObject({ outcome: 'failed', class: 'network', sent: 'no' });
    expect(verdict.error).toMatch(/^the connection failed while connecting \(E[A-Z]+\)$/);
    expect(signed).toEqual([]);
  });

  test('the next address is tried where the first refuses', async () => {
    const bench = await startBench(
      {},
      { allow: parseAllowList('127.0.0.0/8'), resolver: answering(['127.0.0.2', '127.0.0.1']) },
    );
    expect(await bench.send()).toMatchObject({ outcome: 'delivered', address: '127.0.0.1' });
  });

  test('reset or closed after the body: unknown, and nothing is sent again', async () => {
    let way: 'reset' | 'close' = 'reset';
    const bench = await startBench({ answer: (_request, reply) => reply[way]() });
    for (way of ['reset', 'close'] as const) {
      expect(await bench.send()).toMatchObject({ outcome: 'unknown', class: 'reset', sent: 'maybe' });
    }
    expect(bench.receiver.requests).toHaveLength(2);
  });

  test('no answer within the deadline: unknown', async () => {
    const bench = await startBench({ answer: () => {} });
    const verdict = await bench.send({ timeoutMs: 300 });
    expect(verdict).toMatchObject({ outcome: 'unknown', class: 'timeout', sent: 'maybe' });
    expect(verdict.error).toContain('waiting for the answer');
    await bench.receiver.until(() => bench.receiver.openSockets() === 0);
  });

  test('reset before the whole body was taken: failed', async () => {
    const bench = await startBench({ admit: ({ reset }) => (reset(), false) });
    const verdict = await bench.send({ body: Buffer.alloc(64 * 1024 * 1024) });
    expect(verdict).toMatchObject({ outcome: 'failed', class: 'reset', sent: 'no' });
  });

  test('a body that is not taken within the deadline: failed', async () => {
    const bench = await startBench({ admit: () => false });
    const verdict = await bench.send({ body: Buffer.alloc(64 * 1024 * 1024), timeoutMs: 500 });
    expect(verdict).toMatchObject({ outcome: 'failed', class: 'timeout', sent: 'no' });
    expect(verdict.error).toContain('sending');
  });

  test('an answer before the whole body was taken decides, and the socket is not used again', async () => {
    const bench = await startBench({ admit: ({ response }) => (response.writeHead(413).end(), false) });
    const verdict = await bench.send({ body: Buffer.alloc(64 * 1024 * 1024) });
    expect(verdict).toMatchObject({ outcome: 'rejected', class: 'client_error', status: 413 });
    await bench.receiver.until(() => bench.receiver.openSockets() === 0);
  });
});

describe('keep-alive', () => {
  test('a socket that is closed as it is used again: no second send on our own', async () => {
    let last: (() => void) | undefined;
    const bench = await startBench({
      answer: (_request, { response, reset }) => {
        last = reset;
        response.end();
      },
    });
    expect(await bench.send()).toMatchObject({ outcome: 'delivered' });
    last?.();
    const verdict = await bench.send();
    expect(['failed', 'unknown']).toContain(verdict.outcome);
    expect(verdict.class).toBe('reset');
    expect(bench.receiver.requests).toHaveLength(1);
    expect(bench.receiver.connections()).toBe(1);
  });

  test('bytes nobody asked for are not taken for the next answer', async () => {
    const late = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';
    let first = true;
    const bench = await startBench({
      answer: (_request, { response, raw }) => {
        if (first) response.end(() => raw(late));
        else response.writeHead(503).end();
        first = false;
      },
    });
    expect(await bench.send()).toMatchObject({ status: 200 });
    // A whole exchange over another connection: time enough for the late bytes to arrive.
    expect(await bench.send({ url: bench.url('/', '127.0.0.1') })).toMatchObject({ status: 503 });
    expect(await bench.send()).toMatchObject({ status: 503 });
    expect(bench.receiver.connections()).toBe(3);
  });

  test(
    'idle sockets are bounded over all hosts and closed after a while',
    async () => {
      const bench = await startBench({}, { maxIdleSockets: 3 });
      const eight = (): Promise<unknown> => Promise.all(Array.from({ length: 8 }, () => bench.send()));
      await eight();
      expect(bench.receiver.connections()).toBe(8);
      await eight();
      expect(bench.receiver.connections()).toBe(8 + 5);
      await bench.receiver.until(() => bench.receiver.openSockets() === 0);
    },
    AMPLE_MS,
  );

  test('hundreds of sends over one socket leave no listeners behind', async () => {
    const warnings: string[] = [];
    const hear = (warning: Error): void => void warnings.push(warning.name);
    process.on('warning', hear);
    const bench = await startBench();
    for (let n = 0; n < 100; n += 1) expect(await bench.send()).toMatchObject({ outcome: 'delivered' });
    process.off('warning', hear);
    expect(bench.receiver.connections()).toBe(1);
    expect(warnings).toEqual([]);
  });
});
