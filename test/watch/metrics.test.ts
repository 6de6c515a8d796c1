import { expect, it } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { makeMetrics, serveMetrics } from '../../src/watch/metrics.js';

const standing = { reason: 'rate' } as never;

it('counts answers and turns, and shows them to who asks for them', async () => {
  const metrics = makeMetrics();
  metrics.claimed({ answer: 'not_yet', standing });
  metrics.claimed({ answer: 'settled', standing });
  metrics.destination('failing-paused');
  const door = await serveMetrics(metrics.registry, '127.0.0.1', 0);
  try {
    const shown = await fetch(`http://127.0.0.1:${door.port}/metrics`);
    expect(shown.headers.get('content-type')).toContain('text/plain');
    const text = await shown.text();
    expect(text).toContain('waybill_claims_total{answer="not_yet",reason="rate"} 1');
    expect(text).toContain('waybill_claims_total{answer="settled",reason=""} 1');
    expect(text).toContain('waybill_destination_turns_total{turn="failing-paused"} 1');
    expect((await fetch(`http://127.0.0.1:${door.port}/`)).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${door.port}/metrics`, { method: 'POST' })).status).toBe(404);
    await expect(serveMetrics(metrics.registry, '127.0.0.1', door.port)).rejects.toThrow('EADDRINUSE');
  } finally {
    await door.close();
  }
});

it('is asked for by a port on loopback or by host and port', () => {
  const at = (text: string) =>
    loadConfig({ WAYBILL_DATABASE_URL: 'postgres://localhost/w', WAYBILL_METRICS: text }).metricsAt;
  expect(at('')).toBeUndefined();
  expect(at('9464')).toEqual({ host: '127.0.0.1', port: 9464 });
  expect(at('0.0.0.0:9464')).toEqual({ host: '0.0.0.0', port: 9464 });
  expect(at('[::]:9464')).toEqual({ host: '::', port: 9464 });
  for (const wrong of ['metrics', '70000', 'a b:1', ':9464', '9464/']) {
    expect(() => at(wrong)).toThrow('WAYBILL_METRICS');
  }
});
