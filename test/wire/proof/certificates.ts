import type { TlsOptions } from 'node:tls';
import type { Authority, ServerIdentity } from '../../support/tls.js';
import { issue, makeAuthority, makeIntermediate, selfSigned } from '../../support/tls.js';

export interface CertificateCase {
  readonly name: string;
  readonly expected: string;
  /** In the URL that is sent to. */
  readonly host: string;
  readonly options: TlsOptions;
}

const DELIVERED = 'delivered success 200';
const EXPIRED = 'failed tls: the certificate, or one it builds on, has expired';
const NOT_YET = 'failed tls: the certificate, or one it builds on, is not valid yet';
const OTHER_NAME = 'failed tls: the certificate is for another name (subjectAltName is what counts)';
const UNTRUSTED = 'failed tls: the certificate was issued by an authority that is not trusted';
const UNKNOWN_ROOT = 'failed tls: the certificate builds on an authority that is not known here';
const UNKNOWN_ISSUER =
  'failed tls: the issuer of the certificate is unknown, and no intermediate certificate is sent';
const MISSING = 'failed tls: the intermediate certificate that issued it is not sent';
const SELF = 'failed tls: the certificate is self-signed';
const OLD = 'failed tls: the endpoint speaks no TLS version from 1.2 on';
const HANDSHAKE = 'failed tls: the handshake failed';

const chain = (leaf: ServerIdentity, ...above: Authority[]): ServerIdentity => ({
  ...leaf,
  cert: [leaf.cert, ...above.map(({ cert }) => cert)].join('\n'),
});

/** Every fault a certificate or a handshake may have, and the sound ones beside them. */
export async function certificateCases(authority: Authority, host: string): Promise<CertificateCase[]> {
  const intermediate = await makeIntermediate(authority);
  const stranger = await makeAuthority('Stranger');
  const between = await makeIntermediate(stranger, 'Stranger intermediate');
  const sound = await issue(authority, { hosts: [host] });
  const issuerUrl = 'http://ca.example/issuer.crt';
  const hosts = [host];
  const made: [name: string, expected: string, options: TlsOptions, host?: string][] = [
    ['sound', DELIVERED, sound],
    ['sound, under an intermediate', DELIVERED, chain(await issue(intermediate, { hosts }), intermediate)],
    ['sound, root sent along', DELIVERED, chain(sound, authority)],
    ['sound, for a wildcard', DELIVERED, await issue(authority, { hosts: ['*.example.com'] })],
    ['sound, for its address', DELIVERED, await issue(authority, { hosts: ['127.0.0.1'] }), '127.0.0.1'],
    ['sound, TLS 1.2', DELIVERED, { ...sound, maxVersion: 'TLSv1.2' }],
    ['sound, TLS 1.3', DELIVERED, { ...sound, minVersion: 'TLSv1.3' }],
    ['expired yesterday', EXPIRED, await issue(authority, { hosts, validFromDays: -9, validToDays: -1 })],
    [
      'expired years ago',
      EXPIRED,
      await issue(authority, { hosts, validFromDays: -3000, validToDays: -2000 }),
    ],
    ['valid from tomorrow', NOT_YET, await issue(authority, { hosts, validFromDays: 1 })],
    ['self-signed', SELF, await selfSigned({ hosts })],
    ['self-signed and expired', EXPIRED, await selfSigned({ hosts, validFromDays: -9, validToDays: -1 })],
    ['unknown issuer', UNKNOWN_ISSUER, await issue(stranger, { hosts })],
    ['unknown root sent along', UNTRUSTED, chain(await issue(stranger, { hosts }), stranger)],
    ['intermediate of an unknown root', UNKNOWN_ROOT, chain(await issue(between, { hosts }), between)],
    ['intermediate not sent', MISSING, await issue(intermediate, { hosts, issuerUrl })],
    ['intermediate not sent, nor named', UNKNOWN_ISSUER, await issue(intermediate, { hosts })],
    ['another intermediate sent', UNKNOWN_ISSUER, chain(await issue(intermediate, { hosts }), between)],
    ['another name', OTHER_NAME, await issue(authority, { hosts: ['other.example'] })],
    ['the name above', OTHER_NAME, await issue(authority, { hosts: ['example.com'] })],
    ['a name below', OTHER_NAME, await issue(authority, { hosts: [`a.${host}`] })],
    ['a wildcard one level off', OTHER_NAME, await issue(authority, { hosts: [`*.${host}`] })],
    ['only its address', OTHER_NAME, await issue(authority, { hosts: ['127.0.0.1'] })],
    ['only its name, for its address', OTHER_NAME, sound, '127.0.0.1'],
    ['name only in CN', OTHER_NAME, await issue(authority, { hosts: [], commonName: host })],
    ['TLS 1.1', OLD, { ...sound, minVersion: 'TLSv1', maxVersion: 'TLSv1.1' }],
    ['TLS 1.0', OLD, { ...sound, minVersion: 'TLSv1', maxVersion: 'TLSv1' }],
    ['no cipher in common', HANDSHAKE, { ...sound, maxVersion: 'TLSv1.2', ciphers: 'ECDHE-RSA-AES128-SHA' }],
    [
      'asks for a client certificate, TLS 1.2',
      HANDSHAKE,
      { ...sound, maxVersion: 'TLSv1.2', requestCert: true },
    ],
  ];
  return made.map(([name, expected, options, at]) => ({ name, expected, host: at ?? host, options }));
}
