import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { matchEvent } from '../../src/ledger/events.js';
import { freshDatabase, type TestDatabase } from '../support/database.js';
import { environment, errorOf, row, rows, waybill, type Env, type Ran } from './run.js';

/** Each test runs several processes of about a second, beside other files' tests. */
vi.setConfig({ testTimeout: 90_000 });

let database: TestDatabase;
let folder: string;
let env: Env;

beforeAll(async () => {
  database = await freshDatabase();
  folder = mkdtempSync(join(tmpdir(), 'waybill-cohort-'));
  env = environment(database);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await database.drop();
});

const run = (...args: string[]): Promise<Ran> => waybill(args, env);
const URL = 'https://a.example/';
const WORD = ['--reason', 'ticket 1', '--json'];
const UNTIL = '2999-01-01T00:00:00Z';

interface Shown {
  readonly name: string;
  readonly cohort: string | null;
  readonly ratePerSecond: number | null;
  readonly paused: { readonly scope: string; readonly by: string; readonly until: string | null } | null;
}
const show = async (name: string): Promise<Shown> =>
  row<Shown>(await run('subscriber', 'show', name, '--json'));

test('add and update take rate, order, mode and cohort; show and list tell them', async () => {
  expect((await run('cohort', 'add', 'paced')).code).toBe(0);
  const settings = ['--rate', '0.5', '--order', 'serialize', '--order-wait', '10m', '--mode', 'shadow'];
  const added = await run('subscriber', 'add', 'all', URL, ...settings, '--cohort', 'paced', '--json');
  expect(added.stderr).toBe('');
  expect(row<{ subscriber: Shown }>(added).subscriber).toMatchObject({
    ...{ ratePerSecond: 0.5, order: 'serialize', orderWaitMs: 600_000, mode: 'shadow', cohort: 'paced' },
    ...{ breaker: null, failingSince: null, ramp: null, paused: null },
  });
  const text = (await run('subscriber', 'show', 'all')).stdout;
  for (const line of [
    'rate: 0.5 a second',
    'order: serialize, a version waits at most 600000 ms',
    'mode: shadow',
    'cohort: paced',
    'paused: no',
    'breaker: closed',
    'failing since: -',
    'ramp: no',
    'policy.pauseAfterMs: 1209600000',
  ]) {
    expect(text).toContain(`\n${line}\n`);
  }
  expect((await run('subscriber', 'list')).stdout).toMatch(/\tall\t.*\t0.5\tserialize\tshadow\tpaced\t-\n/);
  const changes = ['--rate', 'none', '--cohort', 'none', '--mode', 'live'];
  expect(row(await run('subscriber', 'update', 'all', ...changes, '--json'))).toMatchObject({
    ...{ ratePerSecond: null, cohort: null, mode: 'live', order: 'serialize' },
  });
});

test.each([
  [['--rate', '0'], 'invalid_field', 'ratePerSecond', 2],
  [['--rate', 'fast'], 'invalid_field', 'ratePerSecond', 2],
  [['--order', 'newest'], 'invalid_field', 'order', 2],
  [['--order-wait', '31d'], 'invalid_field', 'orderWaitMs', 2],
  [['--mode', 'dark'], 'invalid_field', 'mode', 2],
  [['--cohort', ''], 'invalid_field', 'cohort', 2],
  [['--cohort', 'nobody'], 'not_found', 'cohort', 4],
  [['--policy', 'pauseAfterMs=5'], 'invalid_field', 'policy.pauseAfterMs', 2],
] as const)('subscriber add with %j is refused as %s of %s', async (given, code, field, exit) => {
  const ran = await run('subscriber', 'add', 'refused', URL, ...given, '--json');
  expect(ran).toMatchObject({ code: exit, stdout: '' });
  expect(errorOf(ran)).toMatchObject({ code, field });
});

