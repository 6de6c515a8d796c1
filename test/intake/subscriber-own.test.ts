import { generateKeyPairSync } from 'node:crypto';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { checkAuth, checkHeaders } from '../../src/intake/subscriber-headers.js';
import { checkTls } from '../../src/intake/subscriber-tls.js';
import { checkSubscriber } from '../../src/intake/subscriber-input.js';
import { deliveryHeaders } from '../../src/wire/headers.js';
import { parseAllowList } from '../../src/wire/allow-list.js';
import { issue, makeAuthority, type Authority, type ServerIdentity } from '../support/tls.js';

const fault = (check: () => unknown): { field?: string; code?: string; message?: string } => {
  try {
    check();
  } catch (error) {
    return error as { field?: string };
  }
  throw new Error('nothing was refused');
};

describe('headers', () => {
  it('takes ordinary ones, and makes their names lower case', () => {
    expect(checkHeaders({ 'X-Api-Key': 'k 1', 'x-tenant': 'é\t~', Authorization: 'ApiKey 1' })).toEqual({
      'x-api-key': 'k 1',
      'x-tenant': 'é\t~',
      authorization: 'ApiKey 1',
    });
  });

  const ours = Object.keys(
    deliveryHeaders({
      ...{ key: 'k', attempt: 1, eventType: 't', shipment: 's', version: 1, bodyBytes: 0 },
      contentType: 'text/plain',
    }),
  );
  const wire = [
    'host',
    'connection',
    'keep-alive',
    'transfer-encoding',
    'te',
    'trailer',
    'upgrade',
    'expect',
  ];
  const more = ['webhook-timestamp', 'webhook-signature', 'webhook-x', 'waybill-x', 'content-encoding'];
  const others = ['accept-encoding', 'proxy-authorization', 'proxy-connection', 'date'];
  test.each([...ours, ...wire, ...more, ...others])('refuses %s, in any case, by its name', (name) => {
    for (const spelling of [name, name.toUpperCase()]) {
      expect(fault(() => checkHeaders({ [spelling]: 'v' }))).toMatchObject({
        code: 'invalid_field',
        field: `headers.${name}`,
      });
    }
  });

  test.each([
    ['a line break', 'S3cret\r\nx-evil: 1'],
    ['a line feed', 'S3cret\nx'],
    ['a NUL', 'S3cret\0'],
    ['an emoji', 'S3cret🙂'],
    ['a lone surrogate', 'S3cret\ud800'],
    ['a letter beyond Latin-1', 'S3cretĀ'],
    ['nothing', ''],
    ['a blank at its end', 'S3cret '],
    ['a tab at its beginning', '\tS3cret'],
    ['DEL', 'S3cret\x7f'],
    ['C1 controls', 'S3cret\x85x'],
    ['too much', 'S3cret'.padEnd(4_097, 'x')],
    ['a number', 7],
    ['null', null],
    ['a list', ['S3cret']],
  ])('refuses a value with %s and never repeats it', (_, value) => {
    const error = fault(() => checkHeaders({ 'x-key': value }));
    expect(error).toMatchObject({ code: 'invalid_field', field: 'headers.x-key' });
    expect(error.message).not.toContain('S3cret');
  });

  test.each([
    ['bad names', { 'x key': 'v' }],
    ['an empty name', { '': 'v' }],
    ['a line break in a name', { 'x\r\nevil': 'v' }],
    ['the prototype', JSON.parse('{"__proto__": "v"}')],
    ['a list', ['v']],
    ['a text', 'x: v'],
    ['null', null],
    ['more than 20', Object.fromEntries(Array.from({ length: 21 }, (__, i) => [`x-${i}`, 'v']))],
    ['more than fits', { 'x-a': 'v'.repeat(4_000), 'x-b': 'v'.repeat(4_000) }],
  ])('refuses %s', (_, headers) => {
    expect(fault(() => checkHeaders(headers))).toMatchObject({ code: 'invalid_field', field: 'headers' });
  });

  it('refuses the same name twice', () => {
    expect(fault(() => checkHeaders({ 'x-a': '1', 'X-A': '2' }))).toMatchObject({ field: 'headers.x-a' });
  });
});

