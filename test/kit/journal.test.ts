import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import https from 'node:https';
import { connect as connectPlain } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { findGo, findPython } from '../../scripts/test-tools.js';
import { JournalByKey } from '../../src/operate/compare/journal.js';
import { parseAllowList } from '../../src/wire/allow-list.js';
import { makeWire, type Verdict, type Wire } from '../../src/wire/send.js';
import { newSecret } from '../../src/wire/sign.js';
import { issue, makeAuthority } from '../support/tls.js';
import { isAbsent } from '../support/tools.js';
import { BODY, deliverTo, type Delivery } from './delivery.js';
import { prepareExample, startExample, type Example, type RunningExample, type Said } from './example.js';

/** Go compiles, and all start processes, beside other files' tests. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 300_000 });

const EXAMPLES: readonly [Example, string | undefined][] = [
  ['TypeScript', process.execPath],
  ['Python', findPython()],
  ['Go', findGo()],
];
const KEY = 'ORDER-42:sub_aB3dE6gH9jK2mN5pQ8sT:7';
const METHODS = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const secret = newSecret();
const digestOf = (body: string | Uint8Array): string => createHash('sha256').update(body).digest('hex');

describe.each(EXAMPLES)('what the %s receiver writes down (needs its language)', (example, program) => {
  let folder: string;
  let ca: string;
  let wire: Wire;
  let receiver: RunningExample;
  const skipped = isAbsent(program, example);

  beforeAll(async () => {
    if (skipped) return;
    folder = mkdtempSync(join(tmpdir(), 'waybill-lines-'));
    const authority = await makeAuthority();
    ca = authority.cert;
    const identity = await issue(authority, { hosts: ['127.0.0.1'] });
    wire = makeWire({ allow: parseAllowList('127.0.0.0/8'), extraCa: ca });
    const command = await prepareExample(example, program ?? '', folder);
    receiver = await startExample(command, identity, [secret], folder);
  });
  afterAll(async () => {
    if (skipped) return;
    await receiver.stop();
    wire.close();
    rmSync(folder, { recursive: true });
  });

  const deliver = (delivery: Partial<Delivery> = {}): Promise<Verdict> =>
    deliverTo(wire, receiver.url, { secrets: [secret], ...delivery });

  async function ask(method: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
    const request = https.request(receiver.url, { method, headers, ca, agent: false }).end();
    const [response] = (await once(request, 'response')) as [{ statusCode: number; resume(): void }];
    response.resume();
    return response.statusCode;
  }

  /** Says this over a connection of its own, and then no more; what comes back. */
  async function say(text: string): Promise<string> {
    const socket = connect({ port: Number(new URL(receiver.url).port), host: '127.0.0.1', ca });
    let heard = '';
    socket.setEncoding('utf8').on('data', (more: string) => (heard += more));
    await once(socket, 'secureConnect');
    socket.end(text);
    await once(socket, 'close');
    return heard;
  }

  /** The lines of what happens meanwhile. */
  async function during(count: number, act: () => Promise<void>): Promise<readonly Said[]> {
    const before = receiver.said.length;
    await act();
    await vi.waitFor(() => expect(receiver.said.length).toBeGreaterThanOrEqual(before + count));
    return receiver.said.slice(before);
  }

  /** All fields but the times, in their order; those are looked at on the way. */
  function withoutTimes(line: Said): object {
    const { atMs, answeredAtMs, ...rest } = line;
    expect(Object.keys(line).join()).toBe(
      'key,attempt,atMs,bodySha256,bodyBytes,signature,duplicate,older,status,answeredAtMs',
    );
    expect(Math.abs(Date.now() - atMs)).toBeLessThan(60_000);
    if (rest.status === null) expect(answeredAtMs).toBeNull();
    else expect(answeredAtMs).toBeGreaterThanOrEqual(atMs);
    return rest;
  }

  test.skipIf(skipped)('has the same fields, whatever came', async () => {
    const long = Buffer.alloc(1_048_577, 'x');
    const lines = await during(5, async () => {
      expect(await deliver({ attempt: 3 })).toMatchObject({ status: 204 });
      expect(await deliver({ attempt: 4 })).toMatchObject({ status: 204 });
      expect(await deliver({ secrets: [newSecret()], version: 8 })).toMatchObject({ status: 401 });
      expect(await deliver({ body: long, version: 9 })).toMatchObject({ status: 413 });
      expect(await ask('POST', { 'content-length': '0', 'waybill-attempt': '0' })).toBe(401);
    });
    const seen = { bodySha256: digestOf(BODY), bodyBytes: BODY.byteLength };
    const first = {
      key: KEY,
      attempt: 3,
      ...seen,
      signature: 'valid',
      duplicate: false,
      older: false,
      status: 204,
    };
    const unjudged = { bodySha256: null, signature: null, status: 413 };
    expect(lines.map(withoutTimes)).toEqual([
      first,
      { ...first, attempt: 4, duplicate: true },
      { ...first, key: KEY.replace(/7$/, '8'), attempt: 1, signature: 'invalid', status: 401 },
      {
        ...first,
        key: KEY.replace(/7$/, '9'),
        attempt: 1,
        ...unjudged,
        bodyBytes: expect.any(Number) as number,
      },
      {
        ...first,
        key: '',
        attempt: null,
        bodySha256: digestOf(''),
        bodyBytes: 0,
        signature: 'invalid',
        status: 401,
      },
    ]);
  });

  test.skipIf(skipped)('answers anything but POST with 405', async () => {
    const lines = await during(METHODS.length, async () => {
      for (const method of METHODS) expect([method, await ask(method)]).toEqual([method, 405]);
    });
    for (const line of lines)
      expect(withoutTimes(line)).toMatchObject({
        signature: 'invalid',
        bodySha256: digestOf(''),
        status: 405,
      });
  });

  test.skipIf(skipped)('a request that breaks off gets no answer, and a line that says so', async () => {
    const head = `POST / HTTP/1.1\r\nhost: x\r\nwebhook-id: ${KEY}\r\nwaybill-attempt: x\r\ncontent-length: 9\r\n\r\n`;
    const lines = await during(1, async () => expect(await say(`${head}{"n"`)).not.toContain(' 20'));
    const broken = { bodySha256: null, bodyBytes: 4, signature: null, duplicate: false, older: false };
    expect(lines.map(withoutTimes)).toEqual([{ key: KEY, attempt: null, ...broken, status: null }]);
  });

  test.skipIf(skipped)('tells on stderr who speaks no TLS, where the server knows of it', async () => {
    if (example === 'TypeScript') return;
    const socket = connectPlain(Number(new URL(receiver.url).port), '127.0.0.1');
    socket.on('error', () => undefined).end('GET / HTTP/1.1\r\n\r\n');
    socket.resume();
    await vi.waitFor(() => expect(receiver.complaints()).toMatch(/receiver: .*(TLS handshake|SSLError)/));
  });

  test.skipIf(skipped)('is a journal that compare reads', async () => {
    await deliver({ shipment: 'READ' });
    await vi.waitFor(() => expect(receiver.said.at(-1)?.key).toContain('READ'));
    const journal = new JournalByKey();
    for (const line of receiver.said) journal.add(JSON.stringify(line));
    expect(journal.requests).toBe(receiver.said.length);
    const { atMs, answeredAtMs } = receiver.said.at(-1) as Said;
    expect(journal.take(KEY.replace('ORDER-42', 'READ'))).toEqual([
      { attempt: 1, atMs, bodySha256: digestOf(BODY), status: 204, answeredAtMs },
    ]);
  });
});
