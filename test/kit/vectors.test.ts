import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { keysOf, verify } from '../../examples/receiver.js';
import { findGo, findPython, findPythonLibrary, GO_MODULES } from '../../scripts/test-tools.js';
import { parseSecret, sign } from '../../src/wire/sign.js';
import { isAbsent } from '../support/tools.js';
import { askPython, buildGoLibrary, run, type SignedRequest } from './judges.js';

const BUILD_TIMEOUT_MS = 300_000;

interface Vector extends SignedRequest {
  readonly name: string;
  readonly valid: boolean;
  readonly reason: string;
  readonly nowSeconds: number;
  readonly signedWith?: readonly string[];
  /** What a `standardwebhooks` library does where it differs from `valid`, or fails with an error of another kind. */
  readonly libraries?: Readonly<Record<'npm' | 'pypi', string>>;
}

const FILE = fileURLToPath(new URL('../../docs/signature-vectors.json', import.meta.url));
const { vectors, toleranceSeconds } = JSON.parse(readFileSync(FILE, 'utf8')) as {
  vectors: Vector[];
  toleranceSeconds: number;
};
const bodyOf = ({ body }: SignedRequest): Buffer =>
  Buffer.concat(Array.from({ length: body.repeat ?? 1 }, () => Buffer.from(body.base64, 'base64')));
const isAboutTime = ({ reason }: Vector): boolean => /^(old|future)/.test(reason);
const wanted = (vector: Vector): string => (vector.valid ? 'valid' : isAboutTime(vector) ? 'old' : 'invalid');
const go = findGo();
const python = findPython();
const library = findPythonLibrary();

afterEach(() => {
  vi.useRealTimers();
});

test('the file holds what a receiver can meet, each under a name of its own', () => {
  expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length);
  expect(vectors.length).toBeGreaterThanOrEqual(35);
  expect(vectors.filter(({ valid }) => !valid).length).toBeGreaterThanOrEqual(15);
  expect(toleranceSeconds).toBe(300);
});

const signed = vectors.flatMap((vector) =>
  vector.signedWith ? [{ ...vector, signedWith: vector.signedWith }] : [],
);
test.each(signed)('our signer makes the signature: $name', (vector) => {
  const { headers, signedWith } = vector;
  const made = sign({
    id: headers['webhook-id'] ?? '',
    timestampSeconds: Number(headers['webhook-timestamp']),
    body: bodyOf(vector),
    secrets: signedWith.map(parseSecret),
  });
  expect(made).toBe(headers['webhook-signature']);
});

test.each(vectors)('the TypeScript example judges: $name', (vector) => {
  const keys = keysOf(vector.secrets);
  expect(verify(keys, vector.headers, bodyOf(vector), vector.nowSeconds)).toBe(wanted(vector));
});

test.each(vectors)("npm's library judges: $name", (vector) => {
  vi.useFakeTimers({ now: vector.nowSeconds * 1000, toFake: ['Date'] });
  const accepts = vector.secrets.some((secret) => {
    try {
      new Webhook(secret).verify(bodyOf(vector), { ...vector.headers }, { jsonParse: false });
      return true;
    } catch {
      return false;
    }
  });
  expect(accepts).toBe(vector.libraries?.npm ? !vector.valid : vector.valid);
});

describe.skipIf(isAbsent(python, 'Python'))('Python (needs python3 of 3.9 or later)', () => {
  test('the file is what scripts/signature-vectors.py writes, with an HMAC that is not ours', async () => {
    const script = fileURLToPath(new URL('../../scripts/signature-vectors.py', import.meta.url));
    await run(python ?? '', [script, '--check'], {}, '');
  });

  test('the Python example judges every vector', async () => {
    const answers = await askPython(python ?? '', undefined, vectors);
    expect(named(answers.map(({ example }) => example))).toEqual(named(vectors.map(wanted)));
  });
});

describe.skipIf(isAbsent(library, 'the Python package standardwebhooks'))(
  "PyPI's library (needs scripts/test-tools.ts)",
  () => {
    test('judges every vector as the file says', async () => {
      const answers = await askPython(python ?? '', library, vectors);
      const heard = answers.map((answer, i) => {
        const said = vectors[i]?.libraries?.pypi;
        return said && typeof answer.library === 'string' ? said.includes(answer.library) : answer.library;
      });
      expect(named(heard)).toEqual(
        named(
          vectors.map(({ valid, libraries }) =>
            libraries?.pypi ? libraries.pypi.startsWith('raises') || !valid : valid,
          ),
        ),
      );
    });
  },
);

describe.skipIf(isAbsent(go, 'Go'))('Go (needs Go 1.21 or later)', () => {
  test(
    'the Go example judges every vector',
    async () => {
      const said = await run(go ?? '', ['test', '-count=1', '-v', './...'], {}, '', GO_MODULES[0]);
      expect(said.match(/^ {4}--- PASS: TestVectors\//gm)).toHaveLength(vectors.length);
    },
    BUILD_TIMEOUT_MS,
  );

  test(
    "Go's library judges every signature; it reads the clock itself, so the time is left out here",
    async () => {
      const judge = await buildGoLibrary(go ?? '');
      try {
        const answers = await judge.ask(vectors.map((vector) => ({ ...vector, ignoreTimestamp: true })));
        expect(named(answers)).toEqual(named(vectors.map((vector) => vector.valid || isAboutTime(vector))));
      } finally {
        judge.dispose();
      }
    },
    BUILD_TIMEOUT_MS,
  );
});

const named = <T>(answers: readonly T[]): Record<string, T> =>
  Object.fromEntries(answers.map((answer, i) => [vectors[i]?.name ?? i, answer]));
