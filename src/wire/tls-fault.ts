/** What is wrong, by the code of node or OpenSSL, in words the owner of the endpoint can act on. */
const FAULTS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'the certificate, or one it builds on, has expired',
  CERT_NOT_YET_VALID: 'the certificate, or one it builds on, is not valid yet',
  CERT_REVOKED: 'the certificate is revoked',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate was issued by an authority that is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'the issuer of the certificate is unknown, or an intermediate certificate is not sent',
  UNABLE_TO_GET_ISSUER_CERT:
    'the issuer of the certificate is unknown, or an intermediate certificate is not sent',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'the issuer of the certificate is unknown, or an intermediate certificate is not sent',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another name (subjectAltName is what counts)',
  EPROTO: 'the endpoint does not speak TLS as we do',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the endpoint does not speak TLS on this port',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the endpoint does not speak TLS on this port',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'the endpoint speaks no TLS version from 1.2 on',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'the endpoint speaks no TLS version from 1.2 on',
  ERR_SSL_TLSV1_UNRECOGNIZED_NAME: 'the endpoint does not know the host name',
};

/** Codes of a socket that broke during a handshake: no fault of TLS. */
const SOCKET_CODES = /^(ECONN|EPIPE$|ETIMEDOUT$|EHOST|ENET|EADDR|EMFILE$|ENFILE$)/;

/**
 * A readable account of a TLS error, or undefined where the error is none. During a handshake everything but a
 * broken socket is one (OpenSSL's list of certificate faults is open); later only OpenSSL's own codes are.
 */
export function tlsFault(code: string, duringHandshake: boolean): string | undefined {
  const known = FAULTS[code];
  if (known) return `TLS: ${known} (${code})`;
  if (/^ERR_(SSL|TLS)_/.test(code) || (duringHandshake && !SOCKET_CODES.test(code))) {
    return `TLS: the handshake failed (${code})`;
  }
  return undefined;
}