describe('auth', () => {
  it('writes the header', () => {
    expect(checkAuth({ type: 'bearer', token: 'abc.D-_~+/=' })).toEqual({
      type: 'bearer',
      value: 'Bearer abc.D-_~+/=',
    });
    const basic = checkAuth({ type: 'basic', username: 'Aladdin', password: 'open sesame' });
    expect(basic.value).toBe('Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=='); // the example of RFC 7617 2
  });

  test.each([
    ['auth', null],
    ['auth', 'Bearer x'],
    ['auth.type', {}],
    ['auth.type', { type: 'digest' }],
    ['auth.type', { type: 'constructor' }],
    ['auth.token', { type: 'bearer' }],
    ['auth.token', { type: 'bearer', token: '' }],
    ['auth.token', { type: 'bearer', token: 'a b' }],
    ['auth.token', { type: 'bearer', token: 'a\r\nb' }],
    ['auth.token', { type: 'bearer', token: 7 }],
    ['auth.tokn', { type: 'bearer', tokn: 'a' }],
    ['auth.username', { type: 'basic', username: 'a:b', password: 'p' }],
    ['auth.username', { type: 'basic', password: 'p' }],
    ['auth.password', { type: 'basic', username: 'u' }],
    ['auth.password', { type: 'basic', username: 'u', password: 'p\n' }],
    ['auth.token', { type: 'basic', username: 'u', password: 'p', token: 't' }],
  ])('refuses by %s: %j', (field, auth) => {
    expect(fault(() => checkAuth(auth))).toMatchObject({ code: 'invalid_field', field });
  });

  it('does not let headers and auth both set it', () => {
    const input = { name: 'a', url: 'https://a.example', auth: { type: 'bearer', token: 't' } as const };
    const both = { ...input, headers: { Authorization: 'x' } };
    expect(fault(() => checkSubscriber(both, parseAllowList('')))).toMatchObject({
      field: 'headers.authorization',
    });
  });
});

describe('tls', () => {
  let authority: Authority;
  let ours: ServerIdentity;
  let other: ServerIdentity;
  beforeAll(async () => {
    authority = await makeAuthority();
    ours = await issue(authority, { hosts: ['client.example'] });
    other = await issue(authority, { hosts: ['other.example'] });
  });

  it('takes authorities, a certificate with its key, or both; shows neither text', () => {
    const { shown, texts } = checkTls({
      ca: authority.cert,
      cert: `${ours.cert}\n${authority.cert}`,
      key: ours.key,
    });
    expect(shown).toMatchObject({ ca: 1, cert: { subject: 'CN=client.example' } });
    expect(JSON.stringify(shown)).not.toContain(ours.key.split('\n')[1]);
    expect(texts.key).toBe(ours.key);
    expect(checkTls({ ca: authority.cert + authority.cert }).shown).toEqual({ ca: 2, cert: null });
  });

  it('refuses by the field what is no such text', () => {
    const pem = (passphrase: string, type: 'pkcs8' | 'pkcs1') =>
      generateKeyPairSync('rsa', {
        modulusLength: 2048,
        publicKeyEncoding: { type: 'spki', format: 'pem' },
        privateKeyEncoding: { type, format: 'pem', cipher: 'aes-256-cbc', passphrase },
      }).privateKey;
    const cut = ours.cert.replace(/\n[A-Za-z0-9+/=]+\n-----END/, '\n-----END');
    const cases: [string, unknown][] = [
      ['tls', null],
      ['tls', {}],
      ['tls', 'pem'],
      ['tls.verify', { verify: false }],
      ['tls.ca', { ca: '' }],
      ['tls.ca', { ca: 'no certificate' }],
      ['tls.ca', { ca: 7 }],
      ['tls.ca', { ca: ours.key }],
      ['tls.ca', { ca: cut }],
      ['tls.ca', { ca: authority.cert.repeat(60) }],
      ['tls.ca', { ca: 'x'.repeat(70_000) }],
      ['tls.key', { cert: ours.cert }],
      ['tls.cert', { key: ours.key }],
      ['tls.cert', { cert: ours.key, key: ours.key }],
      ['tls.key', { cert: ours.cert, key: ours.cert }],
      ['tls.key', { cert: ours.cert, key: other.key }],
      ['tls.key', { cert: ours.cert, key: pem('p', 'pkcs8') }],
      ['tls.key', { cert: ours.cert, key: pem('p', 'pkcs1') }],
    ];
    for (const [field, tls] of cases) {
      const error = fault(() => checkTls(tls));
      expect(error, `${field}: ${JSON.stringify(tls)?.slice(0, 80)}`).toMatchObject({
        code: 'invalid_field',
        field,
      });
      expect(error.message).not.toContain('-----');
    }
    expect(fault(() => checkTls({ cert: ours.cert, key: pem('p', 'pkcs8') })).message).toContain('encrypted');
  });

  it('refuses a key that OpenSSL finds too short, when it is set and not at a send', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    expect(fault(() => checkTls({ cert: ours.cert, key }))).toMatchObject({ field: 'tls.key' });
  });
});
