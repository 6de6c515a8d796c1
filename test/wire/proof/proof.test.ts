import { afterEach, expect, test } from 'vitest';
import { startScript, type ScriptRun } from '../../support/script-run.js';
import type { Report } from './prove.js';

/** A minute on two quiet cores; the suite shares them. */
const RUN_TIMEOUT_MS = 600_000;
/** How late a deadline may be seen to be kept while other tests run; the proof itself wants 250 ms. */
const BUSY = ['--late-ms', '5000'];

let run: ScriptRun | undefined;
afterEach(async () => {
  await run?.dispose();
  run = undefined;
});

async function proof(args: string[], env: Record<string, string> = {}) {
  run = startScript('scripts/proof-wire.ts', [...args, '--json', ...BUSY], env);
  const { status, stdout, stderr } = await run.ended;
  return { status, stderr, report: JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Report };
}

test(
  'a small proof of the wire ends green',
  async () => {
    const kinds =
      'spelling,range,resolver,allow-list,retry-after,redirect,receiver,handshake,certificate,header,proxy,property';
    const { status, stderr, report } = await proof(['--only', kinds, '--runs', '300']);
    expect(status, stderr).toBe(0);
    expect(report.named).toBeGreaterThan(400);
    expect(new Set(report.rows.map(({ kind }) => kind))).toEqual(new Set(kinds.split(',')));
    for (const row of report.rows) expect(row).toMatchObject({ got: row.expected, forbiddenSockets: 0 });
    expect(stderr).toContain('green: ');
  },
  RUN_TIMEOUT_MS,
);

test(
  'it turns red when the guard lets everything through, and counts the sockets',
  async () => {
    const args = ['--only', 'spelling,property', '--runs', '300'];
    const { status, report } = await proof(args, { WAYBILL_WIRE_MUTATION: 'unguarded' });
    expect(status).toBe(1);
    expect(report.verdict).toBe('red');
    const loopback = report.rows.find(({ name }) => name === '"https://127.0.0.1:TRAP/h"');
    expect(loopback?.forbiddenSockets).toBeGreaterThan(0);
    expect(report.rows.some(({ kind, got, expected }) => kind === 'property' && got !== expected)).toBe(true);
  },
  RUN_TIMEOUT_MS,
);

test('wrong usage is told, and help has an example', async () => {
  run = startScript('scripts/proof-wire.ts', ['--only', 'nonsense'], {});
  const wrong = await run.ended;
  expect(wrong.status).toBe(2);
  expect(wrong.stderr).toContain('--only: there is no nonsense');
  await run.dispose();
  run = startScript('scripts/proof-wire.ts', ['--help'], {});
  const help = await run.ended;
  expect(help.status).toBe(0);
  expect(help.stdout).toContain('For example: npm run proof:wire');
});
