import type { Command } from 'commander';
import type { Certified } from '../client.js';
import { actorOption, scopedCommand, type Scoped } from './command.js';
import { EXIT, Ended } from './faults.js';
import { writeJson, writeLines } from './output.js';
import { startProgress } from './progress.js';
import { withClient } from './session.js';
import { paints, shown, writeTable } from './table.js';

interface Options extends Scoped {
  readonly reason: string;
  readonly actor?: string;
}

/** `waybill subscriber certify`. */
export function defineCertify(group: Command): void {
  scopedCommand(
    group,
    'certify',
    "Play a drill against a subscriber's endpoint, with its own secrets: does it accept what is genuine, refuse what is " +
      'not, and acknowledge in time? Real requests leave, also for a paused subscriber; no obligation is touched.',
    'waybill subscriber certify acme',
  )
    .argument('<id-or-name>')
    .option('--reason <text>', 'why, for the audit', 'drill')
    .addOption(actorOption())
    .action(run);
}

async function run(idOrName: string, options: Options): Promise<void> {
  const progress = startProgress(`certify ${shown(idOrName)}`, options.json === true);
  let certified: Certified;
  try {
    certified = await withClient(options, (client) =>
      client.certifySubscriber(idOrName, {
        reason: options.reason,
        onCheck: (row, done, total) => progress.update(done, total, row.name),
      }),
    );
  } finally {
    progress.stop();
  }
  await (options.json ? writeJson(certified) : report(certified));
  if (!certified.ok) throw new Ended(EXIT.unexpected);
}

async function report({ checks, drill, ok }: Certified): Promise<void> {
  const { green, red, yellow } = paints();
  const paint = { pass: green, fail: red, 'not run': yellow };
  await writeTable(
    ['check', 'expected', 'got', 'ms', 'verdict', 'advice'],
    checks.map((row) => [row.name, row.expected, row.got, row.tookMs, row.verdict, row.advice]),
    (column, text) => (column === 'verdict' && text in paint ? paint[text as keyof typeof paint] : undefined),
  );
  const passed = checks.filter(({ verdict }) => verdict === 'pass').length;
  await writeLines([`${ok ? 'passed' : 'failed'}: ${passed} of ${checks.length} checks (${drill})`]);
}
