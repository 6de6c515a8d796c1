import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { deliveryHeaders } from '../../src/wire/headers.js';
import type { Resolver } from '../../src/wire/resolve.js';
import type { Phase } from '../../src/wire/send.js';
import { newSecret, parseSecret, sign } from '../../src/wire/sign.js';
import { AMPLE_MS, startBench } from './bench.js';

describe('what is signed is what is sent', () => {
  const bodies: [string, Uint8Array][] = [
    ['JSON in its own spelling', Buffer.from('{"b": 1,  "a":"é\\u00e9🙂", "c":[1, 2] }\n')],
    ['a form', Buffer.from('a=1&b=%20')],
    ['a byte order mark and CRLF', Buffer.from('\ufeffone\r\ntwo\r\n')],
    ['no bytes', new Uint8Array()],
    ['one byte', Buffer.from('0')],
    ['a megabyte', Buffer.alloc(1024 * 1024, 'waybill ')],
  ];

  test.each(bodies)('%s', async (_what, body) => {
    const bench = await startBench();
    const [first, second] = [newSecret(), newSecret()];
    const key = 'P%C3%A4ckchen%201:sub_x:7';
    const headers = deliveryHeaders({
      key,
      attempt: 1,
      eventType: 'shipment.delivered',
      shipment: 'Päckchen 1',
      version: 7,
      contentType: 'application/json',
      bodyBytes: body.byteLength,
    });
    const verdict = await bench.send({
      headers,
      body,
      sign: () => {
        const timestampSeconds = Math.floor(Date.now() / 1000);
        const signature = sign({
          id: key,
          timestampSeconds,
          body,
          secrets: [first, second].map(parseSecret),
        });
        return { 'webhook-timestamp': String(timestampSeconds), 'webhook-signature': signature };
      },
    });
    expect(verdict).toMatchObject({ outcome: 'delivered' });
    const [received] = bench.receiver.requests;
    expect(received?.body.equals(body)).toBe(true);
    expect(received?.headers).toMatchObject({ ...headers, 'content-length': String(body.byteLength) });
    for (const secret of [first, second]) {
      new Webhook(secret).verify(received?.body ?? '', received?.headers as Record<string, string>, {
        jsonParse: false,
      });
    }
  });

  test('it is signed once the connection stands, and not at all where it never does', async () => {
    const phases: (Phase | 'signed')[] = [];
    const bench = await startBench({}, { onPhase: (phase) => phases.push(phase) });
    const signing = () => (phases.push('signed'), { 'webhook-signature': 'v1,x' });
    await bench.send({ sign: signing });
    expect(phases).toEqual(['connected', 'signed', 'body-half', 'body-sent', 'head']);
    phases.length = 0;
    await bench.receiver.close();
    await bench.send({ sign: signing, url: bench.url().replace('hooks.', 'other.') });
    expect(phases).toEqual([]);
  });

  test('a signature that cannot be made is our own fault', async () => {
    const bench = await startBench();
    for (const signing of [
      () => {
        throw new RangeError('s3cret');
      },
      () => ({ 'webhook-signature': 's3cret\r\n' }),
    ]) {
      const verdict = await bench.send({ sign: signing });
      expect(verdict).toMatchObject({ outcome: 'cancelled', class: 'own_fault', sent: 'no' });
      expect(JSON.stringify(verdict)).not.toContain('s3cret');
    }
    expect(bench.receiver.requests).toHaveLength(0);
  });
});

describe('what is stored and cannot be sent is blocked, never thrown', () => {
  test.each([
    ['a line end', { 'x-a': 'a\r\nX-Evil: 1' }],
    ['an emoji', { 'x-a': '🙂' }],
    ['Expect', { Expect: '100-continue' }],
    ['a number', { 'x-a': 5 as unknown as string }],
  ])('%s in a header', async (_what, headers) => {
    const bench = await startBench();
    expect(await bench.send({ headers })).toMatchObject({
      outcome: 'blocked',
      class: 'configuration',
      sent: 'no',
    });
    expect(await bench.send()).toMatchObject({ outcome: 'delivered' });
    expect(bench.receiver.requests).toHaveLength(1);
    expect(bench.receiver.requests[0]?.headers).not.toHaveProperty('x-evil');
  });

  test.each(['https://', '', 'no url', 'https://exa\r\nmple.com/'])('the URL %j', async (url) => {
    const bench = await startBench();
    expect(await bench.send({ url })).toMatchObject({
      outcome: 'blocked',
      class: 'configuration',
      sent: 'no',
    });
  });
});

