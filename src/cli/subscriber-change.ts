import { Option, type Command } from 'commander';
import type { SubscriberChange, SubscriberInput } from '../client.js';
import { actorOption, commaList, numberOrText, pairsOption, scopedCommand, type Scoped } from './command.js';
import { UsageError } from './faults.js';
import { writeJson, writeLines } from './output.js';
import { withClient } from './session.js';
import { readSecret } from './source.js';
import { gateOf, withGate, type GateOptions } from './subscriber-gate.js';
import {
  cleared,
  readOwn,
  withClears,
  withOwn,
  type ClearOptions,
  type OwnOptions,
} from './subscriber-own.js';
import { asJson, describe } from './subscriber-view.js';

interface SettingOptions extends Scoped, OwnOptions, GateOptions {
  readonly eventTypes?: string[];
  readonly label?: Readonly<Record<string, string>>;
  readonly policy?: Readonly<Record<string, string>>;
  readonly actor?: string;
}

interface AddOptions extends SettingOptions {
  readonly secretFile?: string;
}

interface UpdateOptions extends SettingOptions, ClearOptions {
  readonly name?: string;
  readonly url?: string;
  readonly clearLabels?: true;
}

const VALIDITY_BY_TYPE = 'validityMsByType.';

const withSettings = (command: Command): Command =>
  withOwn(withGate(command))
    .option(
      '--event-types <list>',
      'types, prefixes such as shipment.*, or *, separated by commas',
      commaList,
    )
    .addOption(pairsOption('--label <name=value>', 'a pair that an event must have; may be repeated'))
    .addOption(
      pairsOption(
        '--policy <field=number>',
        `a field of the delivery policy, durations in ms, also ${VALIDITY_BY_TYPE}<type>; may be repeated`,
      ),
    )
    .addOption(actorOption());

/** `waybill subscriber add`. */
export function defineAdd(group: Command): void {
  withSettings(
    scopedCommand(
      group,
      'add',
      'Add a subscriber. Its signing secret is made and shown here, this once, or read from a file.',
      "waybill subscriber add acme https://hooks.acme.example/waybill --event-types 'shipment.*' --label merchant=m7",
    )
      .argument('<name>', 'readable, unique in the account')
      .argument('<url>', 'where its events go; https'),
  )
    .option('--secret-file <file>', 'holds the whsec_... secret to sign with (default: a new one is made)')
    .action(add);
}

/** `waybill subscriber update`. */
export function defineUpdate(group: Command): void {
  withClears(
    withSettings(
      scopedCommand(
        group,
        'update',
        'Change a subscriber; what is not named stays. Labels, headers, TLS texts and validityMsByType are replaced as a whole.',
        'waybill subscriber update acme --max-concurrency 4 --policy maxTries=12',
      ).argument('<id-or-name>'),
    ),
  )
    .option('--name <name>', 'another name')
    .option('--url <url>', 'another URL, used from the next attempt on')
    .addOption(new Option('--clear-labels', 'no labels any more').conflicts('label'))
    .action(update);
}

async function settings(
  options: SettingOptions,
): Promise<Omit<SubscriberChange, 'auth' | 'tls'> & Pick<SubscriberInput, 'auth' | 'tls'>> {
  return {
    ...(await readOwn(options)),
    ...(options.eventTypes === undefined ? {} : { eventTypes: options.eventTypes }),
    ...(options.label === undefined ? {} : { labels: options.label }),
    ...(options.policy === undefined ? {} : { policy: policyOf(options.policy) }),
    ...gateOf(options),
  };
}

function policyOf(given: Readonly<Record<string, string>>): Record<string, unknown> {
  const all = Object.entries(given).map(([field, text]) => [field, numberOrText(text)] as const);
  const byType = all.filter(([field]) => field.startsWith(VALIDITY_BY_TYPE));
  return {
    ...Object.fromEntries(all.filter(([field]) => !field.startsWith(VALIDITY_BY_TYPE))),
    ...(byType.length === 0
      ? {}
      : {
          validityMsByType: Object.fromEntries(
            byType.map(([field, value]) => [field.slice(VALIDITY_BY_TYPE.length), value]),
          ),
        }),
  };
}

async function add(name: string, url: string, options: AddOptions): Promise<void> {
  const given = options.secretFile === undefined ? undefined : await readSecret(options.secretFile);
  const chosen = await settings(options);
  const { subscriber, secret } = await withClient(options, (client) =>
    client.addSubscriber({
      name,
      url,
      ...chosen,
      ...(given === undefined ? {} : { secret: given }),
    }),
  );
  const made = given === undefined;
  if (options.json) return writeJson({ subscriber: asJson(subscriber), ...(made ? { secret } : {}) });
  await writeLines([
    ...describe(subscriber),
    made ? `secret: ${secret} (shown this once; keep it)` : 'secret: the one in the file',
  ]);
}

async function update(idOrName: string, options: UpdateOptions): Promise<void> {
  const change: SubscriberChange = {
    ...(await settings(options)),
    ...cleared(options),
    ...(options.clearLabels ? { labels: {} } : {}),
    ...(options.name === undefined ? {} : { name: options.name }),
    ...(options.url === undefined ? {} : { url: options.url }),
  };
  if (Object.keys(change).length === 0) throw new UsageError('nothing to change; name at least one setting');
  const subscriber = await withClient(options, (client) => client.updateSubscriber(idOrName, change));
  await (options.json ? writeJson(asJson(subscriber)) : writeLines(describe(subscriber)));
}
