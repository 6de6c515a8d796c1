import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { findGo, findPython, findPythonLibrary } from '../../scripts/test-tools.js';
import { parseAllowList } from '../../src/wire/allow-list.js';
import { deliveryHeaders } from '../../src/wire/headers.js';
import { makeWire, type Wire } from '../../src/wire/send.js';
import { newSecret, parseSecret, sign } from '../../src/wire/sign.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { issue, makeAuthority } from '../support/tls.js';
import { isAbsent } from '../support/tools.js';
import { askPython, buildGoLibrary, type GoLibrary, type SignedRequest } from './judges.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 300_000 });

const [old, next] = [newSecret(), newSecret()];
const KEY = 'ORDER-42:sub_aB3dE6gH9jK2mN5pQ8sT:7';
const BODIES = ['{"b": 1,  "a":"é\\u00e9🙂", "c":[1, 2] }\n', '', '\ufefftext\r\n', 'x'.repeat(300_000)];
/** What the sender signs with, and which of the two secrets a receiver may then hold. */
const STAGES = [
  { stage: 'before', secrets: [old], accepted: [old] },
  { stage: 'during', secrets: [next, old], accepted: [old, next] },
  { stage: 'after', secrets: [next], accepted: [next] },
];

/** As they came over TLS, with what a receiver of either secret should make of them. */
const delivered: { stage: string; request: SignedRequest; accepted: boolean }[] = [];
let receiver: Receiver;
let wire: Wire;

beforeAll(async () => {
  const authority = await makeAuthority();
  receiver = await startReceiver({ tls: await issue(authority, { hosts: ['127.0.0.1'] }) });
  wire = makeWire({ allow: parseAllowList('127.0.0.0/8'), extraCa: authority.cert });
  for (const { stage, secrets, accepted } of STAGES) {
    for (const text of BODIES) {
      await deliver(Buffer.from(text), secrets, 0);
      await deliver(Buffer.from(text), secrets, -360);
      for (const [i, { headers, body }] of receiver.requests.splice(0).entries()) {
        for (const secret of [old, next]) {
          const signed = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
          delivered.push({
            stage,
            request: {
              secrets: [secret],
              headers: Object.fromEntries(signed.map((name) => [name, String(headers[name])])),
              body: { base64: body.toString('base64') },
            },
            accepted: i === 0 && accepted.includes(secret),
          });
        }
      }
    }
  }
});
afterAll(async () => {
  wire.close();
  await receiver.close();
});

async function deliver(body: Buffer, secrets: readonly string[], offSeconds: number): Promise<void> {
  const shown = { key: KEY, attempt: 1, eventType: 'shipment.delivered', shipment: 'ORDER-42', version: 7 };
  const verdict = await wire.send({
    url: `https://127.0.0.1:${receiver.port}/`,
    body,
    timeoutMs: 20_000,
    headers: deliveryHeaders({ ...shown, bodyBytes: body.byteLength }),
    sign: () => {
      const timestampSeconds = Math.floor(Date.now() / 1000) + offSeconds;
      const given = { id: KEY, timestampSeconds, body, secrets: secrets.map(parseSecret) };
      return { 'webhook-timestamp': String(timestampSeconds), 'webhook-signature': sign(given) };
    },
  });
  expect(verdict.outcome).toBe('delivered');
}

function expectTruth(answers: readonly unknown[]): void {
  expect(answers).toHaveLength(STAGES.length * BODIES.length * 4);
  const told = (verdict: (i: number) => unknown) =>
    delivered.map(({ stage }, i) => `${stage} ${i}: ${String(verdict(i))}`);
  expect(told((i) => answers[i])).toEqual(told((i) => delivered[i]?.accepted));
}

test("npm's library accepts live deliveries before, during and after a rotation, and no old ones", () => {
  expectTruth(
    delivered.map(({ request }) => {
      try {
        const body = Buffer.from(request.body.base64, 'base64');
        new Webhook(request.secrets[0] ?? '').verify(body, { ...request.headers }, { jsonParse: false });
        return true;
      } catch {
        return false;
      }
    }),
  );
});

const library = findPythonLibrary();
test.skipIf(isAbsent(library, 'the Python package standardwebhooks'))(
  "PyPI's library does the same (needs scripts/test-tools.ts)",
  async () => {
    const answers = await askPython(findPython() ?? '', library, requests());
    expectTruth(answers.map((answer) => answer.library));
  },
);

const go = findGo();
describe.skipIf(isAbsent(go, 'Go'))('Go (needs Go 1.21 or later)', () => {
  let judge: GoLibrary;
  beforeAll(async () => {
    judge = await buildGoLibrary(go ?? '');
  });
  afterAll(() => judge.dispose());

  test("Go's library does the same", async () => {
    expectTruth(await judge.ask(requests()));
  });
});

const requests = (): SignedRequest[] => delivered.map(({ request }) => request);
