/**
 * `receiver.ts FOLDER`: a subscriber's endpoint on loopback, as a subscriber would write it: it verifies each request
 * with the `standardwebhooks` package, acts on each `webhook-id` once, and answers.
 *
 * It makes a certificate and a secret at start and puts into FOLDER what the other side needs: `ca.pem` (to trust),
 * `secret` (to sign with) and, once it listens, `url`.
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import type http from 'node:http';
import https from 'node:https';
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { issue, makeAuthority } from '../test/support/tls.js';

const folder = process.argv[2];
if (!folder) {
  process.stderr.write('usage: receiver.ts FOLDER\n');
  process.exit(2);
}

const secret = `whsec_${randomBytes(32).toString('base64')}`;
const verifier = new Webhook(secret);
/** In a service this is a table with a unique key, written in the same transaction as the effect. */
const done = new Set<string>();

function receive(request: http.IncomingMessage, response: http.ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    const status = judge(request, body);
    response.writeHead(status).end();
    process.stdout.write(
      `receiver: attempt ${one(request, 'waybill-attempt')} of ${one(request, 'webhook-id')}: ` +
        `${one(request, 'waybill-event-type')}, ${body.byteLength} bytes, answered ${status}\n`,
    );
  });
}

/** 401 for a request that isn't Waybill's; 204 for one that is, acted on now or before. */
function judge(request: http.IncomingMessage, body: Buffer): number {
  const headers = {
    'webhook-id': one(request, 'webhook-id'),
    'webhook-timestamp': one(request, 'webhook-timestamp'),
    'webhook-signature': one(request, 'webhook-signature'),
  };
  try {
    verifier.verify(body, headers, { jsonParse: false });
  } catch (error) {
    if (error instanceof WebhookVerificationError) return 401;
    throw error;
  }
  const id = headers['webhook-id'];
  if (!done.has(id)) done.add(id); // here the effect takes place
  return 204;
}

function one(request: http.IncomingMessage, name: string): string {
  const value = request.headers[name];
  return typeof value === 'string' ? value : '';
}

const authority = await makeAuthority('Waybill example');
const identity = await issue(authority, { hosts: ['localhost', '127.0.0.1'] });
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'ca.pem'), authority.cert);
writeFileSync(join(folder, 'secret'), secret, { mode: 0o600 });

const server = https.createServer({ ...identity, keepAliveTimeout: 60_000 }, receive);
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  // Renamed into place: whoever sees the file reads all of it.
  writeFileSync(join(folder, 'url.new'), `https://127.0.0.1:${port}/shipments`);
  renameSync(join(folder, 'url.new'), join(folder, 'url'));
});
