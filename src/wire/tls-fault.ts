/** What is wrong, by the code of node or OpenSSL, in words the owner of the endpoint can act on. */
const FAULTS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'the certificate, or one it builds on, has expired',
  CERT_NOT_YET_VALID: 'the certificate, or one it builds on, is not valid yet',
  CERT_REVOKED: 'the certificate is revoked',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate was issued by an authority that is not trusted',
  // OpenSSL's word for a certificate that came alone, whose issuer we don't have.
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'the issuer of the certificate is unknown, and no intermediate certificate is sent',
  UNABLE_TO_GET_ISSUER_CERT: 'the certificate builds on an authority that is not known here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate builds on an authority that is not known here',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another name (subjectAltName is what counts)',
  EPROTO: 'the endpoint does not speak TLS as we do',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the endpoint does not speak TLS on this port',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the endpoint does not speak TLS on this port',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'the endpoint speaks no TLS version from 1.2 on',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'the endpoint speaks no TLS version from 1.2 on',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'the endpoint asks for a client certificate',
  ERR_SSL_TLSV1_UNRECOGNIZED_NAME: 'the endpoint does not know the host name',
};

/** Said instead where a certificate came alone and names the place of its issuer's, as those of public roots do. */
const INTERMEDIATE_MISSING = 'the intermediate certificate that issued it is not sent';

/** Codes of a socket that broke during a handshake: no fault of TLS. */
const SOCKET_CODES = /^(ECONN|EPIPE$|ETIMEDOUT$|EHOST|ENET|EADDR|EMFILE$|ENFILE$|ENOBUFS$|ENOMEM$)/;

/**
 * A readable account of a TLS error, or undefined where the error is none. During a handshake everything but a
 * broken socket is one (OpenSSL's list of certificate faults is open); later only OpenSSL's own codes are.
 * `namesItsIssuer`: the endpoint's certificate says where that of its issuer is found (RFC 5280 4.2.2.1).
 */
export function tlsFault(code: string, duringHandshake: boolean, namesItsIssuer = false): string | undefined {
  const missing = namesItsIssuer && code === 'UNABLE_TO_VERIFY_LEAF_SIGNATURE';
  const known = missing ? INTERMEDIATE_MISSING : FAULTS[code];
  if (known) return `TLS: ${known} (${code})`;
  if (/^ERR_(SSL|TLS)_/.test(code) || (duringHandshake && !SOCKET_CODES.test(code))) {
    return `TLS: the handshake failed (${code})`;
  }
  return undefined;
}
