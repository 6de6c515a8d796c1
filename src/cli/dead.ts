import type { Command } from 'commander';
import { scopedCommand, wholeNumber, type Scoped } from './command.js';
import { toJsonLine, write } from './output.js';
import { tellMore } from './obligation-table.js';
import { withClient } from './session.js';
import { writeTable } from './table.js';

/** `waybill dead list`: dead letters, in key order. */
export function define(program: Command): void {
  const dead = program.command('dead').description('Dead letters: obligations that ended without delivery.');
  dead.addHelpText('after', '\nExample:\n  $ waybill dead list --limit 20');
  scopedCommand(
    dead,
    'list',
    'Dead letters in key order, with what the last attempt came to and until when each can be redriven.',
    'waybill dead list --limit 20',
  )
    .option('--limit <n>', 'at most this many', wholeNumber(1, 10_000), 100)
    .option('--after <key>', 'go on after this key')
    .action(list);
}

async function list(options: Scoped & { limit: number; after?: string }): Promise<void> {
  const { limit, after } = options;
  const rows = await withClient(options, (client) =>
    client.find({ disposition: 'dead', limit, ...(after === undefined ? {} : { after }) }),
  );
  if (options.json) return write(rows.map(toJsonLine).join(''));
  await writeTable(
    ['key', 'subscriber', 'type', 'attempts', 'class', 'status', 'dead since', 'redrivable until'],
    rows.map((o) => [
      o.key,
      o.subscriberName,
      o.eventType,
      o.attempts,
      o.lastClass,
      o.lastStatus,
      o.finishedAt,
      o.redriveUntil,
    ]),
  );
  if (rows.length === 0) process.stderr.write('no dead letters\n');
  tellMore(rows, limit);
}
