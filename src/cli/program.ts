import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { VERBS, type Verb } from '../contract.js';
import { refuseRepeats } from './command.js';

interface Entry {
  readonly summary: string;
  readonly load: () => Promise<{ define: (program: Command) => void }>;
}

/** Each command with the file it lives in, which is loaded only when the command line names it. */
export const COMMANDS: Readonly<Record<string, Entry>> = {
  setup: { summary: 'prepare Postgres and Temporal', load: () => import('./setup.js') },
  worker: { summary: 'run a worker', load: () => import('./worker.js') },
  doctor: { summary: 'check everything Waybill needs', load: () => import('./doctor.js') },
  subscriber: {
    summary: 'add, import, list, show, update, secret, certify, pause, resume, remove',
    load: () => import('./subscriber.js'),
  },
  cohort: {
    summary: 'add, list, show, update, on, off, pause, resume',
    load: () => import('./cohort.js'),
  },
  account: { summary: 'show, pause, resume everything', load: () => import('./account.js') },
  publish: { summary: 'publish one event', load: () => import('./publish.js') },
  trace: { summary: 'explain an obligation, a shipment or a subscriber', load: () => import('./trace.js') },
  ...acts({
    pause: 'hold one obligation',
    resume: 'let a paused obligation go on',
    terminate: 'end one obligation',
    redrive: 'try a dead obligation again',
  }),
  reconcile: {
    summary: 'hold ledger and Temporal against each other, and mend',
    load: () => import('./reconcile.js'),
  },
  receiver: {
    summary: "run a subscriber's endpoint, for trying things out",
    load: () => import('./receiver.js'),
  },
  compare: {
    summary: "lay a receiver's journal beside the ledger",
    load: () => import('./compare.js'),
  },
  dead: { summary: 'list dead letters', load: () => import('./dead.js') },
};

function acts(summaries: Readonly<Record<Verb, string>>): Record<string, Entry> {
  return Object.fromEntries(
    VERBS.map((verb) => [
      verb,
      {
        summary: summaries[verb],
        load: async () => ({ define: (await import('./act.js')).defineAct(verb) }),
      },
    ]),
  );
}

/** The command tree; of commands that `argv` doesn't name just the name and the summary. */
export async function makeProgram(argv: readonly string[] | 'all'): Promise<Command> {
  const program = new Command('waybill')
    .description('Durable delivery of shipment events to HTTPS endpoints.')
    .version(release())
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .addHelpText('after', '\nExample:\n  $ waybill trace ORDER-42:sub_aB3dE6gH9jK2mN5pQ8sT:7 --follow');
  for (const [name, entry] of Object.entries(COMMANDS)) {
    if (argv === 'all' || argv.includes(name)) (await entry.load()).define(program);
    else program.command(name);
    program.commands.find((command) => command.name() === name)?.summary(entry.summary);
  }
  refuseRepeats(program);
  return program;
}

function release(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}
