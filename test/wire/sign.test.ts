import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { newSecret, parseSecret, SecretInvalid, sign } from '../../src/wire/sign.js';

const nowSeconds = (): number => Math.floor(Date.now() / 1000);

function verify(
  secret: string,
  body: Uint8Array,
  id: string,
  timestampSeconds: number,
  signature: string,
): void {
  new Webhook(secret).verify(
    Buffer.from(body),
    { 'webhook-id': id, 'webhook-timestamp': String(timestampSeconds), 'webhook-signature': signature },
    { jsonParse: false },
  );
}

describe('signatures', () => {
  test.each([
    '{"b": 1,  "a":"é\\u00e9🙂", "c":[1, 2] }\n',
    'a=1&b=%20',
    '\ufefftext with a byte order mark',
    'line\r\nends\r\n',
    '',
    '{"id":9223372036854775807,"2":1,"1":2,"amt":1.10,"e":1e2,"z":-0,"a":1,"a":2}',
  ])('the reference library verifies %j', (text) => {
    const secret = newSecret();
    const body = new TextEncoder().encode(text);
    const timestampSeconds = nowSeconds();
    const id = 'ship%201:sub_x:7';
    const signature = sign({ id, timestampSeconds, body, secrets: [parseSecret(secret)] });
    verify(secret, body, id, timestampSeconds, signature);
  });

  test('each live secret verifies in an overlap, a past one does not', () => {
    const [first, second, past] = [newSecret(), newSecret(), newSecret()];
    const body = new TextEncoder().encode('{}');
    const timestampSeconds = nowSeconds();
    const secrets = [first, second].map(parseSecret);
    const signature = sign({ id: 'k', timestampSeconds, body, secrets });
    expect(signature).toMatch(/^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/);
    verify(first, body, 'k', timestampSeconds, signature);
    verify(second, body, 'k', timestampSeconds, signature);
    expect(() => verify(past, body, 'k', timestampSeconds, signature)).toThrow();
  });

  test('any other byte, id or time breaks it', () => {
    const secret = newSecret();
    const body = Uint8Array.of(1, 2, 3);
    const timestampSeconds = nowSeconds();
    const signature = sign({ id: 'k', timestampSeconds, body, secrets: [parseSecret(secret)] });
    expect(() => verify(secret, Uint8Array.of(1, 2, 4), 'k', timestampSeconds, signature)).toThrow();
    expect(() => verify(secret, body, 'l', timestampSeconds, signature)).toThrow();
    expect(() => verify(secret, body, 'k', timestampSeconds + 1, signature)).toThrow();
  });

  test('without a secret, or at no whole second, nothing is signed', () => {
    const body = new Uint8Array();
    expect(() => sign({ id: 'k', timestampSeconds: 1, body, secrets: [] })).toThrow(SecretInvalid);
    const secrets = [parseSecret(newSecret())];
    expect(() => sign({ id: 'k', timestampSeconds: 1.5, body, secrets })).toThrow(RangeError);
  });
});

describe('secrets', () => {
  const encode = (bytes: number): string => Buffer.alloc(bytes, 0xfb).toString('base64');

  test.each([24, 32, 64])('%i bytes are taken', (bytes) => {
    expect(parseSecret(`whsec_${encode(bytes)}`)).toEqual(new Uint8Array(bytes).fill(0xfb));
  });

  test.each([
    ['not base64', 'whsec_!!!!'],
    ['half base64', 'whsec_xyz!'],
    ['nothing', 'whsec_'],
    ['no prefix', encode(32)],
    ['a version in front', `v1,whsec_${encode(32)}`],
    ['unpadded', `whsec_${encode(32).replace('=', '')}`],
    ['URL-safe alphabet', `whsec_${encode(32).replaceAll('+', '-').replaceAll('/', '_')}`],
    ['a line end', `whsec_${encode(32)}\n`],
    ['a blank inside', `whsec_${encode(32).slice(0, 8)} ${encode(32).slice(8)}`],
    ['loose last bits', `whsec_${encode(32).slice(0, -2)}t=`],
    ['8 bytes', `whsec_${encode(8)}`],
    ['23 bytes', `whsec_${encode(23)}`],
    ['65 bytes', `whsec_${encode(65)}`],
    ['encoded twice', `whsec_${Buffer.from(encode(32)).toString('base64')}`],
    ['encoded twice with its prefix', `whsec_${Buffer.from(`whsec_${encode(32)}`).toString('base64')}`],
  ])('refused: %s', (_what, text) => {
    expect(() => parseSecret(text)).toThrow(SecretInvalid);
  });

  test('an error never repeats the secret', () => {
    for (const text of ['whsec_s3cret!', 's3cret', `whsec_s3cret${encode(65)}`]) {
      expect(() => parseSecret(text)).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining('s3cret') }),
      );
    }
  });

  test('new ones are good and differ', () => {
    const secrets = Array.from({ length: 50 }, newSecret);
    for (const secret of secrets) expect(parseSecret(secret)).toHaveLength(32);
    expect(new Set(secrets).size).toBe(50);
  });

  test('random bytes of every length are never mistaken for a double encoding', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 24, maxLength: 64 }), (bytes) => {
        fc.pre(bytes.some((byte) => byte > 127));
        expect(parseSecret(`whsec_${Buffer.from(bytes).toString('base64')}`)).toEqual(bytes);
      }),
    );
  });
});
