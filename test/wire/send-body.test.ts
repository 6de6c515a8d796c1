import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { BODY_READ_MAX_BYTES, EXCERPT_MAX_BYTES } from '../../src/wire/exchange.js';
import { AMPLE_MS, startBench } from './bench.js';

const SHORT_MS = 500;

/** Writes one piece after another for as long as the connection stands. */
function drip(write: (piece: string) => void, closed: (stop: () => void) => void, piece: string): void {
  const timer = setInterval(() => write(piece), 50);
  closed(() => clearInterval(timer));
}

describe('a slow answer ends at the one deadline', () => {
  test('a body that drips for ever after a 200 is delivered, and the socket is gone', async () => {
    const bench = await startBench({
      answer: (_request, { response }) => {
        response.writeHead(200, { 'x-accel-buffering': 'no' });
        drip(
          (piece) => response.write(piece),
          (stop) => response.on('close', stop),
          'x',
        );
      },
    });
    const verdict = await bench.send({ timeoutMs: SHORT_MS });
    expect(verdict).toMatchObject({ outcome: 'delivered', class: 'success', status: 200 });
    expect(verdict.tookMs).toBeLessThan(AMPLE_MS);
    await bench.receiver.until(() => bench.receiver.openSockets() === 0);
  });

  test('a body that is cut short after a 200 is delivered too', async () => {
    const bench = await startBench({
      answer: (_request, { raw, close }) => {
        raw('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n7 bytes');
        close();
      },
    });
    const verdict = await bench.send();
    expect(verdict).toMatchObject({ outcome: 'delivered', class: 'success', responseBytes: 7 });
    expect(Buffer.from(verdict.excerpt ?? []).toString()).toBe('7 bytes');
    expect(bench.receiver.requests).toHaveLength(1);
  });

  test('a body that is cut short after a 503 is a 503', async () => {
    const bench = await startBench({
      answer: (_request, { raw, close }) => {
        raw('HTTP/1.1 503 Busy\r\ncontent-length: 100\r\n\r\n');
        close();
      },
    });
    expect(await bench.send()).toMatchObject({ outcome: 'failed', class: 'server_error', status: 503 });
  });

  test('a head that drips is no answer: the outcome is unknown', async () => {
    const bench = await startBench({
      answer: (_request, { raw, response }) => {
        raw('HTTP/1.1 200 OK\r\nx: ');
        drip(raw, (stop) => response.on('close', stop), 'x');
      },
    });
    const verdict = await bench.send({ timeoutMs: SHORT_MS });
    expect(verdict).toMatchObject({ outcome: 'unknown', class: 'timeout', sent: 'maybe', responseBytes: 0 });
    expect(verdict).not.toHaveProperty('status');
    await bench.receiver.until(() => bench.receiver.openSockets() === 0);
  });

  test('chunked garbage after a 200 is delivered', async () => {
    const bench = await startBench({
      answer: (_request, { raw }) => raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nZZZ\r\n'),
    });
    expect(await bench.send()).toMatchObject({ outcome: 'delivered', class: 'success', status: 200 });
  });
});

describe('nothing is decompressed', () => {
  const plain = Buffer.alloc(50 * 1024 * 1024);
  const bombs: [string, Buffer][] = [
    ['gzip', gzipSync(plain)],
    ['br', brotliCompressSync(plain.subarray(0, 5 * 1024 * 1024))],
    ['gzip, gzip, gzip, gzip, gzip, gzip', gzipSync(gzipSync(plain))],
  ];

  test.each(bombs)('%s', async (encoding, bytes) => {
    const bench = await startBench({
      answer: (_request, { response }) =>
        response.writeHead(200, { 'content-encoding': encoding }).end(bytes),
    });
    const verdict = await bench.send();
    expect(verdict).toMatchObject({ outcome: 'delivered', excerptEncoding: encoding });
    expect(Buffer.from(verdict.excerpt ?? [])).toEqual(bytes.subarray(0, EXCERPT_MAX_BYTES));
    expect(verdict.responseBytes).toBeLessThanOrEqual(2 * BODY_READ_MAX_BYTES);
    expect(bench.receiver.requests[0]?.headers['accept-encoding']).toBe('identity');
  });
});

describe('a large answer', () => {
  test('is read up to the cap and dropped, though the receiver stalls', async () => {
    const bench = await startBench({
      answer: (_request, { response }) => response.writeHead(200).write(Buffer.alloc(5 * 1024 * 1024, 'y')),
    });
    const verdicts = await Promise.all(Array.from({ length: 50 }, () => bench.send()));
    for (const verdict of verdicts) {
      expect(verdict).toMatchObject({ outcome: 'delivered', class: 'success' });
      expect(verdict.excerpt).toHaveLength(EXCERPT_MAX_BYTES);
      expect(verdict.responseBytes).toBeLessThanOrEqual(2 * BODY_READ_MAX_BYTES);
    }
    await bench.receiver.until(() => bench.receiver.openSockets() === 0);
  });

  test('below the cap leaves the connection usable', async () => {
    const bench = await startBench({
      answer: (_request, { response }) => response.end(Buffer.alloc(BODY_READ_MAX_BYTES - 1)),
    });
    for (let n = 0; n < 3; n += 1) {
      expect(await bench.send()).toMatchObject({ responseBytes: BODY_READ_MAX_BYTES - 1 });
    }
    expect(bench.receiver.connections()).toBe(1);
  });
});
