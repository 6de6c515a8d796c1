import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { findGo, findPython } from '../../scripts/test-tools.js';
import { WaybillClient, type Certified } from '../../src/client.js';
import { loadConfig } from '../../src/config.js';
import { isDrillKey } from '../../src/policy/drill.js';
import { newSecret } from '../../src/wire/sign.js';
import { prepareExample, startExample, type Example, type RunningExample } from '../kit/example.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { startReceiver, type Received, type Receiver, type Reply } from '../support/receiver.js';
import { issue, makeAuthority, type ServerIdentity } from '../support/tls.js';
import { isAbsent } from '../support/tools.js';
import { environment, errorOf, row, waybill, type Env } from './run.js';

/** Processes of a second each, beside other files' tests; Go compiles first. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 });

const EXAMPLES: readonly [Example, string | undefined][] = [
  ['TypeScript', process.execPath],
  ['Python', findPython()],
  ['Go', findGo()],
];

let database: TestDatabase;
let folder: string;
let env: Env;
let identity: ServerIdentity;
let client: WaybillClient;
let example: RunningExample | undefined;
let receiver: Receiver | undefined;
let serial = 0;

beforeAll(async () => {
  database = await freshDatabase();
  folder = mkdtempSync(join(tmpdir(), 'waybill-certify-'));
  const authority = await makeAuthority();
  identity = await issue(authority, { hosts: ['127.0.0.1'] });
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, authority.cert);
  env = { ...environment(database), WAYBILL_ALLOW: '127.0.0.0/8', WAYBILL_EXTRA_CA_FILE: caFile };
  client = new WaybillClient({ config: loadConfig(env), actor: 'test' });
});
afterEach(async () => {
  await example?.stop();
  await receiver?.close();
  example = receiver = undefined;
});
afterAll(async () => {
  await client.close();
  rmSync(folder, { recursive: true });
  await database.drop();
});

async function subscribe(
  url: string,
  secret: string,
  policy: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const name = `s${++serial}`;
  await client.addSubscriber({ name, url, secret, policy });
  return name;
}

const failed = ({ checks }: Certified): string[] =>
  checks.filter(({ verdict }) => verdict !== 'pass').map(({ name }) => name);

describe.each(EXAMPLES)('the %s receiver (needs its language)', (language, program) => {
  test.skipIf(isAbsent(program, language))('passes every check', async () => {
    const secret = newSecret();
    const command = await prepareExample(language, program ?? '', folder);
    example = await startExample(command, identity, [secret], join(folder, language));
    const certified = await client.certifySubscriber(await subscribe(example.url, secret), {
      reason: 'test',
    });
    expect(failed(certified)).toEqual([]);
    expect(certified).toMatchObject({ ok: true, drill: expect.stringMatching(/^drill:[\w-]+$/) as string });
    expect(certified.checks).toHaveLength(12);
    expect(example.said).toHaveLength(11);
    for (const { key } of example.said) {
      expect(key).toContain(certified.drill);
      expect(isDrillKey(key)).toBe(true);
    }
  });
});

type Answer = (request: Received, genuine: boolean, reply: Reply) => void;

/** A receiver that verifies with npm's library and answers by `answer`. */
async function sloppy(answer: Answer, policy: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const secret = newSecret();
  const webhook = new Webhook(secret);
  receiver = await startReceiver({
    tls: identity,
    answer: (request, reply) => {
      let genuine = true;
      try {
        webhook.verify(request.body, request.headers as Record<string, string>, {
          jsonParse: false,
        });
      } catch {
        genuine = false;
      }
      answer(request, genuine, reply);
    },
  });
  return subscribe(`https://127.0.0.1:${receiver.port}/`, secret, policy);
}

const status = (code: number, reply: Reply): void => void reply.response.writeHead(code).end();
const FORGED = ['wrong secret', 'altered body', 'altered id', 'unsigned'];
const SEEN = new Set<unknown>();

