import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { invalid } from '../errors.js';
import type { JournalLine, ReceiverOptions } from '../receiver/load.js';
import { subcommand, wholeNumber, type Common } from './command.js';
import { UsageError } from './faults.js';
import { printable, toJsonLine, write, writeJson, writeLines } from './output.js';
import { untilInterrupted } from './session.js';
import { readSecret, readable } from './source.js';

interface Options extends Common {
  readonly port: number;
  readonly host: string;
  readonly dir?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly secretFile?: string;
  readonly journal?: string;
  readonly answer: number;
  readonly delayMs: number;
}

/** `waybill receiver`: a subscriber's endpoint on this machine, for trying things out. */
export function define(program: Command): void {
  subcommand(
    program,
    'receiver',
    "Run examples/receiver.ts, a subscriber's endpoint: it verifies, acts on each key once and acknowledges. " +
      'Give --dir, where it makes what it needs, or --cert, --key and --secret-file. Runs until SIGTERM or SIGINT.',
    'waybill receiver --dir /tmp/shop --port 8443 --journal shop.ndjson',
  )
    .option(
      '--dir <folder>',
      'makes and keeps certificate and secret there; ca.pem, secret and url are for the sender',
    )
    .option('--port <n>', '0 takes a free one', wholeNumber(0, 65_535), 0)
    .option('--host <address>', 'where it listens', '127.0.0.1')
    .option('--cert <file>', 'PEM of its certificate, a chain if need be')
    .option('--key <file>', "PEM of the certificate's key")
    .option('--secret-file <file>', 'holds one whsec_... a line; - for stdin')
    .option('--journal <file>', 'a line of JSON for each request; what it holds at the start is remembered')
    .option('--answer <status>', 'to every valid request', wholeNumber(200, 599), 204)
    .option('--delay-ms <n>', 'how long it takes its time first', wholeNumber(0, 3_600_000), 0)
    .action(run);
}

async function run(options: Options): Promise<void> {
  const { loadReceiver } = await import('../receiver/load.js');
  const identity = await identityOf(options);
  const { parseSecret } = await import('../wire/sign.js');
  for (const secret of identity.secrets) {
    try {
      parseSecret(secret);
    } catch (error) {
      throw invalid('secret', error instanceof Error ? error.message : 'is unusable');
    }
  }
  if (identity.secrets.length === 0) throw invalid('secret', 'the file holds none');
  const { startReceiver } = await loadReceiver();
  const receiver = await startReceiver({
    ...identity,
    port: options.port,
    host: options.host,
    answer: options.answer,
    delayMs: options.delayMs,
    ...(options.journal === undefined ? {} : { journal: options.journal }),
    onRequest: (line) => void tell(line, options.json),
  }).catch((error: unknown) => {
    throw listenFault(options, error);
  });
  try {
    await untilInterrupted(async (signal) => {
      if (options.dir !== undefined) {
        const { putUrl } = await import('../receiver/folder.js');
        putUrl(options.dir, receiver.url);
      }
      if (options.json) await writeJson({ ready: true, url: receiver.url });
      else await writeLines([`receiver ready at ${receiver.url}`]);
      if (!signal.aborted) await new Promise<void>((done) => signal.addEventListener('abort', () => done()));
    });
  } finally {
    await receiver.close();
  }
}

/** Certificate, key and secrets: from the folder, or each from its file. */
async function identityOf(options: Options): Promise<Pick<ReceiverOptions, 'cert' | 'key' | 'secrets'>> {
  const { dir, cert, key, secretFile } = options;
  if ((cert === undefined) !== (key === undefined)) throw new UsageError('--cert and --key belong together');
  if (dir === undefined && (cert === undefined || key === undefined || secretFile === undefined))
    throw new UsageError('give --dir, or --cert, --key and --secret-file');
  const { openFolder, secretsIn } = await import('../receiver/folder.js');
  const kept = dir === undefined ? undefined : await openFolder(dir, hostsOf(options.host));
  if (dir !== undefined && kept?.replaced !== undefined) {
    const told = `the certificate in ${dir} ${kept.replaced} and is replaced: give the sender its ca.pem again`;
    await write(`receiver: ${printable(told)}\n`, process.stderr);
  }
  const secrets = secretFile === undefined ? kept?.secrets : secretsIn(await readSecret(secretFile));
  return {
    cert: (cert === undefined ? kept?.cert : readText(cert)) ?? '',
    key: (key === undefined ? kept?.key : readText(key)) ?? '',
    secrets: secrets ?? [],
  };
}

const hostsOf = (host: string): [string, ...string[]] => [
  host,
  ...['localhost', '127.0.0.1'].filter((other) => other !== host),
];

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw readable(file, error);
  }
}

/** A port that is taken, a file that can't be opened, a certificate that isn't any: what was typed is wrong. */
function listenFault(options: Options, error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'listen')
    return new UsageError(`cannot listen on ${options.host}:${options.port} (${code})`);
  if (syscall === 'open') return readable(options.journal ?? '', error);
  return code?.startsWith('ERR_OSSL') ? new UsageError(`--cert or --key can't be used (${code})`) : error;
}

/** JSON on stdout for scripts, else a line on stderr for people. */
function tell(line: JournalLine, json: true | undefined): Promise<void> {
  if (json) return write(toJsonLine(line));
  const what = [
    line.signature === null ? 'not judged' : `signature ${line.signature}`,
    ...(line.duplicate ? ['seen before'] : line.older ? ['overtaken by a newer version'] : []),
    line.status === null ? 'the connection was gone' : `answered ${line.status}`,
  ];
  const told = `attempt ${line.attempt ?? '?'} of ${line.key || 'no id'}: ${line.bodyBytes} bytes, ${what.join(', ')}`;
  return write(`receiver: ${printable(told)}\n`, process.stderr);
}
