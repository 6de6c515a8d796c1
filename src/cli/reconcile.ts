import type { Command } from 'commander';
import { actorOf, actorOption, subcommand, wholeNumber, type Common } from './command.js';
import { Ended, EXIT } from './faults.js';
import { printable, toJsonLine, write, writeJson, writeLines } from './output.js';
import { shown, writeTable } from './table.js';
import type { Reported } from '../operate/reconcile/reconcile.js';

interface ReconcileOptions extends Common {
  readonly dryRun?: true;
  readonly graceMs?: number;
  readonly actor?: string;
}

/** `waybill reconcile`: what the schedule does every few minutes, now. */
export function define(program: Command): void {
  subcommand(
    program,
    'reconcile',
    'Hold ledger and Temporal against each other: what was not relayed, fanned out or started, workflows that ended, or ' +
      "were ended with Temporal's own tools, while the ledger is open, leases that ran out, records that are gone. Each " +
      'finding is mended and put on record. While everything works it changes nothing.',
    'waybill reconcile --dry-run',
  )
    .option('--dry-run', 'tell what would be mended, and mend nothing')
    .option(
      '--grace-ms <n>',
      'how long it must stand still to be taken for stuck (default: WAYBILL_RECONCILE_GRACE_MS)',
      wholeNumber(0, 86_400_000),
    )
    .addOption(actorOption())
    .action(run);
}

async function run(options: ReconcileOptions): Promise<void> {
  const [{ openReconcile }, { reconcile }] = await Promise.all([
    import('../operate/reconcile/open.js'),
    import('../operate/reconcile/reconcile.js'),
  ]);
  const opened = await openReconcile({
    actor: actorOf(options.actor),
    ...(options.graceMs === undefined ? {} : { graceMs: options.graceMs }),
  });
  const found: Reported[] = [];
  try {
    const onFault = (_: unknown, error: unknown): void => {
      process.stderr.write(`${printable(error instanceof Error ? error.message : String(error))}\n`);
    };
    const report = await reconcile(
      { ...opened.deps, onFault },
      { dryRun: options.dryRun ?? false, onFinding: (finding) => found.push(finding) },
    );
    if (options.json) {
      await write(found.map((finding) => toJsonLine({ row: 'finding', ...finding })).join(''));
      await writeJson({ row: 'report', ...report });
    } else {
      await writeTable(
        ['kind', 'about', options.dryRun ? 'would be mended' : 'did'],
        found.map((f) => [f.kind, f.key ?? `event ${f.eventId ?? ''}`, f.did ?? 'yes']),
      );
      await writeLines([`${shown(report.findings)} findings, ${shown(report.failed)} could not be mended`]);
    }
    if (report.failed > 0) throw new Ended(EXIT.notReady);
  } finally {
    await opened.close();
  }
}
