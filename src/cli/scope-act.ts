import type { Command } from 'commander';
import type { ActTerms, SubscriberActAnswer } from '../client.js';
import type { WordOptions } from './act.js';
import { numberOrText } from './command.js';
import { writeJson, writeLines } from './output.js';
import { shown } from './table.js';

/** Options that only a pause or only a resume has. */
export interface TermOptions extends WordOptions {
  readonly until?: string;
  readonly ramp?: number | string;
}

export const withUntil = (command: Command): Command =>
  command.option('--until <time>', 'it ends by itself then; ISO 8601 with a zone (default: when resumed)');

export const withRamp = (command: Command): Command =>
  command.option(
    '--ramp <n>',
    'what was held goes out no faster than this many a second (default: half of what the destination takes)',
    numberOrText,
  );

/** The options that fit the verb. */
export const withTerms = (verb: string, command: Command): Command =>
  verb === 'pause' ? withUntil(command) : verb === 'resume' ? withRamp(command) : command;

/** For intake to judge. */
export const termsOf = ({ until, ramp }: Pick<TermOptions, 'until' | 'ramp'>): ActTerms => ({
  ...(until === undefined ? {} : { until }),
  ...(ramp === undefined ? {} : { rampPerSecond: ramp as never }),
});

/** What an act on a subscriber, a cohort or an account came to. */
export async function tell(
  verb: string,
  name: string,
  answer: SubscriberActAnswer,
  json: boolean,
): Promise<void> {
  if (json) return writeJson(answer);
  const { changed, inFlight = 0, obligations = 0 } = answer;
  await writeLines([
    `${verb} ${shown(name)}: ` +
      [
        answer.repeated ? 'was done before under this request id' : changed ? 'done' : 'nothing to change',
        ...(answer.until ? [`it ends by itself at ${new Date(answer.until).toISOString()}`] : []),
        ...(verb === 'resume' && changed ? [`${obligations} obligations let go`] : []),
        ...(verb === 'remove' && changed ? [`${obligations} obligations ended`] : []),
        answer.confirmed ? 'no request is under way' : `${inFlight} requests under way may still end`,
      ].join('; '),
  ]);
}
