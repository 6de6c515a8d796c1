import Table from 'cli-table3';
import { judge } from '../../demo/check/judge.js';
import type { LedgerView } from '../../demo/check/ledger.js';
import type { JournalRequest } from '../../demo/journal.js';
import type { End } from './removals.js';

/** One kind of thing that was removed, and what became of it. */
export interface Row {
  readonly kind: string;
  readonly what: string;
  readonly removed: number;
  /** Of these, found by the dry run under this kind. */
  readonly named: number;
  readonly notNamed: number;
  /** Mended, and once on record in the audit. */
  readonly repaired: number;
  readonly obligations: number;
  readonly delivered: number;
  readonly held: number;
  readonly terminated: number;
  /** Ended elsewhere than where it must lead. */
  readonly wrongEnd: number;
  /** Requests that the receiver saw without a reason on record, and any to one that is held or ended. */
  readonly unexplained: number;
}

/** What was removed under one kind: by what name it must be found, and whose obligations hang on it. */
export interface Group {
  readonly kind: string;
  readonly what: string;
  /** `finding` names as {@link nameOf} spells them. */
  readonly names: readonly string[];
  readonly keys: readonly string[];
  readonly end: End;
}

export interface Named {
  readonly kind: string;
  readonly key: string | null;
  readonly eventId: number | null;
  readonly did: string | null;
}

/** A finding's name: its kind and what it is about. */
export const nameOf = ({ kind, key, eventId }: Pick<Named, 'kind' | 'key' | 'eventId'>): string =>
  `${kind} ${key ?? `event ${eventId ?? ''}`}`;

export interface Evidence {
  readonly groups: readonly Group[];
  readonly dryRun: readonly Named[];
  readonly run: readonly Named[];
  /** Names in the audit, one for each entry. */
  readonly audited: readonly string[];
  readonly journal: readonly JournalRequest[];
  /** As it ends, with the attempts that were on record before the hand came. */
  readonly ledger: LedgerView;
  /** Held as `record-lost`. */
  readonly recordLost: ReadonlySet<string>;
  /** When the hand came: epoch ms. */
  readonly removedAtMs: number;
}

export function rowsOf(evidence: Evidence): Row[] {
  return evidence.groups.map((group) => rowOf(group, evidence));
}

function rowOf({ kind, what, names, keys, end }: Group, evidence: Evidence): Row {
  const { journal, ledger, recordLost, removedAtMs } = evidence;
  const named = new Set(evidence.dryRun.map(nameOf));
  const mended = new Set(evidence.run.filter(isMended).map(nameOf));
  const once = countsOf(evidence.audited);
  const mine = new Set(keys);
  const obligations = ledger.obligations.filter((o) => mine.has(o.key));
  const ended = (disposition: End): number =>
    obligations.filter(
      (o) => o.disposition === disposition && (disposition !== 'held' || recordLost.has(o.key)),
    ).length;
  const requests = journal.filter((r) => mine.has(r.key));
  const after = end === 'delivered' ? [] : requests.filter((r) => r.headAtMs > removedAtMs);
  return {
    ...{ kind, what, removed: names.length },
    named: names.filter((name) => named.has(name)).length,
    notNamed: names.filter((name) => !named.has(name)).length,
    repaired: names.filter((name) => mended.has(name) && once.get(name) === 1).length,
    obligations: keys.length,
    ...{ delivered: ended('delivered'), held: ended('held'), terminated: ended('terminated') },
    wrongEnd: keys.length - ended(end),
    unexplained: judge(requests, ledger, Date.now()).requestsUnexplained + after.length,
  };
}

const isMended = ({ did }: Named): boolean => did !== null && !/^(left|failed)/.test(did);

function countsOf(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** Why a row falls short, in words; empty where it doesn't. */
export function faultsIn(row: Row): string[] {
  const { removed, repaired, notNamed, wrongEnd, unexplained } = row;
  return [
    ...(notNamed > 0 ? [`${notNamed} not named`] : []),
    ...(repaired < removed ? [`${removed - repaired} not mended, or not once on record`] : []),
    ...(wrongEnd > 0 ? [`${wrongEnd} ended elsewhere`] : []),
    ...(unexplained > 0 ? [`${unexplained} requests unexplained`] : []),
  ].map((fault) => `${row.kind}, ${row.what}: ${fault}`);
}

/** For people. */
export function tableOf(rows: readonly Row[]): string {
  const columns = [
    ...([
      'removed',
      'named',
      'notNamed',
      'repaired',
      'obligations',
      'delivered',
      'held',
      'terminated',
    ] as const),
    ...(['wrongEnd', 'unexplained'] as const),
  ];
  const table = new Table({
    head: ['kind', 'removed was', ...columns],
    style: { head: [], border: [], compact: true },
  });
  for (const row of rows) table.push([row.kind, row.what, ...columns.map((name) => row[name])]);
  return table.toString();
}
