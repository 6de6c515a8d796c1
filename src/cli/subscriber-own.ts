import { Option, type Command } from 'commander';
import type { SubscriberChange, SubscriberInput } from '../client.js';
import { invalid } from '../errors.js';
import { readBytes } from './source.js';

/** Options that name files with a subscriber's own headers, authorization and TLS texts. */
export interface OwnOptions {
  readonly headersFile?: string;
  readonly authFile?: string;
  readonly tlsCa?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
}

export interface ClearOptions {
  readonly clearHeaders?: true;
  readonly clearAuth?: true;
  readonly clearTls?: true;
}

const FILE_MAX_BYTES = 131_072;

/** All through files: other users of the machine could read an argument. */
export const withOwn = (command: Command): Command =>
  command
    .option('--headers-file <file>', 'JSON {"name": "value"}: headers that every request to it carries')
    .option(
      '--auth-file <file>',
      'JSON {"type": "bearer", "token"} or {"type": "basic", "username", "password"}',
    )
    .option('--tls-ca <file>', 'PEM: the only authorities that may vouch for it')
    .option('--tls-cert <file>', 'PEM: client certificate to show it, with its chain')
    .option('--tls-key <file>', 'PEM: the key of that certificate, without a passphrase');

export const withClears = (command: Command): Command =>
  command
    .addOption(new Option('--clear-headers', 'no headers of its own any more').conflicts('headersFile'))
    .addOption(new Option('--clear-auth', 'no authorization any more').conflicts('authFile'))
    .addOption(
      new Option('--clear-tls', 'no TLS texts of its own any more').conflicts(['tlsCa', 'tlsCert', 'tlsKey']),
    );

/** What the files hold, for intake to judge. @throws WaybillError `invalid_field` for a file that is no JSON. */
export async function readOwn(
  options: OwnOptions,
): Promise<Pick<SubscriberInput, 'headers' | 'auth' | 'tls'>> {
  const tls = {
    ...(options.tlsCa === undefined ? {} : { ca: await readText('tls.ca', options.tlsCa) }),
    ...(options.tlsCert === undefined ? {} : { cert: await readText('tls.cert', options.tlsCert) }),
    ...(options.tlsKey === undefined ? {} : { key: await readText('tls.key', options.tlsKey) }),
  };
  const { headersFile, authFile } = options;
  return {
    ...(headersFile === undefined ? {} : { headers: (await readJson('headers', headersFile)) as never }),
    ...(authFile === undefined ? {} : { auth: await needed('auth', authFile) }),
    ...(Object.keys(tls).length === 0 ? {} : { tls }),
  };
}

export const cleared = (options: ClearOptions): SubscriberChange => ({
  ...(options.clearHeaders ? { headers: {} } : {}),
  ...(options.clearAuth ? { auth: null } : {}),
  ...(options.clearTls ? { tls: null } : {}),
});

/** `null` in a file is a mistake, not the wish to take the authorization away. */
async function needed(field: string, file: string): Promise<never> {
  const value = await readJson(field, file);
  if (value === null) throw invalid(field, 'must be an object with a type, bearer or basic');
  return value as never;
}

async function readText(field: string, file: string): Promise<string> {
  const bytes = await readBytes(file, FILE_MAX_BYTES).catch((error: unknown) => {
    throw isTooLarge(error) ? invalid(field, `the file has more than ${FILE_MAX_BYTES} bytes`) : error;
  });
  return bytes.toString('utf8');
}

const isTooLarge = (error: unknown): boolean => (error as { code?: unknown }).code === 'payload_too_large';

async function readJson(field: string, file: string): Promise<unknown> {
  const text = await readText(field, file);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw invalid(field, 'the file is not JSON'); // JSON.parse's own message would quote it
  }
}
