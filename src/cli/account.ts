import type { Command } from 'commander';
import { withWord, wordOf } from './act.js';
import { scopedCommand, type Scoped } from './command.js';
import { writeJson, writeLines } from './output.js';
import { pauseJson, pauseWords } from './pause-view.js';
import { tell, termsOf, withTerms, type TermOptions } from './scope-act.js';
import { withClient } from './session.js';
import { shown } from './table.js';

const WHAT = {
  pause:
    'Hold everything owed to anybody in the account; nothing is dropped, no tries are used, validity runs on.',
  resume: 'Let go what the pause has held, at a ramp for each subscriber.',
} as const;

/** `waybill account ...`: everything of one tenant at once. */
export function define(program: Command): void {
  const group = program
    .command('account')
    .description('Everything of one account at once.')
    .addHelpText('after', '\nExample:\n  $ waybill account show');
  scopedCommand(
    group,
    'show',
    'Whether it is paused, how many subscribers it has, and what is still owed to them.',
    'waybill account show --account eu',
  ).action(show);
  for (const verb of ['pause', 'resume'] as const) {
    const command = scopedCommand(
      group,
      verb,
      WHAT[verb],
      `waybill account ${verb} --account eu --reason 'ticket 1017'`,
    );
    withTerms(verb, withWord(command)).action((options: TermOptions) => act(verb, options));
  }
}

async function show(options: Scoped): Promise<void> {
  const account = await withClient(options, (client) => client.account());
  if (options.json) return writeJson({ ...account, paused: pauseJson(account.paused) });
  await writeLines([
    `account: ${shown(account.account)}`,
    `paused: ${shown(pauseWords(account.paused, 'account'))}`,
    `subscribers: ${account.subscribers}`,
    `open obligations: ${account.openObligations}`,
  ]);
}

async function act(verb: keyof typeof WHAT, options: TermOptions): Promise<void> {
  const answer = await withClient(options, (client) =>
    client.actOnAccount(verb, wordOf(options), termsOf(options)),
  );
  await tell(verb, options.account, answer, options.json ?? false);
}
