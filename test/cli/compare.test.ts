import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Trace } from '../../src/client.js';
import { compare as compareWith } from '../../src/operate/compare/compare.js';
import { JournalByKey } from '../../src/operate/compare/journal.js';
import type { Compared } from '../../src/operate/compare/side-by-side.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { startReceiver, type Received, type Receiver } from '../support/receiver.js';
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

/** Each test runs processes of about a second, beside other files' tests. */
vi.setConfig({ testTimeout: 90_000 });

interface Line {
  readonly key: string;
  readonly attempt: number | null;
  readonly atMs: number;
  readonly bodySha256: string | null;
  readonly status: number | null;
  readonly answeredAtMs?: number;
}
interface Row {
  readonly row: 'attempt' | 'report';
  readonly key: string;
  readonly attempt: number;
  readonly verdict: string;
}
interface Report {
  readonly verdicts: Readonly<Record<string, number>>;
  readonly unexplained: number;
  readonly obligations: number;
  readonly requests: number;
  readonly attempts: number;
  readonly windowMs: { readonly measured: number; readonly p50: number; readonly max: number };
}

let database: TestDatabase;
let receiver: Receiver;
let env: Env;
let worker: ChildProcess | undefined;
let folder: string;
/** What the receiver saw, as docs/journal.md wants it. */
const journal: Line[] = [];
const ids = new Map<string, string>();
const run = (...args: string[]): Promise<Ran> => waybill(args, env);
const keyOf = (shipment: string, name: string): string => `${shipment}:${ids.get(name)}:1`;

function noted(request: Received): Omit<Line, 'status'> {
  return {
    key: String(request.headers['webhook-id']),
    attempt: Number(request.headers['waybill-attempt']),
    atMs: request.atMs,
    bodySha256: createHash('sha256').update(request.body).digest('hex'),
  };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waybill-compare-'));
  database = await freshDatabase();
  receiver = await startReceiver({
    answer: (request, { response, reset }) => {
      if (request.path === '/hanging') return;
      const line = noted(request);
      const status = request.path === '/failing' && line.attempt === 1 ? 503 : 200;
      journal.push({ ...line, status, answeredAtMs: Date.now() });
      // It has acted on the request, and its answer never arrives.
      if (request.path === '/losing' && line.attempt === 1) reset();
      else response.writeHead(status).end();
    },
  });
  const namespace = await freshNamespace();
  // Its drain covers the long deadline below.
  env = { ...environment(database, namespace), WAYBILL_DRAIN_MS: '70000' };
  expect((await run('setup')).code).toBe(0);
  for (const [name, label] of [
    ['fine', 'all'],
    ['failing', 'all'],
    ['losing', 'all'],
    ['hanging', 'hanging'],
  ] as const) {
    const url = `http://localhost:${receiver.port}/${name}`;
    const policy = ['--policy', 'firstRetryMs=300', '--policy', 'timeoutMs=60000'];
    const added = await run('subscriber', 'add', name, url, '--label', `to=${label}`, ...policy, '--json');
    ids.set(name, row<{ subscriber: { id: string } }>(added).subscriber.id);
  }
  worker = start(['worker', '--json'], env);
  void ended(worker);
  await says(worker, '"ready":true');
  const publish = (shipment: string, to: string, ...more: string[]) =>
    waybill(['publish', shipment, '1', '-', '--type', 't', '--label', `to=${to}`, ...more], env, '{"n":1}');
  expect((await publish('told', 'all', '--follow')).code).toBe(0);
  expect((await publish('waits', 'hanging')).code).toBe(0);
  await receiver.until(() => receiver.requests.some((r) => r.path === '/hanging'));
}, 90_000);

afterAll(async () => {
  worker?.kill('SIGKILL');
  await receiver.close();
  await database.drop();
  rmSync(folder, { recursive: true });
});

let serial = 0;
async function compare(lines: readonly (object | string)[], ...args: string[]) {
  const file = join(folder, `${++serial}.ndjson`);
  writeFileSync(file, lines.map((l) => `${typeof l === 'string' ? l : JSON.stringify(l)}\n`).join(''));
  const ran = await run('compare', '--journal', file, '--json', ...args);
  const all = ran.stdout === '' ? [] : rows<Row>(ran);
  return {
    ...ran,
    attempts: all.filter((r) => r.row === 'attempt'),
    report: all.at(-1) as unknown as Report,
    file,
  };
}

/** The same without a process: what lies behind the command. */
async function compareHere(lines: readonly object[], subscriber: string) {
  const found: Compared[] = [];
  const report = await compareWith(
    { db: database.pool, account: 'default', source: 'cli' },
    {
      subscriber,
      readJournal: (to) => Promise.resolve(lines.forEach((line) => to.add(JSON.stringify(line)))),
      onRows: (more) => Promise.resolve(void found.push(...more)),
    },
  );
  return { attempts: found, report };
}

const verdictsOf = (found: readonly { key: string; attempt: number | null; verdict: string }[]): string[][] =>
  found.map((r) => [r.key, String(r.attempt), r.verdict]).sort();

