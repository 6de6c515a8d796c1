import { lookup as dnsLookup } from 'node:dns';
import type { LookupAddress, LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { AllowList } from './allow-list.js';
import { allowsHost } from './allow-list.js';
import type { AddressReason } from './address-guard.js';
import { judgeAddress } from './address-guard.js';

/** All addresses of a name, in the order to try them; rejects with an errno-style `code` where there is none. */
export type Resolver = (host: string) => Promise<LookupAddress[]>;

/** A name leads to an address Waybill may not send to. Nothing was dialled. */
export class AddressRefused extends Error {
  override name = 'AddressRefused';
  readonly reason: AddressReason;
  constructor(reason: AddressReason, detail: string) {
    super(detail);
    this.reason = reason;
  }
}

/** A name could not be resolved. `code` is the resolver's own (`ENOTFOUND`, `EAI_AGAIN`). */
export class NameUnresolved extends Error {
  override name = 'NameUnresolved';
  readonly code: string;
  constructor(code: string) {
    super(`the name could not be resolved (${code})`);
    this.code = code;
  }
}

/** The system's resolver, so that /etc/hosts and a cluster's search rules hold. */
export const systemResolver: Resolver = (host) =>
  new Promise((resolve, reject) => {
    dnsLookup(host, { all: true, verbatim: true }, (error, addresses) => {
      if (error) reject(error);
      else resolve(addresses);
    });
  });

/**
 * A `lookup` for sockets that resolves once, judges every answer and hands out only judged addresses: what was
 * judged is what is dialled. One forbidden address refuses the whole name, since a name that leads outside and
 * inside is an attack or a mistake, and which one is dialled would be luck. Names that the allow list vouches for
 * pass whatever they resolve to. Not called by node for IP literals, which {@link judgeUrl} judges.
 *
 * `dialling` is told the address that will be dialled first.
 */
export function guardedLookup(
  allow: AllowList,
  resolver: Resolver,
  dialling: (address: string) => void,
): LookupFunction {
  return (host, options, callback) => {
    resolveJudged(host, options, allow, resolver).then(
      (addresses) => {
        const [first] = addresses;
        dialling(first.address);
        if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

async function resolveJudged(
  host: string,
  options: LookupOptions,
  allow: AllowList,
  resolver: Resolver,
): Promise<[LookupAddress, ...LookupAddress[]]> {
  const answers = await resolver(host).catch((error: unknown) => {
    throw new NameUnresolved(codeOf(error));
  });
  const vouchedFor = allowsHost(allow, host, 'https');
  for (const { address } of answers) {
    const judged = judgeAddress(address, allow);
    if (judged.ok || (vouchedFor && judged.reason !== 'address_unparsable')) continue;
    throw new AddressRefused(
      judged.reason,
      `${host} leads to an address that is not allowed: ${judged.detail}`,
    );
  }
  const wanted = answers.filter(({ family }) => !options.family || options.family === family);
  const [first, ...rest] = wanted;
  if (!first) throw new NameUnresolved('ENODATA');
  return [first, ...rest];
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z0-9_]{1,40}$/.test(code) ? code : 'EAI_FAIL';
}
