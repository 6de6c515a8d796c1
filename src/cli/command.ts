import type { Command } from 'commander';

/** A sub-command of `parent` with what all commands have: `--json`, and an example at the end of its help. */
export function subcommand(parent: Command, usage: string, description: string, example: string): Command {
  return parent
    .command(usage)
    .description(description)
    .option('--json', 'machine-readable: JSON on stdout, errors as {"error":{...}} on stderr')
    .addHelpText('after', `\nExample:\n  $ ${example.split('\n').join('\n  $ ')}`);
}
