import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { environment, errorOf, row, rows, waybill, type Env, type Ran } from './run.js';

/** Each test runs several processes of about a second, beside other files' tests. */
vi.setConfig({ testTimeout: 90_000 });

let database: TestDatabase;
let folder: string;
let env: Env;

beforeAll(async () => {
  database = await freshDatabase();
  folder = mkdtempSync(join(tmpdir(), 'waybill-cli-'));
  env = environment(database);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await database.drop();
});

const run = (...args: string[]): Promise<Ran> => waybill(['subscriber', ...args], env);
const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const file = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

interface Shown {
  readonly id: string;
  readonly name: string;
  readonly labels: object;
  readonly policy: { readonly maxTries: number; readonly factor: number };
  readonly maxConcurrency: number;
  readonly paused: { readonly by: string; readonly at: string } | null;
}

test('add shows the secret once; list, show and update never do, nor the path of the URL', async () => {
  const url = 'https://hooks.acme.example/in/path-token';
  const added = await run('add', 'acme', url, '--label', 'merchant=m7', '--policy', 'maxTries=3', '--json');
  expect(added).toMatchObject({ code: 0, stderr: '' });
  const { secret, subscriber } = row<{ secret: string; subscriber: Shown }>(added);
  expect(secret).toMatch(/^whsec_/);
  expect(subscriber).toMatchObject({
    name: 'acme',
    labels: { merchant: 'm7' },
    policy: { maxTries: 3, factor: 2 },
  });

  const later = [
    await run('list'),
    await run('list', '--json'),
    await run('show', 'acme'),
    await run('show', subscriber.id, '--json'),
    await run(
      'update',
      'acme',
      '--max-concurrency',
      '4',
      '--clear-labels',
      '--policy',
      'factor=1.5',
      '--json',
    ),
    await waybill(['trace', '--subscriber', 'acme', '--json'], env),
  ];
  expect(later.map((ran) => ran.code)).toEqual([0, 0, 0, 0, 0, 0]);
  const all = later.map((ran) => ran.stdout + ran.stderr).join('');
  expect(all).not.toContain('whsec_');
  expect(all).not.toContain('path-token');
  expect(row<Shown>(later[4] as Ran)).toMatchObject({
    labels: {},
    maxConcurrency: 4,
    policy: { maxTries: 3, factor: 1.5 },
  });
});

test('a secret comes from a file, is not shown, and never stands in the arguments', async () => {
  const added = await run(
    'add',
    'filed',
    'https://a.example/',
    '--secret-file',
    file('s', `${SECRET}\n`),
    '--json',
  );
  expect(added.code).toBe(0);
  expect(added.stdout).not.toContain('whsec_');
  const bad = await run(
    'add',
    'bad',
    'https://a.example/',
    '--secret-file',
    file('b', 'whsec_short'),
    '--json',
  );
  expect(bad).toMatchObject({ code: 2, stdout: '' });
  expect(errorOf(bad)).toMatchObject({ code: 'invalid_field', field: 'secret' });
});

test('errors name the field and end with the code of their kind', async () => {
  const taken = await run('add', 'acme', 'https://b.example/', '--json');
  expect([taken.code, errorOf(taken).code]).toEqual([3, 'name_taken']);
  const refused = await run('add', 'inner', 'https://10.0.0.1/', '--json');
  expect([refused.code, errorOf(refused).code, errorOf(refused).field]).toEqual([2, 'url_refused', 'url']);
  const policy = await run('update', 'acme', '--policy', 'maxTries=few', '--json');
  expect([policy.code, errorOf(policy).field]).toEqual([2, 'policy.maxTries']);
  const nobody = await run('show', 'nobody', '--json');
  expect([nobody.code, errorOf(nobody).code]).toEqual([4, 'not_found']);
  const foreign = await run('show', 'acme', '--account', 'other', '--json');
  expect(errorOf(foreign).code).toBe('not_found');
});

