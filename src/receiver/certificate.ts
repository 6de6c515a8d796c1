import { webcrypto, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 24 * 60 * 60 * 1000;
/** For trying things out: a certificate that is still in use after this was forgotten somewhere. */
const GOOD_FOR_DAYS = 30;

/** All PEM. */
export interface MadeCertificate {
  /** What the other side has to trust. Its key is not kept, so that nothing else can be issued by it. */
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/**
 * Why a sender would refuse this certificate (PEM) of the host soon, as the end of a sentence; undefined where it would
 * not. What is no certificate has no such fault: whoever listens with it is told.
 */
export function certificateFault(pem: string, host: string): string | undefined {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(pem);
  } catch {
    return undefined;
  }
  const endsAtMs = Date.parse(certificate.validTo);
  if (endsAtMs < Date.now()) return 'has expired';
  if (endsAtMs < Date.now() + DAY_MS) return 'expires within a day';
  const covered = isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host);
  return covered === undefined ? `is not for ${host}` : undefined;
}

/** A certificate for these host names and addresses by an authority of its own, for machines that know nothing better. */
export async function makeCertificate(hosts: readonly string[]): Promise<MadeCertificate> {
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  x509.cryptoProvider.set(webcrypto);
  const validity = {
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + GOOD_FOR_DAYS * DAY_MS),
  };
  const newKeys = () => webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const [authorityKeys, keys] = await Promise.all([newKeys(), newKeys()]);
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Waybill receiver',
    keys: authorityKeys,
    signingAlgorithm: ALGORITHM,
    ...validity,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
    ],
  });
  const certificate = await x509.X509CertificateGenerator.create({
    subject: `CN=${hosts[0] ?? 'receiver'}`,
    issuer: authority.subject,
    publicKey: keys.publicKey,
    signingKey: authorityKeys.privateKey,
    signingAlgorithm: ALGORITHM,
    ...validity,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        hosts.map((value) => ({ type: isIP(value) ? ('ip' as const) : ('dns' as const), value })),
      ),
    ],
  });
  const exported = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return {
    ca: authority.toString('pem'),
    cert: certificate.toString('pem'),
    key: x509.PemConverter.encode(exported, 'PRIVATE KEY'),
  };
}
