import { Command } from 'commander';

interface Entry {
  readonly summary: string;
  readonly load: () => Promise<{ define: (program: Command) => void }>;
}

/** Each command with the file it lives in, which is loaded only when the command line names it. */
export const COMMANDS: Readonly<Record<string, Entry>> = {
  setup: { summary: 'prepare Postgres and Temporal', load: () => import('./setup.js') },
  worker: { summary: 'run a worker', load: () => import('./worker.js') },
};

/** The command tree; of commands that `argv` doesn't name just the name and the summary. */
export async function makeProgram(argv: readonly string[] | 'all'): Promise<Command> {
  const program = new Command('waybill')
    .description('Durable delivery of shipment events to HTTPS endpoints.')
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .addHelpText('after', '\nExample:\n  $ waybill trace ORDER-42:sub_aB3dE6gH9jK2mN5pQ8sT:7 --follow');
  for (const [name, entry] of Object.entries(COMMANDS)) {
    if (argv === 'all' || argv.includes(name)) (await entry.load()).define(program);
    else program.command(name);
    program.commands.find((command) => command.name() === name)?.summary(entry.summary);
  }
  return program;
}