test('pause, resume and remove are recorded with who and why; a repeated request id changes nothing', async () => {
  const word = ['--reason', 'ticket 1', '--json'];
  const paused = await run('pause', 'acme', '--request-id', 'r1', ...word);
  expect(row(paused)).toMatchObject({ ok: true, changed: true, repeated: false, confirmed: true });
  const again = await run('pause', 'acme', '--request-id', 'r1', ...word);
  expect(row(again)).toMatchObject({ ok: true, repeated: true });
  const reused = await run('pause', 'acme', '--request-id', 'r1', '--reason', 'another', '--json');
  expect([reused.code, errorOf(reused).code]).toEqual([3, 'request_id_reused']);
  const shown = row<Shown>(await run('show', 'acme', '--json'));
  expect(shown.paused).toMatchObject({ by: 'ada' });
  expect(shown.paused?.at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

  expect(row(await run('resume', 'acme', '--actor', 'bob', ...word))).toMatchObject({ changed: true });
  expect(row(await run('remove', 'acme', ...word))).toMatchObject({ changed: true });
  const { rows: audit } = await database.pool.query(
    `SELECT act, actor, reason, source FROM waybill.audit WHERE subscriber_id = $1 AND refused IS NULL
      AND act IN ('subscriber pause', 'subscriber resume', 'subscriber remove') ORDER BY id`,
    [shown.id],
  );
  expect(audit).toEqual([
    { act: 'subscriber pause', actor: 'ada', reason: 'ticket 1', source: 'cli' },
    { act: 'subscriber resume', actor: 'bob', reason: 'ticket 1', source: 'cli' },
    { act: 'subscriber remove', actor: 'ada', reason: 'ticket 1', source: 'cli' },
  ]);
  const gone = await run('update', shown.id, '--max-concurrency', '2', '--json');
  expect([gone.code, errorOf(gone).code]).toEqual([3, 'subscriber_removed']);
});

test('what could steer a terminal is escaped', async () => {
  await run('add', 'bidi\u202Eemac', 'https://a.example/');
  const text = await run('list');
  expect(text.stdout).toContain('bidi\\u202eemac');
  const json = await run('list', '--json');
  expect(json.stdout).not.toContain('\u202E');
  expect(rows<Shown>(json).map((s) => s.name)).toContain('bidi\u202Eemac');
});

test('a list can be paged', async () => {
  const all = rows<Shown>(await run('list', '--json')).map((s) => s.id);
  const [first] = rows<Shown>(await run('list', '--limit', '1', '--json'));
  const rest = rows<Shown>(await run('list', '--after', first?.id ?? '', '--json')).map((s) => s.id);
  expect([first?.id, ...rest]).toEqual(all);
});

describe('import', () => {
  const lines = (count: number, prefix: string, more: object = {}): string[] =>
    Array.from({ length: count }, (_, i) =>
      JSON.stringify({ name: `${prefix}${i}`, url: 'https://a.example/', ...more }),
    );
  const count = async (account: string): Promise<number> =>
    rows(await run('list', '--account', account, '--limit', '10000', '--json')).length;
  const importing = (account: string, path: string, ...more: string[]): Promise<Ran> =>
    run('import', path, '--account', account, '--json', ...more);

  test('adds every line, writes the secrets for the owner alone, and never over a file', async () => {
    const source = file('good.ndjson', lines(600, 'g').join('\n'));
    const out = join(folder, 'secrets.ndjson');
    const ran = await importing('imp', source, '--secrets-out', out);
    expect(ran).toMatchObject({ code: 0, stdout: '{"added":600}\n', stderr: '' });
    expect(await count('imp')).toBe(600);
    expect(statSync(out).mode & 0o777).toBe(0o600);
    const secrets = rows<{ id: string; name: string; secret: string }>({ stdout: readFileSync(out, 'utf8') });
    expect(secrets).toHaveLength(600);
    expect(new Set(secrets.map((s) => s.secret)).size).toBe(600);
    expect(secrets[599]).toMatchObject({ name: 'g599', secret: expect.stringMatching(/^whsec_/) as string });
    expect((await importing('imp2', source, '--secrets-out', out)).code).toBe(2);
  });

  test('takes stdin, and without --secrets-out only lines that bring their secret', async () => {
    const args = ['subscriber', 'import', '-', '--account', 'stdin', '--json'];
    const own = await waybill(args, env, lines(2, 's', { secret: SECRET }).join('\n') + '\n');
    expect(own).toMatchObject({ code: 0, stdout: '{"added":2}\n' });
    const lost = await waybill(args, env, lines(2, 't').join('\n'));
    expect(lost.code).toBe(2);
    expect(errorOf(lost)).toMatchObject({ line: 1, field: 'secret' });
  });

  test.each([
    ['no JSON', '{"name":', undefined, 2],
    ['no object', '["name"]', undefined, 2],
    ['a mistyped field', '{"name":"x","url":"https://a.example/","eventType":["a"]}', 'eventType', 2],
    ['a null filter', '{"name":"x","url":"https://a.example/","eventTypes":null}', 'eventTypes', 2],
    ['a label that is no text', '{"name":"x","url":"https://a.example/","labels":{"a":1}}', 'labels.a', 2],
    ['a name of the page', '{"name":"p3","url":"https://a.example/"}', 'name', 3],
  ])('with %s it names the line and adds nothing of that page', async (what, bad, field, code) => {
    const account = `bad ${what}`;
    const all = [...lines(500, 'first'), ...lines(10, 'p'), bad, ...lines(10, 'q')];
    const source = file('bad.ndjson', all.join('\n'));
    const ran = await importing(account, source, '--secrets-out', join(folder, `out ${what}`));
    expect(ran).toMatchObject({ code, stdout: '' });
    expect(errorOf(ran).line).toBe(511);
    expect(errorOf(ran).message).toMatch(/^line 511: .*; 500 subscribers were added from the pages before$/);
    expect(errorOf(ran).field).toBe(field);
    expect(await count(account)).toBe(500);
  });

  test('a line that is no JSON is not quoted, not even for those who debug', async () => {
    const bad = '{"name":"x","url":"https://a.example/","secret":whsec_S3cret';
    const args = ['subscriber', 'import', file('debug.ndjson', bad), '--account', 'debug'];
    const ran = await waybill(args, { ...env, WAYBILL_DEBUG: '1' });
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toMatch(/line 1: is not JSON.*\n.*at /s);
    expect(ran.stderr).not.toMatch(/whsec|cret|a\.example|Unexpected/);
  });

  test('a name that is taken in the database names its line', async () => {
    await run('add', 'taken', 'https://a.example/', '--account', 'clash');
    const all = [...lines(3, 'c', { secret: SECRET }), ...lines(1, 'c', { secret: SECRET, name: 'taken' })];
    const ran = await importing('clash', file('clash.ndjson', all.join('\n')));
    expect(ran.code).toBe(3);
    expect(errorOf(ran)).toMatchObject({ code: 'name_taken', line: 4 });
    expect(await count('clash')).toBe(1);
  });
});
