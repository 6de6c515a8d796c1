import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';

x509.cryptoProvider.set(webcrypto);

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 24 * 60 * 60 * 1000;

/** What a TLS server is started with. `cert` may be a chain. */
export interface ServerIdentity {
  key: string;
  cert: string;
}

/** What a certificate says. */
export interface LeafOptions {
  /** Host names and IP addresses; none makes a certificate that names its host in the CN only. */
  hosts: string[];
  /** Days from now, negative ones ago. */
  validFromDays?: number;
  validToDays?: number;
  commonName?: string;
  /** Where the certificate says its issuer's is found, as those of public authorities do. */
  issuerUrl?: string;
  /** What it is for; `server` when unset. */
  usage?: 'server' | 'client';
}

/** A certificate authority; made by {@link makeAuthority} and {@link makeIntermediate}. */
export interface Authority {
  /** PEM of the authority's own certificate: what a client trusts, or what a server sends along. */
  cert: string;
  keys: webcrypto.CryptoKeyPair;
  certificate: x509.X509Certificate;
}

/** A root authority, good for a year. */
export async function makeAuthority(name = 'Waybill test root'): Promise<Authority> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    keys,
    signingAlgorithm: ALGORITHM,
    ...validity({}),
    extensions: authorityExtensions(),
  });
  return { cert: certificate.toString('pem'), keys, certificate };
}

/** An authority below another. A server that sends a leaf of it without its certificate has an incomplete chain. */
export async function makeIntermediate(
  issuer: Authority,
  name = 'Waybill test intermediate',
): Promise<Authority> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.create({
    subject: `CN=${name}`,
    issuer: issuer.certificate.subject,
    publicKey: keys.publicKey,
    signingKey: issuer.keys.privateKey,
    signingAlgorithm: ALGORITHM,
    ...validity({}),
    extensions: authorityExtensions(),
  });
  return { cert: certificate.toString('pem'), keys, certificate };
}

/** A server's key and certificate, issued by an authority. */
export async function issue(issuer: Authority, options: LeafOptions): Promise<ServerIdentity> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.create({
    subject: subject(options),
    issuer: issuer.certificate.subject,
    publicKey: keys.publicKey,
    signingKey: issuer.keys.privateKey,
    signingAlgorithm: ALGORITHM,
    ...validity(options),
    extensions: leafExtensions(options),
  });
  return { key: await keyPem(keys), cert: certificate.toString('pem') };
}

/** A server's key and a certificate that nobody issued. */
export async function selfSigned(options: LeafOptions): Promise<ServerIdentity> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: subject(options),
    keys,
    signingAlgorithm: ALGORITHM,
    ...validity(options),
    extensions: leafExtensions(options),
  });
  return { key: await keyPem(keys), cert: certificate.toString('pem') };
}

function subject(options: LeafOptions): string {
  return `CN=${options.commonName ?? options.hosts[0] ?? 'nobody'}`;
}

function validity(options: Pick<LeafOptions, 'validFromDays' | 'validToDays'>): {
  notBefore: Date;
  notAfter: Date;
} {
  return {
    notBefore: new Date(Date.now() + (options.validFromDays ?? -1) * DAY_MS),
    notAfter: new Date(Date.now() + (options.validToDays ?? 365) * DAY_MS),
  };
}

function authorityExtensions(): x509.Extension[] {
  return [
    new x509.BasicConstraintsExtension(true, undefined, true),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
  ];
}

function leafExtensions(options: LeafOptions): x509.Extension[] {
  const names = options.hosts.map((host) => ({
    type: isIP(host) ? ('ip' as const) : ('dns' as const),
    value: host,
  }));
  return [
    new x509.BasicConstraintsExtension(false, undefined, true),
    ...(options.issuerUrl ? [new x509.AuthorityInfoAccessExtension({ caIssuers: options.issuerUrl })] : []),
    new x509.ExtendedKeyUsageExtension([
      options.usage === 'client' ? x509.ExtendedKeyUsage.clientAuth : x509.ExtendedKeyUsage.serverAuth,
    ]),
    ...(names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names)] : []),
  ];
}

async function keyPem(keys: webcrypto.CryptoKeyPair): Promise<string> {
  return x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY');
}
