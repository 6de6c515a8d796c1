import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { beforeAll, expect, test } from 'vitest';
import { ERRORS } from '../../src/contract.js';
import { makeProgram } from '../../src/cli/program.js';
import { ended, errorOf, start, waybill } from './run.js';

let program: Command;

beforeAll(async () => {
  program = await makeProgram('all');
});

/** Commands that only hold others. */
const GROUPS = ['subscriber', 'subscriber secret', 'cohort', 'account', 'dead'];

const LOADED = fileURLToPath(new URL('loaded.mjs', import.meta.url));

function pathsOf(command: Command, path: readonly string[] = []): (readonly string[])[] {
  return [path, ...command.commands.flatMap((child) => pathsOf(child, [...path, child.name()]))];
}

function helpOf(path: readonly string[]): string {
  let command: Command | undefined = program;
  for (const name of path) command = command?.commands.find((child) => child.name() === name);
  let text = '';
  command?.configureOutput({ writeOut: (chunk) => (text += chunk) }).outputHelp();
  return text;
}

test('every command of the tree has an example, and every leaf has --json', () => {
  const paths = pathsOf(program);
  expect(paths.length).toBeGreaterThan(18);
  for (const path of paths) expect(helpOf(path), path.join(' ')).toMatch(/\nExample:\n {2}\$ waybill/);
  for (const path of paths.filter((p) => p.length > 0 && !GROUPS.includes(p.join(' ')))) {
    expect(helpOf(path), path.join(' ')).toContain('--json');
  }
});

test('docs/cli.md has every command with an example, and every exit code of the contract', () => {
  const page = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8');
  const leaves = pathsOf(program).filter((path) => path.length > 0 && !GROUPS.includes(path.join(' ')));
  for (const path of leaves)
    expect(page).toContain(`\n## waybill ${path.join(' ')}\n\n\`\`\`\nwaybill ${path.join(' ')}`);
  for (const [code, { exit }] of Object.entries(ERRORS)) {
    expect(page, code).toMatch(new RegExp(`^\\| ${exit} +\\|.*\`${code}\``, 'm'));
  }
});

test('help and a usage error load neither Temporal nor Postgres', async () => {
  for (const args of [['--help'], ['trace', '--help'], ['worker', '--help'], ['subscriber', 'add']]) {
    const { stdout, stderr } = await ended(start(args, {}, ['--import', LOADED]));
    expect(stdout + stderr).toContain('loaded: ');
    expect(stderr).not.toMatch(/@temporalio|\/pg\//);
  }
});

test.each([
  [['frob']],
  [['trace', '--frob']],
  [['trace']],
  [['trace', 'a:b:1', '--shipment', 'a']],
  [['trace', '--shipment', 'a', '--follow']],
  [['trace', '--shipment', 'a', '--version', 'x']],
  [['trace', '--shipment', 'a', '--limit', '1', '--limit', '2']],
  [['dead', 'list', 'more']],
  [['pause', 'a:b:1']],
  [['worker', '--roles', 'relay,frob']],
  [['worker', '--roles', 'relay,relay']],
  [['publish', 's', '1', '--type', 't']],
  [['publish', 's', '1', '--type', 't', '--file', 'x', '-']],
  [['publish', 's', '1', '--type', 't', 'x.json']],
  [['publish', 's', '1', '--type', 't', '-', '--label', 'm=1', '--label', 'm=2']],
  [['subscriber', 'update', 'a', '--label', 'a=b', '--clear-labels']],
  [['subscriber', 'update', 'a']],
  [['subscriber', 'update', 'a', '--order-wait', 'soon']],
  [['subscriber', 'pause', 'a', '--reason', 'r', '--ramp', '5']],
  [['subscriber', 'resume', 'a', '--reason', 'r', '--until', '2999-01-01T00:00:00Z']],
  [['resume', 'a:b:1', '--reason', 'r', '--ramp', '5']],
  [['cohort', 'update', 'a']],
  [['cohort', 'on', 'a', '--reason', 'r', '--until', '2999-01-01T00:00:00Z']],
  [['cohort', 'off', 'a']],
  [['account', 'off', '--reason', 'r']],
  [['subscriber', 'add', 'a', 'https://a.example', '--secret', 'whsec_x']],
])('%j is a usage error: exit 2, nothing on stdout, one JSON line on stderr', async (args) => {
  const ran = await waybill([...args, '--json'], {});
  expect(ran).toMatchObject({ code: 2, stdout: '' });
  expect(errorOf(ran).code).toBe('usage');
});
