import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Command } from 'commander';
import { makeProgram } from '../../src/cli/program.js';
import { CHECKOUT, PAGES, fencesOf, read, withoutFences } from './pages.js';

/** What pages tell people to type, as they tell it; a `waybill` and what follows up to a shell's own signs. */
function commandsOf(page: string): string[] {
  const shells = fencesOf(page).filter(({ language }) => language === 'sh' || language === 'bash');
  const typed = [
    ...shells.map(({ text }) => text.replaceAll('\\\n', ' ')),
    ...[...withoutFences(read(page)).matchAll(/`([^`\n]+)`/g)].map((m) => m[1] ?? ''),
  ];
  return typed.flatMap((text) =>
    [...text.matchAll(/(?:^|[\s(])waybill ([a-z][^\n|>&#]*)/gm)].map((m) => (m[1] ?? '').trim()),
  );
}

function faultOf(program: Command, typed: string): string | undefined {
  const words = typed.split(/\s+/);
  let command = program;
  while (command.commands.length > 0) {
    const name = words.shift();
    const next = command.commands.find((child) => child.name() === name);
    if (!next) return `there is no '${name}' in 'waybill ${typed}'`;
    command = next;
  }
  const known = new Set(command.options.flatMap((option) => [option.long, option.short]));
  const strange = words
    .map((word) => word.split('=')[0])
    .find((word) => word?.startsWith('--') && !known.has(word));
  return strange && `there is no ${strange} in 'waybill ${typed}'`;
}

it('every command and option that a page tells of exists', async () => {
  const program = await makeProgram('all');
  const told = PAGES.flatMap((page) => commandsOf(page).map((typed) => ({ page, typed })));
  expect(told.length).toBeGreaterThan(30);
  expect(
    told.map(({ page, typed }) => ({ page, fault: faultOf(program, typed) })).filter((x) => x.fault),
  ).toEqual([]);
});

it('every npm script that a page tells of exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const told = PAGES.flatMap((page) =>
    [...read(page).matchAll(/npm run ([a-z:-]+)/g)].map((m) => ({ page, script: m[1] ?? '' })),
  );
  expect(told.filter(({ script }) => !Object.hasOwn(scripts, script))).toEqual([]);
});

it('every test that a page names to be run alone exists', () => {
  const told = PAGES.flatMap((page) =>
    [...read(page).matchAll(/npx vitest run (test\/[\w./-]+)/g)].map((m) => ({ page, test: m[1] ?? '' })),
  );
  expect(told.length).toBeGreaterThan(30);
  const isThere = (test: string): boolean =>
    [test, `${test}.test.ts`].some((file) => existsSync(join(CHECKOUT, file)));
  expect(told.filter(({ test }) => !isThere(test))).toEqual([]);
});

it('every promise names a command that proves it', () => {
  const promises = read('docs/guarantees.md').split('## What the long proofs do')[0]?.split(/\n- /).slice(1);
  expect(promises?.length).toBeGreaterThan(20);
  expect(promises?.filter((promise) => !/`(npx vitest|npm) run /.test(promise))).toEqual([]);
});
