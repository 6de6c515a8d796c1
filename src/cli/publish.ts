import { Option, type Command } from 'commander';
import type { EventInput, EventProgress, Published } from '../client.js';
import { invalid } from '../errors.js';
import { actorOption, pairsOption, scopedCommand, type Scoped } from './command.js';
import { EXIT, Ended, UsageError } from './faults.js';
import { toJsonLine, write, writeLines } from './output.js';
import { untilInterrupted, withClient } from './session.js';
import { readBytes } from './source.js';
import { shown } from './table.js';

interface PublishOptions extends Scoped {
  readonly type: string;
  readonly file?: string;
  readonly contentType?: string;
  readonly label?: Readonly<Record<string, string>>;
  readonly occurredAt?: string;
  readonly notBefore?: string;
  readonly validUntil?: string;
  readonly follow?: true;
  readonly actor?: string;
}

/** `waybill publish`: one event, its payload byte for byte from a file or stdin. */
export function define(program: Command): void {
  scopedCommand(
    program,
    'publish',
    'Publish one version of a shipment. Subscribers receive the bytes exactly as they stand in the file. ' +
      'The same version again is answered as before; with anything changed it is event_conflict.',
    'waybill publish ORDER-42 7 --type shipment.delivered --file delivered.json --label merchant=m7 --follow',
  )
    .argument('<shipment>', 'the shipment id')
    .argument('<version>', 'from 0 to 9007199254740991')
    .argument('[source]', '- for a payload on stdin')
    .requiredOption('--type <type>', 'such as shipment.delivered')
    .option('--file <file>', 'holds the payload')
    .option('--content-type <type>', 'sent as given (default: application/json for a .json file, else none)')
    .addOption(pairsOption('--label <name=value>', "for subscribers' filters; may be repeated"))
    .option('--occurred-at <time>', 'ISO 8601 with a zone')
    .option('--not-before <time>', 'no attempt before it')
    .option('--valid-until <time>', 'no attempt after it')
    .addOption(new Option('--follow', 'wait until none of its obligations is open any more, or Ctrl-C'))
    .addOption(actorOption())
    .action(publish);
}

function sourceOf(source: string | undefined, file: string | undefined): string {
  if (source !== undefined && source !== '-')
    throw new UsageError(`'${source}': only - may stand here; files: --file`);
  if (source !== undefined && file !== undefined) throw new UsageError('--file and - exclude each other');
  const chosen = source ?? file;
  if (chosen === undefined) throw new UsageError('give the payload: --file <file>, or - for stdin');
  return chosen;
}

async function publish(
  shipment: string,
  version: string,
  source: string | undefined,
  options: PublishOptions,
): Promise<void> {
  const from = sourceOf(source, options.file);
  if (!/^(0|[1-9]\d*)$/.test(version))
    throw invalid('version', 'must be a whole number from 0 to 9007199254740991');
  const contentType =
    options.contentType ?? (from.toLowerCase().endsWith('.json') ? 'application/json' : undefined);
  await withClient(options, async (client, config) => {
    const event: EventInput = {
      shipment,
      version: Number(version),
      type: options.type,
      payload: await readBytes(from, config.maxPayloadBytes),
      ...(contentType === undefined ? {} : { contentType }),
      ...(options.label === undefined ? {} : { labels: options.label }),
      ...(options.occurredAt === undefined ? {} : { occurredAt: options.occurredAt }),
      ...(options.notBefore === undefined ? {} : { notBefore: options.notBefore }),
      ...(options.validUntil === undefined ? {} : { validUntil: options.validUntil }),
    };
    const published = await client.publish(event);
    await (options.json ? write(toJsonLine(published)) : writeLines(told(published)));
    if (!options.follow) return;
    const { followEvent } = await import('./follow-event.js');
    const end = await untilInterrupted((signal) =>
      followEvent(client, published, options.json ?? false, signal),
    );
    await (options.json ? write(toJsonLine(end)) : writeLines(summary(end)));
    if (end.interrupted) throw new Ended(EXIT.interrupted);
  });
}

const told = (p: Published): string[] => [
  `${p.created ? 'published' : 'was published before'}: shipment ${shown(p.shipment)} version ${p.version}, ` +
    `at ${p.publishedAt}, sha256 ${p.digest}`,
];

function summary({ obligations, byDisposition, leftOut }: EventProgress): string[] {
  if (obligations === null) return ['not matched with subscribers yet'];
  const parts = counts(byDisposition);
  return [
    obligations === 0 ? 'no subscriber matches: 0 obligations' : `${obligations} obligations: ${parts}`,
    ...(Object.keys(leftOut).length > 0 ? [`left out: ${counts(leftOut)}`] : []),
  ];
}

const counts = (by: Readonly<Record<string, number>>): string =>
  Object.entries(by)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ');
