import type { Command } from 'commander';
import type { CohortInFull, CohortSettings, ScopeVerb } from '../client.js';
import { SCOPE_VERBS } from '../ledger/acts.js';
import { withWord, wordOf } from './act.js';
import { actorOption, numberOrText, orNone, scopedCommand, wholeNumber, type Scoped } from './command.js';
import { toJsonLine, write, writeJson, writeLines } from './output.js';
import { pauseCell, pauseJson, pauseWords } from './pause-view.js';
import { tell, termsOf, withTerms, type TermOptions } from './scope-act.js';
import { withClient } from './session.js';
import { shown, writeTable } from './table.js';

interface CapOptions extends Scoped {
  readonly maxSubscribers?: string;
  readonly actor?: string;
}

const WHAT: Readonly<Record<ScopeVerb, string>> = {
  on: 'Let its subscribers take part in what is published from now on.',
  off: 'Leave its subscribers out of what is published from now on; what runs goes on. Each event tells who was left out.',
  pause: 'Hold everything owed to its subscribers; nothing is dropped, no tries are used, validity runs on.',
  resume: 'Let go what the pause has held, at a ramp.',
};

/** `waybill cohort ...`: part of the subscribers under one name. */
export function define(program: Command): void {
  const group = program
    .command('cohort')
    .description('Parts of the subscribers that are rolled out, held and let go together.')
    .addHelpText('after', '\nExample:\n  $ waybill cohort list');
  withCap(
    scopedCommand(
      group,
      'add',
      'Add a cohort. It is on; subscribers join it with `subscriber update --cohort`.',
      'waybill cohort add canary --max-subscribers 20',
    ).argument('<name>', 'unique in the account'),
  ).action(add);
  scopedCommand(group, 'list', 'Cohorts in the order of their names.', 'waybill cohort list')
    .option('--limit <n>', 'at most this many', wholeNumber(1, 10_000), 100)
    .option('--after <name>', 'go on after this name')
    .action(list);
  scopedCommand(
    group,
    'show',
    'One cohort: whether it is on or paused, how many subscribers it has and take part, what is still owed to them.',
    'waybill cohort show canary',
  )
    .argument('<name>')
    .action(show);
  withCap(
    scopedCommand(
      group,
      'update',
      'Change how many of its subscribers take part in what is published from now on.',
      'waybill cohort update canary --max-subscribers 200',
    ).argument('<name>'),
    true,
  ).action(update);
  for (const verb of SCOPE_VERBS) {
    const command = scopedCommand(
      group,
      verb,
      WHAT[verb],
      `waybill cohort ${verb} canary --reason 'ticket 1017'`,
    ).argument('<name>');
    withTerms(verb, withWord(command)).action((name: string, options: TermOptions) =>
      act(verb, name, options),
    );
  }
}

function withCap(command: Command, needed = false): Command {
  const flags = '--max-subscribers <n>';
  const what = 'how many take part at most, the longest-standing first; none: all';
  const capped = needed ? command.requiredOption(flags, what) : command.option(flags, what);
  return capped.addOption(actorOption());
}

/** For intake to judge. */
const capOf = (text: string): CohortSettings['maxSubscribers'] => orNone(text, numberOrText) as never;

async function add(name: string, options: CapOptions): Promise<void> {
  const settings =
    options.maxSubscribers === undefined ? {} : { maxSubscribers: capOf(options.maxSubscribers) };
  await writeCohort(await withClient(options, (client) => client.addCohort(name, settings)), options);
}

async function update(name: string, options: CapOptions & { maxSubscribers: string }): Promise<void> {
  const settings = { maxSubscribers: capOf(options.maxSubscribers) };
  await writeCohort(await withClient(options, (client) => client.updateCohort(name, settings)), options);
}

async function show(name: string, options: Scoped): Promise<void> {
  await writeCohort(await withClient(options, (client) => client.cohort(name)), options);
}

async function writeCohort(cohort: CohortInFull, { json }: Scoped): Promise<void> {
  if (json) return writeJson({ ...cohort, paused: pauseJson(cohort.paused) });
  await writeLines([
    `name: ${shown(cohort.name)}`,
    `account: ${shown(cohort.account)}`,
    `on: ${cohort.on ? 'yes' : 'no'}`,
    `paused: ${shown(pauseWords(cohort.paused, 'cohort'))}`,
    `max subscribers: ${cohort.maxSubscribers ?? 'all'}`,
    `subscribers: ${cohort.subscribers}, of which ${cohort.takingPart} take part`,
    `open obligations: ${cohort.openObligations}`,
    `created: ${shown(cohort.createdAt)}`,
  ]);
}

async function list(options: Scoped & { limit: number; after?: string }): Promise<void> {
  const rows = await withClient(options, (client) => client.cohorts(options.after, options.limit));
  if (options.json)
    return write(rows.map((row) => toJsonLine({ ...row, paused: pauseJson(row.paused) })).join(''));
  await writeTable(
    ['name', 'on', 'max subscribers', 'subscribers', 'taking part', 'paused'],
    rows.map((c) => [
      c.name,
      c.on ? 'yes' : 'no',
      c.maxSubscribers ?? 'all',
      c.subscribers,
      c.takingPart,
      pauseCell(c.paused, 'cohort'),
    ]),
  );
  if (rows.length === 0) process.stderr.write('no cohorts\n');
  const last = rows.at(-1);
  if (last && rows.length === options.limit)
    process.stderr.write(`there may be more: --after ${shown(last.name)}\n`);
}

async function act(verb: ScopeVerb, name: string, options: TermOptions): Promise<void> {
  const answer = await withClient(options, (client) =>
    client.actOnCohort(verb, name, wordOf(options), termsOf(options)),
  );
  await tell(verb, name, answer, options.json ?? false);
}
