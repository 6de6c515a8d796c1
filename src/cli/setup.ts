import type { Command } from 'commander';
import { subcommand, type Common } from './command.js';
import { printable, writeJson, writeLines } from './output.js';

/** `waybill setup`: brings database and namespace to what this release needs; says what it did. */
export function define(program: Command): void {
  subcommand(
    program,
    'setup',
    'Prepare Postgres (migrations, partitions) and the Temporal namespace (search attributes). Safe to repeat. ' +
      'Needs WAYBILL_ADMIN_DATABASE_URL, the owner of the schema.',
    'waybill setup',
  ).action((options: Common) => setup(options.json ?? false));
}

async function setup(json: boolean): Promise<void> {
  const { WaybillError } = await import('../errors.js');
  const { setUpDatabase, setUpSchedule, setUpTemporal } = await import('../operate/set-up.js');
  const adminUrl = process.env['WAYBILL_ADMIN_DATABASE_URL'];
  if (!adminUrl) {
    throw new WaybillError('config_invalid', 'WAYBILL_ADMIN_DATABASE_URL: is not set', {
      field: 'WAYBILL_ADMIN_DATABASE_URL',
    });
  }
  const database = await setUpDatabase(adminUrl, (line) => process.stderr.write(`${printable(line)}\n`));
  const { connectClient } = await import('../temporal.js');
  const temporal = await connectClient();
  try {
    const searchAttributes = await setUpTemporal(temporal.client, temporal.namespace);
    const schedule = await setUpSchedule(temporal.client);
    const did = { ...database, searchAttributes, schedule, namespace: temporal.namespace };
    if (json) return await writeJson(did);
    await writeLines([
      `migrations: ${did.migrations.length > 0 ? did.migrations.join(', ') : 'all were there'}`,
      `partitions: ${did.partitions > 0 ? `${did.partitions} made` : 'all were there'}`,
      `schedule of reconciliation: ${schedule ? 'made' : 'was there'}`,
      `search attributes in ${printable(did.namespace)}: ${searchAttributes.length > 0 ? searchAttributes.join(', ') : 'all were there'}`,
    ]);
  } finally {
    await temporal.close();
  }
}
