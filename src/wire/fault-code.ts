/** This host has run out of something: descriptors, memory, buffers, or addresses and ports of its own. */
const EXHAUSTED: ReadonlySet<string> = new Set([
  ...['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL'],
  // What a resolver says for ENOMEM.
  'EAI_MEMORY',
]);

/** The stable code of node's, libuv's or OpenSSL's errors; their messages may hold what must not be shown. */
export function faultCode(fault: unknown): string {
  const code = fault instanceof Error && 'code' in fault ? fault.code : undefined;
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : 'ERR_UNKNOWN';
}

/**
 * What an error of a lookup or a connection comes down to. Where several addresses were dialled it is `ours` only if
 * each of them failed for what this host lacks; else `code` is of one that failed otherwise.
 */
export function causeOf(fault: unknown): { readonly code: string; readonly ours: boolean } {
  const faults: unknown[] =
    fault instanceof AggregateError && fault.errors.length > 0 ? fault.errors : [fault];
  const codes = faults.map(faultCode);
  const theirs = codes.find((code) => !EXHAUSTED.has(code));
  return { code: theirs ?? codes[0] ?? 'ERR_UNKNOWN', ours: theirs === undefined };
}
