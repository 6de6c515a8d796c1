import type { ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Trace } from '../../src/client.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import {
  ended,
  environment,
  errorOf,
  freshNamespace,
  row,
  rows,
  says,
  start,
  waybill,
  type Env,
  type Ran,
} from './run.js';

/** Each test runs several processes of about a second, beside other files' tests. */
vi.setConfig({ testTimeout: 90_000 });

let database: TestDatabase;
let receiver: Receiver;
let env: Env;
let worker: ChildProcess | undefined;
let workerEnded: Promise<Ran>;
const answers = new Map<string, number>();
const ids = new Map<string, string>();

const run = (...args: string[]): Promise<Ran> => waybill(args, env);
const keyOf = (shipment: string, name: string): string => `${shipment}:${ids.get(name)}:1`;

beforeAll(async () => {
  database = await freshDatabase();
  receiver = await startReceiver({
    answer: ({ path }, { response }) => response.writeHead(answers.get(path) ?? 200).end(),
  });
  const namespace = await freshNamespace();
  env = { ...environment(database, namespace), WAYBILL_TEMPORAL_UI_URL: 'http://ui.example/' };
  expect((await run('setup')).code).toBe(0);
  for (const [name, ...more] of [
    ['fine'],
    ['failing', '--policy', 'firstRetryMs=3600000'],
    ['refusing'],
  ] as const) {
    const url = `http://localhost:${receiver.port}/${name}`;
    const added = await run('subscriber', 'add', name, url, '--label', `to=${name}`, ...more, '--json');
    ids.set(name, row<{ subscriber: { id: string } }>(added).subscriber.id);
  }
  answers.set('/failing', 503).set('/refusing', 400);
  const started = start(['worker', '--json'], env);
  worker = started;
  workerEnded = ended(started);
  expect(JSON.parse(await says(started, '\n'))).toMatchObject({ ready: true, namespace });
}, 60_000);

afterAll(async () => {
  worker?.kill('SIGKILL');
  await receiver.close();
  await database.drop();
});

async function publish(shipment: string, to: string, ...more: string[]): Promise<Ran> {
  const args = ['publish', shipment, '1', '-', '--type', 't', '--label', `to=${to}`, ...more];
  return waybill(args, env, '{"n":1}');
}

/** The trace of the key once `condition` holds. */
async function traced(key: string, condition: (trace: Trace) => boolean): Promise<Trace> {
  for (;;) {
    const ran = await run('trace', key, '--json');
    if (ran.code === 0 && condition(row<Trace>(ran))) return row<Trace>(ran);
    if (ran.code !== 0 && ran.code !== 4) throw new Error(ran.stderr);
  }
}

test('publish --follow ends when all is delivered, and trace tells the story with a link', async () => {
  const followed = await publish('O.1', 'fine', '--follow', '--json');
  expect(followed).toMatchObject({ code: 0, stderr: '' });
  expect(rows(followed)[1]).toEqual({
    ...{ obligations: 1, started: 1, delivered: 1, open: 0, held: 0 },
    ...{ byDisposition: { delivered: 1 }, leftOut: {}, interrupted: false },
  });

  const key = `O%2E1:${ids.get('fine')}:1`;
  const { stdout } = await run('trace', key);
  expect(stdout).toContain(`${key}: delivered`);
  expect(stdout).toMatch(/attempt\ttry\twhen\tstarted by\toutcome\tclass\tstatus\ttook\tnext\terror\n1\t1\t/);
  expect(stdout).toContain(
    `http://ui.example/namespaces/${env['TEMPORAL_NAMESPACE']}/workflows/${encodeURIComponent(key)}`,
  );
  expect(stdout + JSON.stringify(await run('trace', key, '--json'))).not.toMatch(/whsec_|"n\\*":1/);

  const byShipment = await run(
    'trace',
    '--shipment',
    'O.1',
    '--subscriber',
    'fine',
    '--version',
    '1',
    '--json',
  );
  expect(row(byShipment)).toMatchObject({ events: [{ obligations: 1 }], obligations: [{ key }] });
  expect((await run('trace', '--subscriber', 'fine')).stdout).toContain(key);
});

