import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { findGo, findPython } from '../../scripts/test-tools.js';
import { parseAllowList } from '../../src/wire/allow-list.js';
import { makeWire, type Verdict, type Wire } from '../../src/wire/send.js';
import { newSecret } from '../../src/wire/sign.js';
import { issue, makeAuthority, type ServerIdentity } from '../support/tls.js';
import { isAbsent } from '../support/tools.js';
import { deliverTo, type Delivery } from './delivery.js';
import { prepareExample, startExample, type Example, type RunningExample } from './example.js';

/** Go compiles, and all start processes, beside other files' tests. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 300_000 });

const EXAMPLES: readonly [Example, string | undefined][] = [
  ['TypeScript', process.execPath],
  ['Python', findPython()],
  ['Go', findGo()],
];
const [secret, next, stranger] = [newSecret(), newSecret(), newSecret()];

describe.each(EXAMPLES)('the %s receiver (needs its language)', (example, program) => {
  let folder: string;
  let identity: ServerIdentity;
  let wire: Wire;
  let command: readonly string[];
  let receiver: RunningExample | undefined;
  const skipped = isAbsent(program, example);

  beforeAll(async () => {
    if (skipped) return;
    folder = mkdtempSync(join(tmpdir(), 'waybill-example-'));
    const authority = await makeAuthority();
    identity = await issue(authority, { hosts: ['127.0.0.1', '127.0.0.2'] });
    wire = makeWire({ allow: parseAllowList('127.0.0.0/8'), extraCa: authority.cert });
    command = await prepareExample(example, program ?? '', folder);
  });
  afterEach(async () => {
    await receiver?.stop();
    receiver = undefined;
  });
  afterAll(() => {
    if (skipped) return;
    wire.close();
    rmSync(folder, { recursive: true });
  });

  const start = async (secrets: readonly string[] = [secret], ...more: string[]): Promise<RunningExample> =>
    (receiver = await startExample(command, identity, secrets, join(folder, 'files'), more));

  const deliver = (url: string, delivery: Partial<Delivery> = {}): Promise<Verdict> =>
    deliverTo(wire, url, { secrets: [secret], ...delivery });

  test.skipIf(skipped)('acknowledges a delivery, and a repeat of it without acting again', async () => {
    const { url, said } = await start();
    expect(await deliver(url)).toMatchObject({ outcome: 'delivered', status: 204 });
    expect(await deliver(url, { attempt: 2 })).toMatchObject({ outcome: 'delivered', status: 204 });
    await vi.waitFor(() => expect(said).toHaveLength(2));
    expect(said).toMatchObject([
      { key: 'ORDER-42:sub_aB3dE6gH9jK2mN5pQ8sT:7', signature: 'valid', duplicate: false, older: false },
      { key: 'ORDER-42:sub_aB3dE6gH9jK2mN5pQ8sT:7', signature: 'valid', duplicate: true, status: 204 },
    ]);
  });

  test.skipIf(skipped)(
    'acknowledges an older version without acting on it; a newer one it acts on',
    async () => {
      const { url, said } = await start();
      for (const version of [10, 9, 11]) expect((await deliver(url, { version })).status).toBe(204);
      await deliver(url, { version: 1, shipment: 'ORDER-43' });
      await vi.waitFor(() => expect(said).toHaveLength(4));
      expect(said.map(({ older }) => older)).toEqual([false, true, false, false]);
    },
  );

  test.skipIf(skipped).each<[string, Partial<Delivery>, string]>([
    ['a stranger’s signature', { secrets: [stranger] }, 'invalid'],
    ['an altered body', { signedBody: Buffer.from('{}') }, 'invalid'],
    ['a signature that is none', { signature: 'v1' }, 'invalid'],
    ['an unknown version alone', { signature: `v2,${Buffer.alloc(32).toString('base64')}` }, 'invalid'],
    ['a timestamp of six minutes ago', { ageSeconds: 360 }, 'old'],
    ['a timestamp of six minutes ahead', { ageSeconds: -360 }, 'old'],
  ])('refuses %s, and acts on the real one after it', async (_what, delivery, signature) => {
    const { url, said } = await start();
    expect(await deliver(url, delivery)).toMatchObject({ outcome: 'rejected', status: 401 });
    expect(await deliver(url)).toMatchObject({ status: 204 });
    await vi.waitFor(() => expect(said).toHaveLength(2));
    expect(said).toMatchObject([
      { signature, status: 401 },
      { signature: 'valid', duplicate: false, status: 204 },
    ]);
  });

  test.skipIf(skipped)('goes on through a rotation, whichever side changes first', async () => {
    const during = { secrets: [next, secret] };
    const old = await start([secret]);
    expect((await deliver(old.url, { version: 1 })).status).toBe(204);
    expect((await deliver(old.url, { ...during, version: 2 })).status).toBe(204);
    expect((await deliver(old.url, { secrets: [next], version: 3 })).status).toBe(401);
    await old.stop();
    const both = await start([next, secret]);
    expect((await deliver(both.url, { version: 1 })).status).toBe(204);
    expect((await deliver(both.url, { secrets: [next], version: 2 })).status).toBe(204);
    await both.stop();
    const after = await start([next]);
    expect((await deliver(after.url, { ...during, version: 1 })).status).toBe(204);
    expect((await deliver(after.url, { secrets: [next], version: 2 })).status).toBe(204);
    expect((await deliver(after.url, { secrets: [secret], version: 3 })).status).toBe(401);
  });

  test.skipIf(skipped)('takes empty and binary bodies, up to 1 MiB and no more', async () => {
    const { url } = await start();
    const binary = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
    expect((await deliver(url, { body: new Uint8Array(), version: 1 })).status).toBe(204);
    expect((await deliver(url, { body: binary, version: 2 })).status).toBe(204);
    expect((await deliver(url, { body: Buffer.alloc(1_048_576, 'x'), version: 3 })).status).toBe(204);
    expect((await deliver(url, { body: Buffer.alloc(1_048_577, 'x'), version: 4 })).status).toBe(413);
    expect((await deliver(url, { version: 5 })).status).toBe(204);
  });

  test.skipIf(skipped)('holds many senders at once, and counts each key once', async () => {
    const { url, said } = await start();
    const all = Array.from({ length: 60 }, (_, i) => deliver(url, { shipment: `S-${i % 20}`, version: 1 }));
    // 503 to one that comes while another with its key is just being handled.
    for (const { status } of await Promise.all(all)) expect([204, 503]).toContain(status);
    await vi.waitFor(() => expect(said).toHaveLength(60));
    expect(said.filter(({ duplicate, status }) => !duplicate && status === 204)).toHaveLength(20);
  });

  test.skipIf(skipped).each<[string, readonly string[]]>([
    ['no secret', []],
    ['a bare whsec_', ['whsec_']],
    ['a stray word', [`${stranger} # current`]],
    ['a secret without whsec_', [secret, stranger.slice('whsec_'.length)]],
    ['23 bytes', [`whsec_${Buffer.alloc(23, 'k').toString('base64')}`]],
    ['65 bytes', [`whsec_${Buffer.alloc(65, 'k').toString('base64')}`]],
    ['no padding', [stranger.replace(/=+$/, '')]],
    [
      'bits that nothing encodes',
      [`whsec_${Buffer.alloc(25, 'k').toString('base64').replace(/w==$/, 'x==')}`],
    ],
    ['the other base64', [`whsec_${'_-'.repeat(22)}`]],
    ['something within base64', [stranger.replace(/^whsec_..../, '$&!')]],
  ])('refuses to start with %s, and does not show it', async (_what, secrets) => {
    const told = await start(secrets).then(
      () => 'it listens',
      (error: Error) => error.message,
    );
    expect(told).toMatch(
      /ended with [1-9]\d* before .*(no secret|is not whsec_ and the base64 of 24 to 64 bytes)/,
    );
    expect(told).not.toMatch(/Traceback|^ {4}at /m);
    const words = secrets.flatMap((text) => text.split(' ')).filter((word) => word.length > 10);
    for (const word of words) expect(told).not.toContain(word.replace('whsec_', ''));
  });

  test.skipIf(skipped)('takes secrets of 24 and 64 bytes', async () => {
    const both = [24, 64].map((bytes) => `whsec_${Buffer.alloc(bytes, 'k').toString('base64')}`);
    const { url } = await start(both);
    for (const [version, own] of both.entries())
      expect((await deliver(url, { version, secrets: [own] })).status).toBe(204);
  });

  test.skipIf(skipped)('listens where --host says', async () => {
    const { url } = await start([secret], '--host', '127.0.0.2');
    expect(url).toMatch(/^https:\/\/127\.0\.0\.2:\d+\/$/);
    expect(await deliver(url)).toMatchObject({ status: 204 });
  });
});
