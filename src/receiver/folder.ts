import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newSecret } from '../wire/sign.js';
import { certificateFault, makeCertificate } from './certificate.js';

/** Where the receiver of `waybill receiver` keeps what the other side has to be told. */
export interface ReceiverFolder {
  readonly cert: string;
  readonly key: string;
  readonly secrets: readonly string[];
  /** What was wrong with the certificate that a new one has replaced; undefined where none was replaced. */
  readonly replaced: string | undefined;
}

/**
 * `ca.pem` (to trust), `secret` (to sign with, mode 0600), the certificate and its key. What is there is used again, so
 * that a receiver that comes back is the same one to its sender; what isn't is made, and so is another certificate where
 * the one that is there would be refused for the first of the hosts.
 */
export async function openFolder(
  folder: string,
  hosts: readonly [string, ...string[]],
): Promise<ReceiverFolder> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const at = (name: string): string => join(folder, name);
  const read = (name: string): string => readFileSync(at(name), 'utf8');
  const kept = existsSync(at('cert.pem'));
  const replaced = kept ? certificateFault(read('cert.pem'), hosts[0]) : undefined;
  if (!kept || replaced !== undefined) {
    const made = await makeCertificate(hosts);
    put(at('ca.pem'), made.ca);
    put(at('key.pem'), made.key);
    put(at('cert.pem'), made.cert); // the last one: where it is, all are
  }
  if (!existsSync(at('secret'))) put(at('secret'), `${newSecret()}\n`);
  return { cert: read('cert.pem'), key: read('key.pem'), secrets: secretsIn(read('secret')), replaced };
}

/** Says where the receiver listens, in the file `url`. */
export const putUrl = (folder: string, url: string): void => put(join(folder, 'url'), `${url}\n`);

/** One `whsec_...` a line: while a secret is being replaced, the old and the new one. */
export const secretsIn = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

/** Renamed into place: whoever sees the file reads all of it. */
function put(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