describe('a caller ends it', () => {
  test.each([
    ['called_off', undefined],
    ['shutdown', 'shutdown'],
  ])('as %s, before it began', async (errorClass, reason) => {
    const bench = await startBench();
    const verdict = await bench.send({ signal: AbortSignal.abort(reason) });
    expect(verdict).toMatchObject({ outcome: 'cancelled', class: errorClass, sent: 'no' });
    expect(bench.receiver.connections()).toBe(0);
  });

  test('while it connects: nothing was sent', async () => {
    const caller = new AbortController();
    const resolver: Resolver = async () => {
      caller.abort();
      await new Promise((resolve) => setImmediate(resolve));
      return [{ address: '127.0.0.1', family: 4 }];
    };
    const bench = await startBench({}, { resolver });
    const verdict = await bench.send({ signal: caller.signal });
    expect(verdict).toMatchObject({ outcome: 'cancelled', class: 'called_off', sent: 'no' });
    // By the end of another exchange the first would have connected.
    expect(await bench.send({ url: bench.url('/', '127.0.0.1') })).toMatchObject({ outcome: 'delivered' });
    expect(bench.receiver.connections()).toBe(1);
  });

  test('once it is sent: it may have been received, and the socket is gone', async () => {
    const caller = new AbortController();
    const bench = await startBench({ answer: () => caller.abort('shutdown') });
    const verdict = await bench.send({ signal: caller.signal });
    expect(verdict).toMatchObject({ outcome: 'unknown', class: 'shutdown', sent: 'maybe' });
    await bench.receiver.until(() => bench.receiver.openSockets() === 0);
  });

  test('after a 2xx head: it is delivered', async () => {
    const caller = new AbortController();
    const bench = await startBench(
      { answer: (_request, { response }) => response.writeHead(202).write('begun') },
      { onPhase: (phase) => (phase === 'head' ? caller.abort() : undefined) },
    );
    const verdict = await bench.send({ signal: caller.signal });
    expect(verdict).toMatchObject({ outcome: 'delivered', class: 'success', status: 202 });
    await bench.receiver.until(() => bench.receiver.openSockets() === 0);
  });

  test('closing the wire calls off what runs and what comes', async () => {
    const bench = await startBench({ answer: () => bench.wire.close() });
    expect(await bench.send()).toMatchObject({ outcome: 'unknown', class: 'shutdown', sent: 'maybe' });
    expect(await bench.send()).toMatchObject({ outcome: 'cancelled', class: 'shutdown', sent: 'no' });
    expect(bench.receiver.requests).toHaveLength(1);
  });

  test('a signal that outlives many sends collects no listeners', async () => {
    const warnings: string[] = [];
    const hear = (warning: Error): void => void warnings.push(warning.name);
    process.on('warning', hear);
    const { signal } = new AbortController();
    const bench = await startBench();
    for (let n = 0; n < 30; n += 1) await bench.send({ signal });
    process.off('warning', hear);
    expect(warnings).toEqual([]);
  });
});

describe('the lease', () => {
  test('is over before it began: nothing is dialled', async () => {
    const bench = await startBench();
    const verdict = await bench.send({ leaseEndsAtMs: performance.now() - 1 });
    expect(verdict).toMatchObject({ outcome: 'cancelled', class: 'lease_over', sent: 'no' });
    expect(bench.receiver.connections()).toBe(0);
  });

  test('is over as the connection stands: not a byte goes out', async () => {
    let leaseEndsAtMs = Infinity;
    const bench = await startBench(
      {},
      {
        onPhase: (phase) => {
          while (phase === 'connected' && performance.now() < leaseEndsAtMs);
        },
      },
    );
    leaseEndsAtMs = performance.now() + 1_000;
    const verdict = await bench.send({ leaseEndsAtMs });
    expect(verdict).toMatchObject({ outcome: 'cancelled', class: 'lease_over', sent: 'no' });
    expect(bench.receiver.requests).toHaveLength(0);
  });

  test('is over with half the body sent: the other half stays here', async () => {
    let leaseEndsAtMs = Infinity;
    const bench = await startBench(
      {},
      {
        onPhase: (phase) => {
          while (phase === 'body-half' && performance.now() < leaseEndsAtMs);
        },
      },
    );
    leaseEndsAtMs = performance.now() + 1_000;
    const verdict = await bench.send({ leaseEndsAtMs });
    expect(verdict).toMatchObject({ outcome: 'cancelled', class: 'lease_over', sent: 'no' });
    await bench.receiver.until(() => bench.receiver.openSockets() === 0);
    expect(bench.receiver.requests).toHaveLength(0);
  });

  test('is over while the answer is awaited: unknown, and the socket is gone', async () => {
    const bench = await startBench({ answer: () => {} });
    const verdict = await bench.send({ leaseEndsAtMs: performance.now() + 500, timeoutMs: AMPLE_MS });
    expect(verdict).toMatchObject({ outcome: 'unknown', class: 'lease_over', sent: 'maybe' });
    await bench.receiver.until(() => bench.receiver.openSockets() === 0);
  });
});

test('no verdict shows what must stay secret', async () => {
  const path = '/T0/B0/tokenXYZ?key=K123';
  const headers = { authorization: 'Bearer S3CRET' };
  const bench = await startBench({
    answer: (request, { response, reset }) =>
      request.path.startsWith('/T0') && bench.receiver.requests.length > 1
        ? reset()
        : response.writeHead(500, { 'x-echo': 'S3CRET' }).end(),
  });
  const verdicts = [
    await bench.send({ url: bench.url(path), headers }),
    await bench.send({ url: bench.url(path), headers }),
    await bench.send({ url: bench.url(path, 'other.example'), headers }),
    await bench.send({ url: `https://localhost${path}`, headers }),
    await bench.send({ url: bench.url(path).replace('//', '//user:S3CRET@'), headers }),
    await bench.send({ url: bench.url(path), headers: { 'x-a': 'S3CRET\r\n' } }),
    await bench.send({ url: bench.url(path), headers, signal: AbortSignal.abort(new Error('S3CRET')) }),
  ];
  expect(verdicts.map((verdict) => verdict.class)).toEqual([
    'server_error',
    'reset',
    'tls',
    'address_policy',
    'address_policy',
    'configuration',
    'called_off',
  ]);
  expect(JSON.stringify(verdicts)).not.toMatch(/tokenXYZ|K123|S3CRET/);
});
