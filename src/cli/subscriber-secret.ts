import type { Command } from 'commander';
import { withWord, wordOf, type WordOptions } from './act.js';
import { scopedCommand, type Scoped } from './command.js';
import { duration } from './duration.js';
import { toJsonLine, write, writeJson, writeLines } from './output.js';
import { withClient } from './session.js';
import { readSecret } from './source.js';
import { shown, writeTable } from './table.js';

interface RotateOptions extends WordOptions {
  readonly overlap?: number;
  readonly secretFile?: string;
}

/** `waybill subscriber secret ...`: what requests to a subscriber are signed with. */
export function defineSecret(subscriber: Command): void {
  const group = subscriber
    .command('secret')
    .description('The secrets that requests to a subscriber are signed with.')
    .addHelpText('after', '\nExample:\n  $ waybill subscriber secret list acme');
  withWord(
    scopedCommand(
      group,
      'rotate',
      'Sign with a new secret from the next attempt on, and with the ones before it until the overlap is over. ' +
        'A made secret is shown here, this once.',
      "waybill subscriber secret rotate acme --overlap 24h --reason 'yearly rotation'",
    ).argument('<id-or-name>'),
  )
    .option(
      '--overlap <time>',
      'how long earlier secrets go on signing: 90s, 30m, 24h, 7d or 0 (24h)',
      duration,
    )
    .option('--secret-file <file>', 'holds the whsec_... secret to sign with (default: a new one is made)')
    .action(rotate);
  scopedCommand(
    group,
    'list',
    'The secrets of a subscriber, newest first: ids and times, never what they are.',
    'waybill subscriber secret list acme',
  )
    .argument('<id-or-name>')
    .action(list);
  withWord(
    scopedCommand(
      group,
      'revoke',
      'End a secret at once. The current one can not be revoked: rotate it with --overlap 0.',
      "waybill subscriber secret revoke sec_aB3dE6gH9jK2mN5pQ8sT --reason 'leaked'",
    ).argument('<secret-id>', 'as list shows it'),
  ).action(revoke);
}

async function rotate(idOrName: string, options: RotateOptions): Promise<void> {
  const given = options.secretFile === undefined ? undefined : await readSecret(options.secretFile);
  const { secret, ...answer } = await withClient(options, (client) =>
    client.rotateSecret(idOrName, wordOf(options), {
      ...(options.overlap === undefined ? {} : { overlapMs: options.overlap }),
      ...(given === undefined ? {} : { secret: given }),
    }),
  );
  const made = given === undefined && secret !== undefined;
  if (options.json) return writeJson({ ...answer, ...(made ? { secret } : {}) });
  const what = answer.repeated ? 'was done before under this request id' : 'done';
  await writeLines([
    `secret rotate ${shown(idOrName)}: ${what}; it is ${shown(answer.secretId)}`,
    made
      ? `secret: ${secret} (shown this once; keep it)`
      : answer.repeated
        ? 'secret: was shown then, and is not shown again'
        : 'secret: the one in the file',
  ]);
}

async function list(idOrName: string, options: Scoped): Promise<void> {
  const rows = await withClient(options, (client) => client.secrets(idOrName));
  if (options.json) return write(rows.map(toJsonLine).join(''));
  await writeTable(
    ['id', 'state', 'created', 'expires'],
    rows.map((row) => [row.id, row.state, row.createdAt, row.expiresAt]),
  );
}

async function revoke(secretId: string, options: WordOptions): Promise<void> {
  const answer = await withClient(options, (client) => client.revokeSecret(secretId, wordOf(options)));
  if (options.json) return writeJson(answer);
  const parts = [
    answer.repeated
      ? 'was done before under this request id'
      : answer.changed
        ? 'done'
        : 'nothing to change, it signs nothing any more',
    answer.confirmed
      ? 'no request is being signed with it'
      : `${answer.inFlight ?? 0} requests under way may still carry it`,
  ];
  await writeLines([`secret revoke ${shown(secretId)}: ${parts.join('; ')}`]);
}
