import type { Command } from 'commander';
import type { Check } from '../operate/doctor.js';
import { subcommand, type Common } from './command.js';
import { EXIT, Ended } from './faults.js';
import { printable, writeJson, writeLines } from './output.js';
import { paints } from './table.js';

/** `waybill doctor`: checks all Waybill needs and says how to mend what is wrong. */
export function define(program: Command): void {
  subcommand(
    program,
    'doctor',
    'Check all that Waybill needs (configuration, Postgres, keys, Temporal) and say how to mend what is wrong. ' +
      'Changes nothing. Ends with 0 where all is well, else with 6.',
    'waybill doctor --json',
  ).action(doctor);
}

async function doctor(options: Common): Promise<void> {
  const { diagnose } = await import('../operate/doctor.js');
  const checks = await diagnose(process.env);
  const ok = checks.every((check) => check.ok);
  await (options.json ? writeJson({ ok, checks }) : writeLines(checks.flatMap(lines)));
  if (!ok) throw new Ended(EXIT.notReady);
}

function lines({ name, ok, info, found, mend }: Check): string[] {
  const { green, red, cyan } = paints();
  const mark = info ? cyan('info') : ok ? green('ok  ') : red('FAIL');
  return [
    `${mark} ${name}: ${printable(found)}`,
    ...(mend === undefined ? [] : [`     mend: ${printable(mend)}`]),
  ];
}
