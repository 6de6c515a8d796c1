import type { Command } from 'commander';
import type { Subscriber } from '../client.js';
import type { SubscriberVerb } from '../ledger/acts.js';
import { withWord, wordOf } from './act.js';
import { scopedCommand, wholeNumber, type Scoped } from './command.js';
import { toJsonLine, write, writeJson, writeLines } from './output.js';
import { pauseCell } from './pause-view.js';
import { tell, termsOf, withTerms, type TermOptions } from './scope-act.js';
import { withClient } from './session.js';
import { defineCertify } from './subscriber-certify.js';
import { defineAdd, defineUpdate } from './subscriber-change.js';
import { defineSecret } from './subscriber-secret.js';
import { defineImport } from './subscriber-import.js';
import { asJson, describe } from './subscriber-view.js';
import { shown, writeTable } from './table.js';

/** `waybill subscriber ...`: who receives events. */
export function define(program: Command): void {
  const group = program
    .command('subscriber')
    .description('Who receives events: endpoints with their filters and delivery policies.')
    .addHelpText('after', '\nExample:\n  $ waybill subscriber list');
  defineAdd(group);
  defineImport(group);
  scopedCommand(
    group,
    'list',
    'Live subscribers in the order of their ids.',
    'waybill subscriber list --limit 20',
  )
    .option('--limit <n>', 'at most this many', wholeNumber(1, 10_000), 100)
    .option('--after <id>', 'go on after this id')
    .action(list);
  scopedCommand(
    group,
    'show',
    'One subscriber; never its secrets or the path of its URL.',
    'waybill subscriber show acme',
  )
    .argument('<id-or-name>')
    .action(show);
  defineUpdate(group);
  defineSecret(group);
  defineCertify(group);
  for (const verb of ['pause', 'resume', 'remove'] as const) {
    const command = scopedCommand(
      group,
      verb,
      WHAT[verb],
      `waybill subscriber ${verb} acme --reason 'ticket 1017'`,
    ).argument('<id-or-name>');
    withTerms(verb, withWord(command)).action((subscriber: string, options: TermOptions) =>
      act(verb, subscriber, options),
    );
  }
}

const WHAT: Readonly<Record<SubscriberVerb, string>> = {
  pause: 'Hold everything owed to a subscriber; nothing is dropped, no tries are used, validity runs on.',
  resume:
    'Let a subscriber that is paused, gone, cooling down or failing receive again; what was held goes out at a ramp.',
  remove: 'Remove a subscriber for good; everything still owed to it ends as removed.',
};

async function list(options: Scoped & { limit: number; after?: string }): Promise<void> {
  const rows = await withClient(options, (client) => client.subscribers(options.after, options.limit));
  if (options.json) return write(rows.map((row) => toJsonLine(asJson(row))).join(''));
  await writeTable(
    [
      'id',
      'name',
      'origin',
      'event types',
      'labels',
      'concurrency',
      'rate',
      'order',
      'mode',
      'cohort',
      'paused',
    ],
    rows.map((s) => [
      s.id,
      s.name,
      s.urlOrigin,
      s.eventTypes.join(','),
      pairs(s.labels),
      s.maxConcurrency,
      s.ratePerSecond,
      s.order,
      s.mode,
      s.cohort,
      s.goneAt ? 'gone (410)' : pauseCell(s.paused, 'subscriber'),
    ]),
  );
  if (rows.length === 0) process.stderr.write('no subscribers\n');
  const last = rows.at(-1);
  if (last && rows.length === options.limit)
    process.stderr.write(`there may be more: --after ${shown(last.id)}\n`);
}

const pairs = (labels: Subscriber['labels']): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(',');

async function show(idOrName: string, options: Scoped): Promise<void> {
  const subscriber = await withClient(options, (client) => client.subscriber(idOrName));
  await (options.json ? writeJson(asJson(subscriber)) : writeLines(describe(subscriber)));
}

async function act(verb: SubscriberVerb, idOrName: string, options: TermOptions): Promise<void> {
  const answer = await withClient(options, (client) =>
    client.actOnSubscriber(verb, idOrName, wordOf(options), termsOf(options)),
  );
  await tell(verb, idOrName, answer, options.json ?? false);
}
