import type { Command } from 'commander';
import type { Gate } from '../client.js';
import { numberOrText, orNone, wholeNumber } from './command.js';
import { duration } from './duration.js';

/** How fast, in what order and with whom: options of `subscriber add` and `subscriber update`. */
export interface GateOptions {
  readonly maxConcurrency?: number;
  readonly rate?: string;
  readonly order?: string;
  readonly orderWait?: number;
  readonly mode?: string;
  readonly cohort?: string;
}

export const withGate = (command: Command): Command =>
  command
    .option('--max-concurrency <n>', 'requests open at once, over all workers', wholeNumber(1, 1000))
    .option('--rate <n>', 'requests a second that may begin, over all workers; none: no limit')
    .option('--order <policy>', 'of the versions of a shipment: none, skip-stale or serialize')
    .option(
      '--order-wait <time>',
      'with serialize: how long a version waits for older ones, such as 90s, 30m, 1h, 7d',
      duration,
    )
    .option('--mode <mode>', 'live; or shadow: all is done but the send')
    .option('--cohort <name>', 'the cohort it is in; none: in none');

/** For intake to judge. */
export function gateOf(options: GateOptions): Partial<Gate> {
  const { maxConcurrency, rate, order, orderWait, mode, cohort } = options;
  return {
    ...(maxConcurrency === undefined ? {} : { maxConcurrency }),
    ...(rate === undefined ? {} : { ratePerSecond: orNone(rate, numberOrText) as never }),
    ...(order === undefined ? {} : { order: order as never }),
    ...(orderWait === undefined ? {} : { orderWaitMs: orderWait }),
    ...(mode === undefined ? {} : { mode: mode as never }),
    ...(cohort === undefined ? {} : { cohort: orNone(cohort, String) }),
  };
}