test('what was delivered agrees, retries and lost answers are explained, and the window is measured', async () => {
  const { code, attempts, report } = await compare(journal, '--shipment', 'told');
  expect(code).toBe(0);
  expect(verdictsOf(attempts)).toEqual(
    [
      [keyOf('told', 'failing'), '1', 'agreed'],
      [keyOf('told', 'failing'), '2', 'repeat-explained'],
      [keyOf('told', 'fine'), '1', 'agreed'],
      [keyOf('told', 'losing'), '1', 'answer-lost'],
      [keyOf('told', 'losing'), '2', 'repeat-explained'],
    ].sort(),
  );
  expect(report).toMatchObject({ obligations: 3, requests: 5, attempts: 5, unexplained: 0 });
  const { rows: settled } = await database.admin.query<{ key: string; at: Date }>(
    `SELECT key, settled_at AS at FROM waybill.attempt_outcomes WHERE status IS NOT NULL ORDER BY key, attempt`,
  );
  const windows = settled.map(({ key, at }) => {
    const answered = journal.filter(
      (l) => l.key === key && !(l.key === keyOf('told', 'losing') && l.attempt === 1),
    );
    const last = answered[settled.filter((s) => s.key === key && s.at < at).length];
    return at.getTime() - (last?.answeredAtMs ?? NaN);
  });
  expect(report.windowMs.measured).toBe(4);
  expect(Math.abs(report.windowMs.max - Math.max(...windows))).toBeLessThanOrEqual(1);
  expect(report.windowMs.p50).toBeLessThanOrEqual(report.windowMs.max);
});

test('people get a table and the totals in words', async () => {
  const { file } = await compare(journal, '--shipment', 'told');
  const { code, stdout } = await run('compare', '--journal', file, '--shipment', 'told');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^key\tattempt\tverdict\tseen\tbody\tanswered\trecorded\tstatus\twindow\n/);
  expect(stdout).toContain('answer-lost: 1\n');
  expect(stdout).toContain('3 obligations, 5 attempts on record, 5 requests seen\n');
  expect(stdout).toMatch(/answer to record, of 4: p50 -?\d+ ms, max \d+ ms\neverything is explained\n$/);
});

describe('what nothing accounts for ends it with 1:', () => {
  const fine = (): Line => journal.find((l) => l.key === keyOf('told', 'fine')) as Line;
  const others = (): Line[] => journal.filter((l) => l !== fine());
  test.each<[string, () => readonly object[], readonly string[]]>([
    ['a delivery that the journal has no request for', () => others(), ['not-seen']],
    ['another body', () => [{ ...fine(), bodySha256: 'A'.repeat(64) }, ...others()], ['body-differs']],
    ['another answer', () => [{ ...fine(), status: 500 }, ...others()], ['answer-differs']],
    ['no answer', () => [{ ...fine(), status: null }, ...others()], ['answer-differs']],
    [
      'a request after the delivery',
      () => [...others(), fine(), { ...fine(), attempt: 2 }],
      ['agreed', 'unrecorded'],
    ],
    ['the same attempt twice', () => [...others(), fine(), fine()], ['agreed', 'repeat-unexplained']],
    [
      'a request without an attempt',
      () => [...others(), fine(), { ...fine(), attempt: null }],
      ['unrecorded', 'agreed'],
    ],
  ])('%s', async (_, lines, verdicts) => {
    const { attempts, report } = await compareHere(lines(), 'fine');
    expect(attempts.map((r) => r.verdict).sort()).toEqual([...verdicts].sort());
    expect(attempts.every((r) => r.key === fine().key)).toBe(true);
    expect(report.unexplained).toBe(verdicts.filter((v) => v !== 'agreed').length);
  });

  test('a key of nobody', async () => {
    const strange = { ...fine(), key: `strange:${ids.get('fine')}:1` };
    const { code, report } = await compare(
      [...journal, strange, { ...strange, key: '' }],
      '--until',
      '2000-01-01T00:00:00Z',
    );
    expect(report).toMatchObject({ unexplained: 2, verdicts: { unrecorded: 2, 'not-seen': 0 } });
    expect(code).toBe(1);
  });

  test('a drill is no delivery: its requests are passed over, and what only looks like one is not', async () => {
    const drill = { ...fine(), key: `drill:aZ09_-:${ids.get('fine')}:2` };
    const { key: _key, status: _status, answeredAtMs: _at, ...rest } = drill;
    const twoLines = [
      { ...rest, key: drill.key, begin: 5 },
      { endOf: 5, atMs: fine().atMs, status: 401 },
    ];
    const bare = new JournalByKey();
    for (const line of [drill, ...twoLines]) bare.add(JSON.stringify(line));
    expect([bare.requests, ...bare.left()]).toEqual([0]);
    const passed = await compareHere([drill, ...twoLines, fine()], 'fine');
    expect(passed.report).toMatchObject({ requests: 1, unexplained: 0 });
    const whole = await compare([...journal, drill, ...twoLines]);
    expect(whole.report).toMatchObject({ unexplained: 0, verdicts: { unrecorded: 0 } });
    expect(whole.code).toBe(0);
    const alike = [
      `drill:${ids.get('fine')}:1`,
      'drill:a:b:c',
      'drill:a:b:c:1',
      'drill:a::1',
      'xdrill:a:b:1',
    ];
    const near = await compare([...journal, ...alike.map((key) => ({ ...fine(), key }))]);
    expect(near.report).toMatchObject({ verdicts: { unrecorded: alike.length } });
  });

  test('a further request that its predecessor’s record gives no reason for', async () => {
    const key = keyOf('told', 'failing');
    await database.admin.query(
      `UPDATE waybill.attempt_outcomes SET outcome = 'rejected' WHERE key = $1 AND attempt = 1`,
      [key],
    );
    try {
      const { attempts } = await compareHere(journal, 'failing');
      expect(verdictsOf(attempts)).toEqual([
        [key, '1', 'agreed'],
        [key, '2', 'repeat-unexplained'],
      ]);
    } finally {
      await database.admin.query(
        `UPDATE waybill.attempt_outcomes SET outcome = 'failed' WHERE key = $1 AND attempt = 1`,
        [key],
      );
    }
  });
});

