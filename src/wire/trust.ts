import tls from 'node:tls';

/** A client certificate, its chain after it, and its key; PEM. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

/** By this node adds an authority to those of a context; not in its manual, but what its own `ca` comes down to. */
interface Extensible {
  addCACert?(pem: string): void;
}

/**
 * For connections to those whom the usual authorities vouch for: node's own roots, and besides them those of
 * `extraCa` (PEM). These are added to the roots that node has read already: the whole list as `ca` would be read anew
 * each time, tens of milliseconds in which the process does nothing else, and a megabyte. Where a node can't add, the
 * list is given after all.
 */
export function usualContext(extraCa: string | undefined, own?: ClientCertificate): tls.SecureContext {
  const options: tls.SecureContextOptions = { minVersion: 'TLSv1.2', ...own };
  if (!extraCa) return tls.createSecureContext(options);
  const secure = tls.createSecureContext(options);
  const native = secure.context as Extensible;
  if (!native.addCACert)
    return tls.createSecureContext({ ...options, ca: [...tls.rootCertificates, extraCa] });
  native.addCACert(extraCa);
  return secure;
}

/** The same where only these authorities (PEM) may vouch. */
export function narrowContext(ca: string, own?: ClientCertificate): tls.SecureContext {
  return tls.createSecureContext({ minVersion: 'TLSv1.2', ca, ...own });
}