test('an import takes the same fields, and names the line of an unknown cohort', async () => {
  await run('cohort', 'add', 'known');
  const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
  const line = (name: string, more: object): string => JSON.stringify({ name, url: URL, secret, ...more });
  const importing = (lines: readonly string[]): Promise<Ran> => {
    writeFileSync(join(folder, 'in'), lines.join('\n'));
    return run('subscriber', 'import', join(folder, 'in'), '--json');
  };
  const good = [
    line('i1', { ratePerSecond: 5, order: 'skip-stale', mode: 'shadow', cohort: 'known' }),
    line('i2', { ratePerSecond: null, cohort: null, orderWaitMs: 5_000 }),
  ];
  expect(await importing(good)).toMatchObject({ code: 0, stdout: '{"added":2}\n' });
  expect(await show('i1')).toMatchObject({
    ratePerSecond: 5,
    order: 'skip-stale',
    mode: 'shadow',
    cohort: 'known',
  });

  const unknown = await importing([line('i3', { cohort: 'known' }), line('i4', { cohort: 'strange' })]);
  expect(unknown.code).toBe(4);
  expect(errorOf(unknown)).toMatchObject({ code: 'not_found', field: 'cohort', line: 2 });
  const bad = await importing([line('i3', { ratePerSecond: '5' })]);
  expect(errorOf(bad)).toMatchObject({ code: 'invalid_field', field: 'ratePerSecond', line: 1 });
  expect((await run('subscriber', 'show', 'i3', '--json')).code).toBe(4);
});

test('a cohort is added, shown, capped, switched and paused; each refusal has its code and field', async () => {
  const added = await run('cohort', 'add', 'canary', '--max-subscribers', '2', '--json');
  expect(row(added)).toMatchObject({ name: 'canary', on: true, maxSubscribers: 2, subscribers: 0 });
  const again = await run('cohort', 'add', 'canary', '--json');
  expect([again.code, errorOf(again)]).toMatchObject([3, { code: 'name_taken', field: 'name' }]);
  await run('subscriber', 'add', 'one', URL, '--cohort', 'canary');
  const capped = await run('cohort', 'update', 'canary', '--max-subscribers', 'none', '--json');
  expect(row(capped)).toMatchObject({ maxSubscribers: null, subscribers: 1, takingPart: 1 });
  const many = await run('cohort', 'update', 'canary', '--max-subscribers', 'many', '--json');
  expect([many.code, errorOf(many)]).toMatchObject([2, { code: 'invalid_field', field: 'maxSubscribers' }]);
  const nobody = await run('cohort', 'off', 'nobody', ...WORD);
  expect([nobody.code, errorOf(nobody)]).toMatchObject([4, { code: 'not_found', field: 'cohort' }]);
  const foreign = await run('cohort', 'show', 'canary', '--account', 'other', '--json');
  expect([foreign.code, errorOf(foreign).code]).toEqual([4, 'not_found']);

  expect(row(await run('cohort', 'off', 'canary', ...WORD))).toMatchObject({
    changed: true,
    confirmed: true,
  });
  expect((await run('cohort', 'show', 'canary')).stdout).toMatch(
    /^name: canary\naccount: default\non: no\npaused: no\nmax subscribers: all\nsubscribers: 1, of which 0 take part\n/,
  );
  expect((await run('cohort', 'on', 'canary', '--reason', 'r')).stdout).toBe(
    'on canary: done; no request is under way\n',
  );
  const paused = await run('cohort', 'pause', 'canary', '--until', UNTIL, '--request-id', 'r1', ...WORD);
  expect(row(paused)).toMatchObject({ ok: true, changed: true, repeated: false, confirmed: true });
  const repeated = await run('cohort', 'pause', 'canary', '--until', UNTIL, '--request-id', 'r1', ...WORD);
  expect(row(repeated)).toMatchObject({ ok: true, repeated: true });
  const reused = await run('cohort', 'resume', 'canary', '--request-id', 'r1', ...WORD);
  expect([reused.code, errorOf(reused).code]).toEqual([3, 'request_id_reused']);
  expect((await show('one')).paused).toMatchObject({
    scope: 'cohort',
    by: 'ada',
    until: '2999-01-01T00:00:00.000Z',
  });
  expect((await run('subscriber', 'show', 'one')).stdout).toMatch(
    /\npaused: its cohort is, by ada at \S+ until 2999-01-01T00:00:00.000Z: ticket 1\n/,
  );
  const listed = rows<Shown>(await run('cohort', 'list', '--json')).find((c) => c.name === 'canary');
  expect(listed).toMatchObject({ on: true, subscribers: 1, paused: { by: 'ada' } });
  expect((await run('cohort', 'list', '--limit', '1')).stderr).toMatch(/^there may be more: --after \w+\n$/);
  expect((await run('cohort', 'list')).stdout).toContain('\ncanary\tyes\tall\t1\t1\tby ada\n');
  expect(row(await run('cohort', 'resume', 'canary', '--ramp', '20', ...WORD))).toMatchObject({
    changed: true,
  });
});