test('a request of two lines whose end is not there yet is under way', async () => {
  const request = receiver.requests.find((r) => r.path === '/hanging') as Received;
  const { atMs, ...rest } = noted(request);
  const begun = { ...rest, begin: 1, headAtMs: atMs, signature: 'good' };
  const { code, attempts } = await compare([begun, ''], '--subscriber', ids.get('hanging') ?? '');
  expect(verdictsOf(attempts)).toEqual([[keyOf('waits', 'hanging'), '1', 'under-way']]);
  expect(code).toBe(0);
});

test('two lines for each request, times in ISO 8601 and fields of one’s own say the same', async () => {
  const lines = journal.flatMap(({ status, answeredAtMs, atMs, ...rest }, i) => [
    { ...rest, begin: i, at: new Date(atMs).toISOString(), mine: {} },
    { endOf: i, end: 99, at: new Date(answeredAtMs ?? 0).toISOString(), status },
  ]);
  const [two, one] = [
    await compare(lines, '--shipment', 'told'),
    await compare(journal, '--shipment', 'told'),
  ];
  expect(two.stdout).toBe(one.stdout);
  expect(two.code).toBe(0);
});

test('outside the time of the journal nothing is looked for', async () => {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  const { code, report } = await compare([], '--since', tomorrow);
  expect(report).toMatchObject({ obligations: 4, attempts: 0, unexplained: 0 });
  expect(code).toBe(0);
});

test('a line that is not of the format is named, and nothing is compared', async () => {
  const ran = await compare([...journal, '', { key: 'k', attempt: 1, atMs: 1, bodySha256: null }]);
  expect(ran).toMatchObject({ code: 2, stdout: '' });
  expect(errorOf(ran)).toMatchObject({ code: 'invalid_field', line: journal.length + 2, field: 'status' });
});

test.each<[string, object | string, string]>([
  ['no JSON', '{"key":', 'journal'],
  ['no object', '[]', 'journal'],
  ['no key', { attempt: 1, atMs: 1, bodySha256: null, status: null }, 'key'],
  ['no attempt', { key: 'k', atMs: 1, bodySha256: null, status: null }, 'attempt'],
  ['no time', { key: 'k', attempt: 1, bodySha256: null, status: null }, 'atMs'],
  [
    'a zoneless time',
    { key: 'k', attempt: 1, at: '2026-01-01T00:00:00', bodySha256: null, status: null },
    'at',
  ],
  ['half a digest', { key: 'k', attempt: 1, atMs: 1, bodySha256: 'abc', status: null }, 'bodySha256'],
  ['an end of nothing', { endOf: 7, status: 200 }, 'endOf'],
])('a line with %s is an error that names the field', (_, line, field) => {
  const add = (): void => new JournalByKey().add(typeof line === 'string' ? line : JSON.stringify(line));
  expect(add).toThrow(expect.objectContaining({ code: 'invalid_field', field }) as Error);
});

test('usage: a journal is needed, must be there, and the subscriber, too', async () => {
  expect(errorOf(await run('compare', '--json')).code).toBe('usage');
  expect(errorOf(await run('compare', '--json', '--journal', join(folder, 'none'))).code).toBe('usage');
  const nobody = await compare(journal, '--subscriber', 'nobody');
  expect([nobody.code, errorOf(nobody).code]).toEqual([4, 'not_found']);
});

test('the trace of what was compared is as it was: comparing changes nothing', async () => {
  const key = keyOf('told', 'losing');
  const before = row<Trace>(await run('trace', key, '--json'));
  await compare(journal);
  expect(row<Trace>(await run('trace', key, '--json'))).toEqual(before);
});
