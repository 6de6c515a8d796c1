import http from 'node:http';
import { Counter, Registry } from 'prom-client';
import type { ClaimAnswer } from '../ledger/claim.js';
import type { DestinationNews } from '../ledger/settle.js';

/** What a worker counts. No label names an account, a subscriber or a shipment: those are for logs and the ledger. */
export interface Metrics {
  readonly registry: Registry;
  readonly claimed: (answer: ClaimAnswer) => void;
  readonly destination: (news: DestinationNews | 'gone') => void;
}

/** Counters of this process alone, from nought. */
export function makeMetrics(): Metrics {
  const registry = new Registry();
  const claims = new Counter({
    name: 'waybill_claims_total',
    help: 'Answers to "may this be sent now?", by answer and by the reason of a not_yet.',
    labelNames: ['answer', 'reason'] as const,
    registers: [registry],
  });
  const destinations = new Counter({
    name: 'waybill_destination_turns_total',
    help: 'Breakers opened and closed, and subscribers that the system has paused.',
    labelNames: ['turn'] as const,
    registers: [registry],
  });
  return {
    registry,
    claimed: (answer) =>
      claims.inc({
        answer: answer.answer,
        reason: answer.answer === 'not_yet' ? (answer.standing.reason ?? '') : '',
      }),
    destination: (news) => destinations.inc({ turn: news }),
  };
}

export interface MetricsDoor {
  readonly port: number;
  close(): Promise<void>;
}

/** `GET /metrics` in Prometheus' text format (port 0: a free one). Rejects where the address can't be had. */
export async function serveMetrics(registry: Registry, host: string, port: number): Promise<MetricsDoor> {
  const server = http.createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