test('an account is paused and resumed as a whole', async () => {
  const mine = ['--account', 'tenant'];
  await run('subscriber', 'add', 'one', URL, ...mine);
  expect(row(await run('account', 'show', ...mine, '--json'))).toEqual({
    ...{ account: 'tenant', paused: null, subscribers: 1, openObligations: 0 },
  });
  const said = await run('account', 'pause', ...mine, '--reason', 'wrong payloads', '--until', UNTIL);
  expect(said.stdout).toBe(
    'pause tenant: done; it ends by itself at 2999-01-01T00:00:00.000Z; no request is under way\n',
  );
  expect((await run('account', 'show', ...mine)).stdout).toMatch(
    /\npaused: by ada at \S+ until \S+: wrong payloads\n/,
  );
  expect((await run('account', 'show')).stdout).toContain('\npaused: no\n');
  expect((await run('subscriber', 'list', ...mine)).stdout).toContain('\taccount by ada\n');
  const resumed = await run('account', 'resume', ...mine, '--ramp', '5', '--reason', 'mended');
  expect(resumed.stdout).toBe('resume tenant: done; 0 obligations let go; no request is under way\n');
});

test.each([
  ['account', 'pause', [], '--until', '2999-01-01T00:00:00', 'until'],
  ['account', 'pause', [], '--until', '2000-01-01T00:00:00Z', 'until'],
  ['account', 'resume', [], '--ramp', '0.01', 'rampPerSecond'],
  ['cohort', 'pause', ['a'], '--until', 'soon', 'until'],
  ['cohort', 'resume', ['a'], '--ramp', 'slow', 'rampPerSecond'],
  ['subscriber', 'pause', ['a'], '--until', '2000-01-01T00:00:00Z', 'until'],
  ['subscriber', 'resume', ['a'], '--ramp', '10001', 'rampPerSecond'],
] as const)('%s %s %j %s %s is refused by its field', async (group, verb, names, option, value, field) => {
  const ran = await run(group, verb, ...names, option, value, ...WORD);
  expect(ran).toMatchObject({ code: 2, stdout: '' });
  expect(errorOf(ran)).toMatchObject({ code: 'invalid_field', field });
});

test('one delivery is paused until a time, and the trace of an event says who was left out', async () => {
  const mine = ['--account', 'dark'];
  await run('cohort', 'add', 'dark', ...mine);
  await run('cohort', 'off', 'dark', ...mine, '--reason', 'r');
  for (const [name, cohort] of [
    ['lit', 'none'],
    ['unlit', 'dark'],
  ] as const) {
    await run('subscriber', 'add', name, URL, ...mine, '--cohort', cohort);
  }
  const args = ['publish', 'left-out', '7', '-', '--type', 't', ...mine, '--json'];
  const published = row<{ eventId: number }>(await waybill(args, env, '{}'));
  await matchEvent(database.pool, published.eventId, null);

  const ofEvent = ['trace', '--shipment', 'left-out', '--version', '7', ...mine];
  const traced = row<{ obligations: { key: string }[]; leftOut: object[] }>(await run(...ofEvent, '--json'));
  expect(traced).toMatchObject({
    events: [{ obligations: 1, leftOut: 1 }],
    leftOut: [{ subscriberName: 'unlit', cohort: 'dark', reason: 'cohort-off' }],
  });
  const text = (await run(...ofEvent)).stdout;
  expect(text).toContain('1, and 1 left out');
  expect(text).toMatch(/\nsub_\w+\tunlit\tdark\tits cohort was switched off\n/);
  const of = async (name: string) =>
    row<{ leftOut: object[] }>(await run(...ofEvent, '--subscriber', name, '--json')).leftOut;
  expect([await of('lit'), await of('unlit')]).toEqual([[], traced.leftOut]);

  const key = traced.obligations[0]?.key ?? '';
  const past = await run('pause', key, ...mine, '--until', '2000-01-01T00:00:00Z', ...WORD);
  expect([past.code, errorOf(past).field]).toEqual([2, 'until']);
  const paused = await run('pause', key, ...mine, '--until', UNTIL, '--reason', 'ticket 1');
  expect(paused.stdout).toContain('it is held; the pause ends by itself at 2999-01-01T00:00:00.000Z');
  expect((await run('trace', key, ...mine)).stdout).toMatch(
    /why not yet: held \(paused\) by ada since \S+: ticket 1; until 2999-01-01T00:00:00.000Z, in \d+ d, or somebody/,
  );
  expect(row(await run('trace', key, ...mine, '--json'))).toMatchObject({ wait: null });
});
