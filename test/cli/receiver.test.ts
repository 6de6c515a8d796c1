import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startReceiver, type JournalLine } from '../../examples/receiver.js';
import type { JournalLine as OwnLine, ReceiverModule } from '../../src/receiver/load.js';
import { parseAllowList } from '../../src/wire/allow-list.js';
import { deliveryHeaders } from '../../src/wire/headers.js';
import { makeWire, type Verdict } from '../../src/wire/send.js';
import { newSecret, parseSecret, sign } from '../../src/wire/sign.js';
import { issue, makeAuthority, type LeafOptions } from '../support/tls.js';
import { ended, errorOf, says, start, waybill } from './run.js';

vi.setConfig({ testTimeout: 120_000 });

let folder: string;
let running: ChildProcess | undefined;
/** By the receiver that runs, on stderr. */
let told = '';
const at = (name: string): string => join(folder, name);
const text = (name: string): string => readFileSync(at(name), 'utf8').trim();
const journal = (): JournalLine[] =>
  text('journal')
    .split('\n')
    .map((line) => JSON.parse(line) as JournalLine);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waybill-receiver-'));
});
afterEach(() => {
  running?.kill('SIGKILL');
  running = undefined;
  rmSync(folder, { recursive: true });
});

async function receiver(...more: string[]): Promise<string> {
  const child = start(['receiver', '--dir', folder, '--journal', at('journal'), '--json', ...more], {});
  running = child;
  told = '';
  child.stderr?.on('data', (chunk: Buffer) => (told += chunk.toString()));
  const said = JSON.parse(await says(child, '\n')) as { ready: boolean; url: string };
  expect(said).toEqual({ ready: true, url: text('url') });
  return said.url;
}

async function stop(): Promise<number | null> {
  if (!running) return null;
  const code = ended(running);
  running.kill('SIGTERM');
  return (await code).code;
}

async function deliver(url: string, given: { secret?: string; timeoutMs?: number } = {}): Promise<Verdict> {
  const wire = makeWire({ allow: parseAllowList('127.0.0.0/8,::1'), extraCa: text('ca.pem') });
  const { secret = text('secret'), timeoutMs = 20_000 } = given;
  const [body, timestampSeconds] = [Buffer.from('{"n":1}'), Math.floor(Date.now() / 1000)];
  const shown = { key: 'a:b:1', attempt: 3, eventType: 't', shipment: 'a', version: 1, bodyBytes: 7 };
  try {
    return await wire.send({
      ...{ url, body, timeoutMs, headers: deliveryHeaders(shown) },
      sign: () => ({
        'webhook-timestamp': String(timestampSeconds),
        'webhook-signature': sign({ id: 'a:b:1', timestampSeconds, body, secrets: [parseSecret(secret)] }),
      }),
    });
  } finally {
    wire.close();
  }
}

test('keeps certificate and secret, and remembers by its journal over a restart', async () => {
  expect(await deliver(await receiver())).toMatchObject({ status: 204 });
  expect(statSync(at('secret')).mode & 0o777).toBe(0o600);
  const [secret, ca] = [text('secret'), text('ca.pem')];
  expect(await stop()).toBe(0);
  const again = await receiver();
  expect([text('secret'), text('ca.pem')]).toEqual([secret, ca]);
  expect(await deliver(again)).toMatchObject({ status: 204 });
  expect(await deliver(again, { secret: newSecret() })).toMatchObject({ status: 401 });
  const bodySha256 = createHash('sha256').update('{"n":1}').digest('hex');
  const line = { key: 'a:b:1', attempt: 3, bodySha256, bodyBytes: 7, older: false };
  expect(journal()).toMatchObject([
    { ...line, signature: 'valid', duplicate: false, status: 204 },
    { ...line, signature: 'valid', duplicate: true, status: 204 },
    { ...line, signature: 'invalid', duplicate: false, status: 401 },
  ]);
});

test.each([
  ['has expired', { validFromDays: -40, validToDays: -10 }],
  ['expires within a day', { validToDays: 0.5 }],
  ['is not for 127.0.0.1', { hosts: ['other.example'] }],
] satisfies [string, Partial<LeafOptions>][])(
  'a certificate that %s is replaced, with a word, and the secret stays',
  async (fault, leaf) => {
    const authority = await makeAuthority();
    const old = await issue(authority, { hosts: ['127.0.0.1'], ...leaf });
    for (const [name, content] of Object.entries({ ca: authority.cert, ...old })) {
      writeFileSync(at(`${name}.pem`), content);
    }
    const secret = newSecret();
    writeFileSync(at('secret'), secret);
    const url = await receiver();
    expect(told.trim().split('\n')).toEqual([
      `receiver: the certificate in ${folder} ${fault} and is replaced: give the sender its ca.pem again`,
    ]);
    expect(text('secret')).toBe(secret);
    expect(await deliver(url)).toMatchObject({ status: 204 });
    await stop();
    const replaced = text('cert.pem');
    await receiver();
    expect(told).toBe('');
    expect(text('cert.pem')).toBe(replaced);
  },
);

test('an IPv6 address stands in brackets in its URL, and is what the certificate is for', async (context) => {
  const addresses = Object.values(networkInterfaces()).flat();
  if (!addresses.some((one) => one?.address === '::1')) return context.skip('no IPv6 on this machine');
  const url = await receiver('--host', '::1');
  expect(url).toMatch(/^https:\/\/\[::1\]:\d+\/$/);
  expect(await deliver(url)).toMatchObject({ status: 204 });
});

test('what was answered with 503 was not acted on, and what nobody waited for is on record as such', async () => {
  expect(await deliver(await receiver('--answer', '503'))).toMatchObject({ outcome: 'failed', status: 503 });
  await stop();
  const slow = await receiver('--delay-ms', '1500');
  expect(await deliver(slow, { timeoutMs: 700 })).toMatchObject({ outcome: 'unknown', class: 'timeout' });
  await vi.waitFor(() => expect(journal()).toHaveLength(2), { timeout: 20_000 });
  await stop();
  expect(await deliver(await receiver())).toMatchObject({ status: 204 });
  expect(journal()).toMatchObject([
    { signature: 'valid', duplicate: false, status: 503 },
    { signature: 'valid', duplicate: false, status: null },
    { signature: 'valid', duplicate: false, status: 204 },
  ]);
});

test('what can not be used is refused before it listens, and no secret is shown', async () => {
  writeFileSync(at('bad'), 'whsec_s3cret!');
  const bad = await waybill(['receiver', '--dir', folder, '--secret-file', at('bad'), '--json'], {});
  expect(bad).toMatchObject({ code: 2, stdout: '' });
  expect(errorOf(bad)).toMatchObject({ code: 'invalid_field', field: 'secret' });
  expect(bad.stderr).not.toContain('s3cret');
  const half = await waybill(['receiver', '--dir', folder, '--cert', at('bad'), '--json'], {});
  expect(errorOf(half).code).toBe('usage');
  const none = await waybill(['receiver', '--json'], {});
  expect(errorOf(none).code).toBe('usage');
  const pem = ['--cert', at('bad'), '--key', at('bad')];
  expect(errorOf(await waybill(['receiver', '--dir', folder, ...pem, '--json'], {})).code).toBe('usage');
});

test('the example is what the command takes it for', () => {
  const module: ReceiverModule = { startReceiver };
  const line = (given: JournalLine): OwnLine => given;
  expect([typeof module.startReceiver, typeof line]).toEqual(['function', 'function']);
});
