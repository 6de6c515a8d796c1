import type { ObligationRow } from '../client.js';
import { paintColumns, shown, writeTable } from './table.js';

/** A list of obligations, one line each. */
export const writeObligations = (rows: readonly ObligationRow[]): Promise<void> =>
  writeTable(
    ['key', 'subscriber', 'type', 'disposition', 'attempts', 'last', 'next', 'ended'],
    rows.map((o) => [
      o.key,
      o.subscriberName,
      o.eventType,
      o.disposition,
      o.attempts,
      o.lastStatus ?? o.lastClass,
      o.nextEligibleAt,
      o.finishedAt,
    ]),
    paintColumns,
  );

/** Tells people that a list goes on; scripts count the rows. */
export function tellMore(rows: readonly { key: string }[], limit: number): void {
  const last = rows.at(-1);
  if (last && rows.length === limit) process.stderr.write(`there may be more: --after ${shown(last.key)}\n`);
}
