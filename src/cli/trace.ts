import { Option, type Command } from 'commander';
import { scopedCommand, wholeNumber, type Scoped } from './command.js';
import { UsageError } from './faults.js';
import { tellMore, writeObligations } from './obligation-table.js';
import { toJsonLine, write, writeJson, writeLines } from './output.js';
import { untilInterrupted, withClient } from './session.js';
import { shown, writeTable } from './table.js';
import type { EventRow, LeftOut, ObligationRow, WaybillClient } from '../client.js';

interface TraceOptions extends Scoped {
  readonly shipment?: string;
  readonly subscriber?: string;
  readonly version?: number;
  readonly limit?: number;
  readonly after?: string;
  readonly follow?: true;
}

const LIMIT = 100;

/** `waybill trace`: why an obligation stands where it stands; or what a shipment or a subscriber is owed. */
export function define(program: Command): void {
  scopedCommand(
    program,
    'trace',
    'The whole story of one obligation by its key: where it stands, why not yet, every attempt, every act. ' +
      'Or the events and obligations of a shipment, or the obligations of a subscriber.',
    'waybill trace ORDER-42:sub_aB3dE6gH9jK2mN5pQ8sT:7 --follow\nwaybill trace --shipment ORDER-42 --version 7',
  )
    .argument('[key]', 'shipment:subscriber:version')
    .option('--shipment <id>', 'the events of this shipment and their obligations')
    .option('--subscriber <id-or-name>', 'obligations to this subscriber')
    .option('--version <n>', 'only this version', wholeNumber(0, Number.MAX_SAFE_INTEGER))
    .option('--limit <n>', `at most this many (default: ${LIMIT})`, wholeNumber(1, 10_000))
    .option('--after <key>', 'go on after this key')
    .addOption(
      new Option('--follow', 'with a key: print what is new until the obligation is final, or Ctrl-C'),
    )
    .action(trace);
}

async function trace(key: string | undefined, options: TraceOptions): Promise<void> {
  const { shipment, subscriber } = options;
  if (key === undefined) {
    if (options.follow) throw new UsageError('--follow needs a key');
    if (shipment === undefined && subscriber === undefined) {
      throw new UsageError('give a key, --shipment or --subscriber');
    }
    return traceMany(options);
  }
  for (const name of ['shipment', 'subscriber', 'version', 'limit', 'after'] as const) {
    if (options[name] !== undefined) throw new UsageError(`a key and --${name} exclude each other`);
  }
  const { followObligation, showObligation } = await import('./trace-obligation.js');
  await withClient(options, (client, { temporalUiUrl }) => {
    const view = { client, key, json: options.json ?? false, temporalUiUrl };
    return options.follow
      ? untilInterrupted((signal) => followObligation(view, signal))
      : showObligation(view);
  });
}

async function traceMany(options: TraceOptions): Promise<void> {
  const { shipment, subscriber, version, after, limit = LIMIT } = options;
  const { events, obligations, leftOut } = await withClient(options, async (client) => {
    const named = subscriber === undefined ? undefined : (await client.subscriber(subscriber)).id;
    return {
      events: shipment === undefined ? undefined : await client.events(shipment, version, limit),
      obligations: await client.find({
        limit,
        ...(shipment === undefined ? {} : { shipment }),
        ...(named === undefined ? {} : { subscriber: named }),
        ...(version === undefined ? {} : { version }),
        ...(after === undefined ? {} : { after }),
      }),
      leftOut:
        shipment === undefined || version === undefined
          ? undefined
          : await leftOutOf(client, shipment, version, named, limit),
    };
  });
  if (options.json) {
    if (events) return writeJson({ events, obligations, ...(leftOut ? { leftOut } : {}) });
    return write(obligations.map(toJsonLine).join(''));
  }
  if (events) await writeEvents(shipment ?? '', events);
  await writeMany(obligations);
  tellMore(obligations, limit);
  if (leftOut && leftOut.length > 0) await writeLeftOut(leftOut);
}

/** Of one subscriber the page that begins just before it. */
async function leftOutOf(
  client: WaybillClient,
  shipment: string,
  version: number,
  subscriber: string | undefined,
  limit: number,
): Promise<LeftOut[]> {
  if (subscriber === undefined) return client.leftOut(shipment, version, '', limit);
  const page = await client.leftOut(shipment, version, subscriber.slice(0, -1), limit);
  return page.filter((one) => one.subscriberId === subscriber);
}

async function writeEvents(shipment: string, events: readonly EventRow[]): Promise<void> {
  if (events.length === 0) return writeLines([`shipment ${shown(shipment)}: no such event was published`]);
  await writeTable(
    ['version', 'type', 'published', 'by', 'bytes', 'obligations'],
    events.map((e) => [e.version, e.type, e.publishedAt, e.publishedBy, e.payloadBytes, owed(e)]),
  );
  await writeLines(['']);
}

function owed(event: EventRow): string {
  if (event.obligations === null) return 'not matched yet';
  if (event.leftOut > 0) return `${event.obligations}, and ${event.leftOut} left out`;
  return event.obligations === 0 ? '0: no subscriber matches' : String(event.obligations);
}

const LEFT_OUT: Readonly<Record<LeftOut['reason'], string>> = {
  'cohort-off': 'its cohort was switched off',
  'cohort-cap': 'its cohort was full; others have been in it for longer',
};

async function writeLeftOut(rows: readonly LeftOut[]): Promise<void> {
  await writeLines(['']);
  await writeTable(
    ['subscriber', 'name', 'cohort', 'left out because'],
    rows.map((one) => [one.subscriberId, one.subscriberName, one.cohort, LEFT_OUT[one.reason]]),
  );
}

async function writeMany(obligations: readonly ObligationRow[]): Promise<void> {
  if (obligations.length === 0) return writeLines(['no obligations']);
  await writeObligations(obligations);
}
