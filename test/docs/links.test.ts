import { existsSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';
import { CHECKOUT, PAGES, read, withoutFences } from './pages.js';

interface Link {
  readonly page: string;
  readonly target: string;
}

const links: Link[] = PAGES.flatMap((page) =>
  [...withoutFences(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].map((m) => ({ page, target: m[1] ?? '' })),
).filter(({ target }) => !/^[a-z]+:/.test(target));

it('every link leads to something that is there', () => {
  expect(links.filter((link) => !existsSync(join(CHECKOUT, fileOf(link))))).toEqual([]);
});

it('every link to a heading finds it', () => {
  const lost = links.filter((link) => {
    const [, anchor] = link.target.split('#');
    const file = fileOf(link);
    if (anchor === undefined || !existsSync(join(CHECKOUT, file)) || !file.endsWith('.md')) return false;
    return !headingsOf(file).has(anchor);
  });
  expect(lost).toEqual([]);
});

it('no link leaves the checkout', () => {
  expect(links.filter((link) => fileOf(link).startsWith('..'))).toEqual([]);
});

function fileOf({ page, target }: Link): string {
  const [path = ''] = target.split('#');
  return path === '' ? page : normalize(join(dirname(page), path));
}

/** As forges make them: lower case, blanks to dashes, punctuation gone. */
function headingsOf(file: string): Set<string> {
  if (!statSync(join(CHECKOUT, file)).isFile()) return new Set();
  return new Set(
    [...withoutFences(read(file)).matchAll(/^#+ (.+)$/gm)].map((m) =>
      (m[1] ?? '')
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}
