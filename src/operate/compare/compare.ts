import { ledgerNowMs, recordsAfter } from '../../ledger/compare.js';
import { coded } from '../../ledger/pool.js';
import type { Door } from '../obligations.js';
import { needSubscriber } from '../subscribers.js';
import { JournalByKey } from './journal.js';
import {
  COMPARE_VERDICTS,
  UNEXPLAINED,
  sideBySide,
  type Compared,
  type CompareVerdict,
} from './side-by-side.js';

export interface CompareOptions {
  /** Fills the journal, line by line; called once. */
  readonly readJournal: (journal: JournalByKey) => Promise<void>;
  readonly shipment?: string | undefined;
  /** Id or name. */
  readonly subscriber?: string | undefined;
  /** When the journal was begun and ended: attempts outside aren't looked for in it. By default all up to now. */
  readonly since?: Date | null;
  readonly until?: Date | null;
  /** Told of each obligation's rows; the next page waits for it. */
  readonly onRows: (rows: readonly Compared[]) => Promise<void>;
  readonly onProgress?: (obligations: number) => void;
}

export interface CompareReport {
  readonly obligations: number;
  readonly requests: number;
  readonly attempts: number;
  readonly verdicts: Readonly<Record<CompareVerdict, number>>;
  readonly unexplained: number;
  /** From the receiver's answer to the ledger's record of it, over `measured` attempts; null where none was. */
  readonly windowMs: { readonly measured: number; readonly p50: number | null; readonly max: number | null };
}

const PAGE = 500;

/**
 * Lays a receiver's journal beside the ledger. The journal is read once as a stream and kept grouped by key; the ledger
 * is read in pages, and what has been compared is let go.
 * @throws WaybillError `not_found` for an unknown subscriber; what `readJournal` throws.
 */
export async function compare(door: Door, options: CompareOptions): Promise<CompareReport> {
  const { shipment, since, until } = options;
  const { subscriber, nowMs } = await coded(async () => ({
    subscriber:
      options.subscriber === undefined ? undefined : (await needSubscriber(door, options.subscriber)).id,
    // Before the journal is read: what begins later can't be expected in it.
    nowMs: await ledgerNowMs(door.db),
  }));
  const journal = new JournalByKey({ shipment, subscriber });
  await options.readJournal(journal);

  const tally = openTally();
  const isExpected = (startedAtMs: number): boolean =>
    startedAtMs >= (since?.getTime() ?? -Infinity) && startedAtMs < (until?.getTime() ?? nowMs);
  const filter = { account: door.account, shipment, subscriber };
  let obligations = 0;
  for (let after = ''; ;) {
    const page = await coded(() => recordsAfter(door.db, filter, after, PAGE));
    for (const record of page) {
      const rows = sideBySide(record.key, record, journal.take(record.key), isExpected);
      tally.add(rows);
      await options.onRows(rows);
    }
    obligations += page.length;
    options.onProgress?.(obligations);
    const last = page.at(-1);
    if (!last || page.length < PAGE) break;
    after = last.key;
  }
  for (const key of journal.left()) {
    const rows = sideBySide(key, undefined, journal.take(key), isExpected);
    tally.add(rows);
    await options.onRows(rows);
  }
  return { obligations, requests: journal.requests, ...tally.sums() };
}

function openTally() {
  const verdicts = Object.fromEntries(COMPARE_VERDICTS.map((name) => [name, 0])) as Record<
    CompareVerdict,
    number
  >;
  const windows: number[] = [];
  let attempts = 0;
  return {
    add(rows: readonly Compared[]): void {
      for (const row of rows) {
        verdicts[row.verdict] += 1;
        if (row.outcome !== null || row.verdict === 'under-way') attempts += 1;
        if (row.windowMs !== null) windows.push(row.windowMs);
      }
    },
    sums(): Pick<CompareReport, 'attempts' | 'verdicts' | 'unexplained' | 'windowMs'> {
      const sorted = Float64Array.from(windows).sort();
      const at = (i: number): number | null => (sorted[i] === undefined ? null : Math.round(sorted[i]));
      return {
        attempts,
        verdicts,
        unexplained: UNEXPLAINED.reduce((sum, name) => sum + verdicts[name], 0),
        windowMs: { measured: sorted.length, p50: at(sorted.length >> 1), max: at(sorted.length - 1) },
      };
    },
  };
}
