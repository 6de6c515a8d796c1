import type { Command } from 'commander';
import type { ActAnswer } from '../client.js';
import type { Verb } from '../contract.js';
import { actorOf, actorOption, scopedCommand, type Scoped } from './command.js';
import { writeJson, writeLines } from './output.js';
import { termsOf, withUntil, type TermOptions } from './scope-act.js';
import { withClient } from './session.js';
import { shown } from './table.js';

/** Options of every act on an obligation or a subscriber. */
export interface WordOptions extends Scoped {
  readonly reason: string;
  readonly actor?: string;
  readonly requestId?: string;
}

const WHAT: Readonly<Record<Verb, string>> = {
  pause: 'Hold an open obligation: no request leaves until it is resumed. Tries are kept, validity runs on.',
  resume: 'Let a paused obligation go on; what was left of its wait is waited out.',
  terminate: 'End an obligation for good, also in the middle of an attempt.',
  redrive: 'Try a dead obligation again, with a new budget of tries.',
};

/** `waybill pause|resume|terminate|redrive`: one act on one obligation. */
export const defineAct =
  (verb: Verb) =>
  (program: Command): void => {
    const command = withWord(
      scopedCommand(
        program,
        verb,
        `${WHAT[verb]} Judged, recorded and answered in one transaction; a repeated request id changes nothing.`,
        `waybill ${verb} ORDER-42:sub_aB3dE6gH9jK2mN5pQ8sT:7 --reason 'ticket 1017'`,
      ).argument('<key>', 'shipment:subscriber:version, as trace shows it'),
    );
    (verb === 'pause' ? withUntil(command) : command).action((key: string, options: TermOptions) =>
      act(verb, key, options),
    );
  };

export const withWord = (command: Command): Command =>
  command
    .requiredOption('--reason <text>', 'why, for the audit')
    .addOption(actorOption())
    .option('--request-id <id>', 'makes a repeated call harmless (default: a new one)');

/** Who, why and under which request id. */
export const wordOf = (options: WordOptions) => ({
  actor: actorOf(options.actor),
  reason: options.reason,
  ...(options.requestId === undefined ? {} : { requestId: options.requestId }),
});

async function act(verb: Verb, key: string, options: TermOptions): Promise<void> {
  const answer = await withClient(options, (client) => client[verb](key, wordOf(options), termsOf(options)));
  if (options.json) return writeJson(answer);
  await writeLines([`${verb} ${shown(key)}: ${told(answer)}`]);
}

function told(answer: ActAnswer): string {
  const standing = answer.standing?.disposition ?? answer.disposition;
  return [
    answer.repeated ? 'was done before under this request id' : answer.changed ? 'done' : 'nothing to change',
    `it is ${shown(standing)}`,
    ...(answer.until ? [`the pause ends by itself at ${new Date(answer.until).toISOString()}`] : []),
    answer.confirmed === false ? 'a request that was under way may still end' : 'no request is under way',
  ].join('; ');
}
