import { describe, expect, test } from 'vitest';
import { INTERIM_MAX } from '../../src/wire/exchange.js';
import { statusRows } from '../docs/pages.js';
import { startBench } from './bench.js';

describe('the status of the head is the verdict', () => {
  test('for every status, as the published table says, over one connection', async () => {
    let status = 0;
    const bench = await startBench({
      answer: (_request, { response }) => response.writeHead(status).end('{"error":true}'),
    });
    const table = statusRows();
    for (status = 200; status <= 999; status += 1) {
      const row = table.find(({ from, to }) => from <= status && status <= to);
      const got = await bench.send();
      expect([status, got.outcome, got.class, got.sent]).toEqual([status, row?.outcome, row?.class, 'maybe']);
      expect(got.status).toBe(status);
    }
    expect(bench.receiver.requests).toHaveLength(800);
    expect(bench.receiver.connections()).toBe(1);
  });

  test('but for 1xx, which are passed over', async () => {
    let status = 0;
    const bench = await startBench({
      answer: (_request, { raw, close, response }) => {
        raw(`HTTP/1.1 ${status} Odd\r\n\r\n`);
        if (status === 101) close();
        else response.writeHead(204).end();
      },
    });
    for (status = 100; status <= 199; status += 1) {
      const got = await bench.send();
      const expected = status === 101 ? ['unknown', 'protocol'] : ['delivered', 'success'];
      expect([status, got.outcome, got.class]).toEqual([status, ...expected]);
    }
    expect(bench.receiver.requests).toHaveLength(100);
  });

  test('and not without end', async () => {
    const bench = await startBench({
      answer: (_request, { raw }) => raw('HTTP/1.1 102 Processing\r\n\r\n'.repeat(INTERIM_MAX + 1)),
    });
    expect(await bench.send()).toMatchObject({ outcome: 'unknown', class: 'protocol', sent: 'maybe' });
    await bench.receiver.until(() => bench.receiver.openSockets() === 0);
  });

  test('200 without a body, and what was read is told', async () => {
    const bench = await startBench();
    const verdict = await bench.send();
    expect(verdict).toMatchObject({ outcome: 'delivered', class: 'success', status: 200, responseBytes: 0 });
    expect(verdict).toMatchObject({ address: '127.0.0.1', tookMs: expect.any(Number) });
    expect(verdict).not.toHaveProperty('error');
    expect(verdict).not.toHaveProperty('excerpt');
  });

  test('an interim answer is passed over', async () => {
    const bench = await startBench({
      answer: (_request, { response, raw }) => {
        raw('HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n');
        response.end('ok');
      },
    });
    expect(await bench.send()).toMatchObject({ outcome: 'delivered', status: 200 });
  });

  test('Retry-After is kept raw, cut and printable', async () => {
    let value = '';
    const bench = await startBench({
      answer: (_request, { response }) => response.writeHead(503, { 'retry-after': value }).end(),
    });
    value = '120';
    expect(await bench.send()).toMatchObject({ class: 'server_error', retryAfter: '120' });
    value = '9'.repeat(400);
    expect((await bench.send()).retryAfter).toBe('9'.repeat(100));
    value = 'caf\u00e9';
    expect((await bench.send()).retryAfter).toBe('caf?');
  });
});

describe('what is no answer leaves the outcome unknown', () => {
  test.each([
    ['garbage', 'SSH-2.0-OpenSSH_9.6\r\n\r\n', 'protocol'],
    ['a status of two digits', 'HTTP/1.1 42 Odd\r\n\r\n', 'protocol'],
    ['a head without end', `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(20_000)}`, 'protocol'],
    ['two content lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n', 'protocol'],
    [
      'a switch of protocols',
      'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
      'protocol',
    ],
    ['only an interim answer', 'HTTP/1.1 103 Early Hints\r\n\r\n', 'protocol'],
    ['half a head', 'HTTP/1.1 200 OK\r\ncontent-le', 'reset'],
  ])('%s', async (_what, text, errorClass) => {
    const bench = await startBench({
      answer: (_request, { raw, close }) => {
        raw(text);
        close();
      },
    });
    expect(await bench.send()).toMatchObject({ outcome: 'unknown', class: errorClass, sent: 'maybe' });
    expect(bench.receiver.requests).toHaveLength(1);
    await bench.receiver.until(() => bench.receiver.openSockets() === 0);
  });
});

describe('redirects are not followed', () => {
  test.each([
    [302, 'http://169.254.169.254/latest/meta-data/?token=T1', 'http://169.254.169.254/…'],
    [307, 'https://[::ffff:7f00:1]/', 'https://[::ffff:7f00:1]'],
    [308, 'http://user:s3cret@hooks.example.com/', 'http://hooks.example.com/…'],
    [301, '/hook/', 'https://hooks.example.com:PORT/…'],
    [303, '/login?next=T1', 'https://hooks.example.com:PORT/…'],
    [307, 'https://www.example.com', 'https://www.example.com'],
    [301, 'javascript:alert(1)', 'javascript:…'],
    [301, 'https://', undefined],
    [301, `https://${'a.'.repeat(150)}example/`, undefined],
    [301, `${'a'.repeat(300)}:x`, undefined],
    [301, undefined, undefined],
  ])('%i to %s', async (status, location, shown) => {
    const bench = await startBench({
      answer: (request, { response }) =>
        request.path === '/hook' && request.method === 'POST'
          ? response.writeHead(status, location === undefined ? {} : { location }).end()
          : response.writeHead(200).end(),
    });
    const verdict = await bench.send();
    expect(verdict).toMatchObject({ outcome: 'failed', class: 'redirect', status });
    expect(verdict.location).toBe(shown?.replace('PORT', String(bench.receiver.port)));
    expect(JSON.stringify(verdict)).not.toMatch(/T1|s3cret/);
    expect(bench.receiver.requests).toHaveLength(1);
    expect(bench.receiver.connections()).toBe(1);
  });
});