test.each<[string, string[], Answer]>([
  [
    'says 200 to everything',
    [...FORGED, 'old timestamp', 'future timestamp'],
    (_r, _g, reply) => status(200, reply),
  ],
  [
    'answers 409 to a key it has seen',
    ['duplicate', 'valid after a forged one'],
    ({ headers }, genuine, reply) => {
      const seen = SEEN.has(headers['webhook-id']);
      SEEN.add(headers['webhook-id']);
      status(seen ? 409 : genuine ? 200 : 401, reply);
    },
  ],
  [
    'refuses older versions',
    ['older version'],
    ({ headers }, genuine, reply) =>
      status(!genuine ? 401 : headers['waybill-version'] === '1' ? 422 : 200, reply),
  ],
  [
    'answers 500 to a bad signature',
    [...FORGED, 'old timestamp', 'future timestamp'],
    (_request, genuine, reply) => status(genuine ? 200 : 500, reply),
  ],
  [
    'answers 429 to a bad signature',
    [...FORGED, 'old timestamp', 'future timestamp'],
    (_request, genuine, reply) => status(genuine ? 200 : 429, reply),
  ],
])('a receiver that %s fails by name', async (_what, names, answer) => {
  const certified = await client.certifySubscriber(await sloppy(answer), { reason: 'test' });
  expect(certified.ok).toBe(false);
  expect(failed(certified)).toEqual(names);
  for (const { verdict, advice } of certified.checks) expect(advice === undefined).toBe(verdict === 'pass');
});

test('a receiver that works before it answers fails by its time', async () => {
  const name = await sloppy(
    (_request, genuine, reply) =>
      void setTimeout(() => status(genuine ? 200 : 401, reply), genuine ? 1_600 : 0),
    { timeoutMs: 3_000 },
  );
  const certified = await client.certifySubscriber(name, { reason: 'test' });
  expect(failed(certified)).toContain('acknowledges in time');
  expect(certified.checks.at(-1)).toMatchObject({
    expected: 'within 1500 ms',
    verdict: 'fail',
    advice: 'acknowledge first and work afterwards; past the deadline it is sent again',
  });
});

test('an endpoint that does not answer gets one request, and nothing passes', async () => {
  const name = await sloppy(() => undefined, { timeoutMs: 300 });
  const certified = await client.certifySubscriber(name, { reason: 'test' });
  expect(receiver?.requests.length).toBeLessThanOrEqual(1);
  expect(certified.checks.map(({ verdict }) => verdict)).toEqual([
    'fail',
    ...Array<string>(11).fill('not run'),
  ]);
  expect(certified.checks[0]?.got).toMatch(/^timeout: /);
});

test('the command tells, ends with 1 where a check failed, is on record, and touches no obligation', async () => {
  const name = await sloppy((_request, _genuine, reply) => status(200, reply));
  const ran = await waybill(['subscriber', 'certify', name, '--reason', 'new partner', '--json'], env);
  expect(ran).toMatchObject({ code: 1, stderr: '' });
  const told = row<Certified>(ran);
  expect(told).toMatchObject({ ok: false });
  expect(told.checks.find((check) => check.name === 'wrong secret')).toMatchObject({
    got: '200',
    verdict: 'fail',
  });
  for (const { headers } of receiver?.requests ?? []) {
    expect(headers).toMatchObject({ 'waybill-drill': '1', 'waybill-event-type': 'waybill.drill' });
    expect(String(headers['webhook-id']).split(':')).toHaveLength(4);
  }
  const { rows: audit } = await database.pool.query<{ detail: object }>(
    `SELECT actor, reason, source, detail FROM waybill.audit WHERE act = 'subscriber certify' AND subscriber_id = $1
      ORDER BY id`,
    [told.subscriber],
  );
  const word = { actor: 'ada', reason: 'new partner', source: 'cli' };
  expect(audit).toMatchObject([
    { ...word, detail: { stage: 'begun', drill: told.drill } },
    { ...word, detail: { stage: 'ended', ok: false, drill: told.drill } },
  ]);
  const counted = await database.pool.query(
    'SELECT (SELECT count(*)::int FROM waybill.obligations) + (SELECT count(*)::int FROM waybill.events) AS n',
  );
  expect(counted.rows).toEqual([{ n: 0 }]);

  const text = await waybill(['subscriber', 'certify', name], env);
  expect(text.code).toBe(1);
  expect(text.stdout).toMatch(/^wrong secret\t4xx, .*\t200\t\d+\tfail\tverify over the raw bytes/m);
  expect(text.stdout).toMatch(/^failed: 6 of 12 checks/m);
  const nobody = await waybill(['subscriber', 'certify', 'nobody', '--json'], env);
  expect([nobody.code, errorOf(nobody).code]).toEqual([4, 'not_found']);
});