test('a waiting one says why not yet; it is paused, resumed and terminated, each refusal with its code', async () => {
  await publish('waits', 'failing');
  const key = keyOf('waits', 'failing');
  await traced(key, (t) => t.obligation.disposition === 'waiting');
  expect((await run('trace', key)).stdout).toMatch(
    /why not yet: attempt 1 came to 503; next attempt at .*Z, in \d+ min/,
  );

  const follower = start(['trace', key, '--follow', '--json'], env);
  const all = ended(follower);
  await says(follower, '"row":"attempt"');
  const word = ['--reason', 'ticket 7', '--json'];
  expect(row(await run('pause', key, ...word))).toMatchObject({
    ok: true,
    changed: true,
    disposition: 'held',
  });
  expect((await run('trace', key)).stdout).toContain('why not yet: held (paused) by ada');
  expect(row(await run('resume', key, ...word))).toMatchObject({ ok: true, disposition: 'waiting' });
  expect(errorOf(await run('redrive', key, ...word)).code).toBe('not_dead');
  expect(row(await run('terminate', key, ...word))).toMatchObject({ ok: true, disposition: 'terminated' });
  const late = await run('pause', key, ...word);
  expect([late.code, errorOf(late).code]).toEqual([3, 'already_final']);

  const followed = await all;
  expect(followed.code).toBe(0);
  const told = rows<{ row: string; act?: string; disposition?: string }>(followed);
  expect(told.filter((r) => r.row === 'act').map((r) => r.act)).toEqual(
    expect.arrayContaining(['pause', 'resume', 'redrive', 'terminate']),
  );
  expect(told.filter((r) => r.row === 'obligation').at(-1)?.disposition).toBe('terminated');
});

test('a dead one is listed, and redriven once its receiver is mended', async () => {
  await publish('dies', 'refusing');
  const key = keyOf('dies', 'refusing');
  await traced(key, (t) => t.obligation.disposition === 'dead');
  expect(rows<{ key: string }>(await run('dead', 'list', '--json')).map((o) => o.key)).toEqual([key]);
  expect((await run('dead', 'list', '--after', key, '--json')).stdout).toBe('');
  expect((await run('trace', key)).stdout).toContain('it can be tried again');

  answers.set('/refusing', 200);
  expect((await run('redrive', key, '--reason', 'mended')).stdout).toMatch(
    /^redrive .*: done; it is pending/,
  );
  const { attempts } = await traced(key, (t) => t.obligation.disposition === 'delivered');
  expect(attempts.map((a) => a.outcome)).toEqual(['rejected', 'delivered']);
  expect(attempts[1]?.initiator).toContain('redrive by ada');
});

test('Ctrl-C on a follow ends it with 130 after saying where things stand', async () => {
  const follower = start(
    ['publish', 'stays', '1', '-', '--type', 't', '--label', 'to=failing', '--follow', '--json'],
    env,
  );
  const all = ended(follower);
  follower.stdin?.end('{}');
  await says(follower, '\n');
  await traced(keyOf('stays', 'failing'), (t) => t.obligation.disposition === 'waiting');
  follower.kill('SIGINT');
  const followed = await all;
  expect(followed.code).toBe(130);
  expect(rows(followed)[1]).toMatchObject({ open: 1, interrupted: true });
});

test('a reader that has seen enough ends a command quietly', async () => {
  const child = start(['trace', '--help'], env);
  child.stdout?.destroy();
  const { code, stderr } = await ended(child);
  expect([code, stderr]).toEqual([0, '']);
});

test('SIGTERM drains the worker, whose stdout held one line and whose stderr is JSON', async () => {
  worker?.kill('SIGTERM');
  const { code, stdout, stderr } = await workerEnded;
  expect(code).toBe(0);
  expect(stdout.trim().split('\n')).toHaveLength(1);
  const lines = rows<{ msg: string }>({ stdout: stderr });
  expect(lines.map((line) => line.msg)).toEqual(expect.arrayContaining(['worker.draining', 'worker.ended']));
});
