import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { findGo, findPython } from '../../scripts/test-tools.js';
import { obligationKey } from '../../src/contract.js';
import { parseAllowList } from '../../src/wire/allow-list.js';
import { deliveryHeaders } from '../../src/wire/headers.js';
import { makeWire, type Verdict, type Wire } from '../../src/wire/send.js';
import { newSecret, parseSecret, sign } from '../../src/wire/sign.js';
import { issue, makeAuthority, type ServerIdentity } from '../support/tls.js';
import { isAbsent } from '../support/tools.js';
import { prepareExample, startExample, type Example, type RunningExample } from './example.js';

/** Go compiles, and all start processes, beside other files' tests. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 300_000 });

const EXAMPLES: readonly [Example, string | undefined][] = [
  ['TypeScript', process.execPath],
  ['Python', findPython()],
  ['Go', findGo()],
];
const BODY = Buffer.from('{"b": 1,  "a":"é🙂", "c":[1, 2] }\n');
const [secret, next, stranger] = [newSecret(), newSecret(), newSecret()];

interface Delivery {
  readonly shipment?: string;
  readonly version?: number;
  readonly attempt?: number;
  readonly secrets?: readonly string[];
  readonly body?: Uint8Array;
  readonly signedBody?: Uint8Array;
  readonly ageSeconds?: number;
  readonly signature?: string;
}

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
    identity = await issue(authority, { hosts: ['127.0.0.1'] });
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

  const start = async (secrets: readonly string[] = [secret]): Promise<RunningExample> =>
    (receiver = await startExample(command, identity, secrets, join(folder, 'files')));

  function deliver(url: string, delivery: Delivery = {}): Promise<Verdict> {
    const { shipment = 'ORDER-42', version = 7, attempt = 1, secrets = [secret], body = BODY } = delivery;
    const key = obligationKey(shipment, 'sub_aB3dE6gH9jK2mN5pQ8sT', version);
    const [eventType, contentType] = ['shipment.delivered', 'application/json'];
    const timestampSeconds = Math.floor(Date.now() / 1000) - (delivery.ageSeconds ?? 0);
    const signed = { id: key, timestampSeconds, body: delivery.signedBody ?? body };
    return wire.send({
      url,
      body,
      timeoutMs: 20_000,
      headers: deliveryHeaders({
        ...{ key, attempt, eventType, shipment, version, contentType },
        bodyBytes: body.byteLength,
      }),
      sign: () => ({
        'webhook-timestamp': String(timestampSeconds),
        'webhook-signature': delivery.signature ?? sign({ ...signed, secrets: secrets.map(parseSecret) }),
      }),
    });
  }

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

  test.skipIf(skipped).each<[string, Delivery, string]>([
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
    expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([204]));
    await vi.waitFor(() => expect(said).toHaveLength(60));
    expect(said.filter(({ duplicate }) => !duplicate)).toHaveLength(20);
  });
});
