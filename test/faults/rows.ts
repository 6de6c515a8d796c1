import Table from 'cli-table3';
import type { Finding } from '../kill/judge-round.js';
import { faultOf, type FaultName } from './catalogue.js';
import type { Evidence } from './evidence.js';
import type { Trial } from './trial.js';

/** One line of the report: one fault. Counts, where the name says nothing else. */
export interface Row {
  readonly fault: FaultName;
  /** How long it really was. */
  readonly secondsLong: number;
  /** Times that it did something to somebody. */
  readonly blows: number;
  /** Obligations. */
  readonly owed: number;
  readonly lost: number;
  readonly unexplained: number;
  readonly stuck: number;
  readonly wrongState: number;
  readonly wrong: Readonly<Record<string, number>>;
  readonly secondsToFirstDelivery: number | null;
  readonly secondsToFirstPublish: number;
  readonly secondsToEnd: number;
  readonly deliveredDuringFault: number;
  readonly publishDuringFault: {
    readonly succeeded: number;
    readonly errors: Readonly<Record<string, number>>;
  };
  readonly publishUncoded: number;
  readonly publishForgotten: number;
  readonly publishNotOne: number;
  readonly publishErrorMsMax: number;
  /** Of all answers, good and bad. */
  readonly publishMsMax: number;
  /** Of the subscribers' tries, used by a fault that isn't theirs; null where it is the receiver's. */
  readonly tries: number | null;
  readonly sentTwice: number;
  readonly fellAlone: number;
  /** Of the process that grew most. */
  readonly memoryMb: { readonly process: string; readonly before: number; readonly after: number };
  readonly logLines: number;
  readonly idleInTransactionMax: number;
  readonly publisherWaitingMax: number;
}

const MUST_BE_ZERO = [
  ...(['lost', 'unexplained', 'stuck', 'wrongState', 'publishUncoded', 'publishForgotten'] as const),
  ...(['publishNotOne', 'tries', 'fellAlone', 'idleInTransactionMax'] as const),
];
/** A pool is waited for 5 s, a statement as long, and two cores may be busy. */
const PUBLISH_MS_MOST = 12_000;
const GROWTH_MB_MOST = 60;
const LOG_LINES_MOST = 20;
const FIRST_DELIVERY_S_MOST = 60;
/** Connections of a pool (WAYBILL_POOL_MAX). */
const POOL = 10;

export function rowOf(trial: Trial, finding: Finding, evidence: Evidence): Row {
  const { name, published, seen } = trial;
  const failed = published.filter(({ eventId }) => eventId === undefined);
  const errors: Record<string, number> = {};
  for (const { code, uncoded } of failed) {
    const what = code ?? uncoded ?? '';
    errors[what] = (errors[what] ?? 0) + 1;
  }
  const grown = Object.entries(seen.memoryMb)
    .map(([process, { before, after }]) => ({ process, before, after }))
    .sort((a, b) => b.after - b.before - (a.after - a.before))[0];
  return {
    fault: name,
    secondsLong: Math.round((trial.toMs - trial.fromMs) / 100) / 10,
    blows: trial.blows,
    owed: trial.owed,
    lost: finding.lost,
    unexplained: finding.unexplained,
    stuck: Math.max(trial.stuck, finding.stuck),
    wrongState: finding.wrongState,
    wrong: finding.wrong,
    secondsToFirstDelivery: evidence.secondsToFirstDelivery,
    secondsToFirstPublish: trial.secondsToFirstPublish,
    secondsToEnd: trial.secondsToEnd,
    deliveredDuringFault: evidence.deliveredDuringFault,
    publishDuringFault: { succeeded: published.length - failed.length, errors },
    publishUncoded: failed.filter(({ uncoded }) => uncoded !== undefined).length,
    publishForgotten: evidence.publishForgotten,
    publishNotOne: evidence.publishNotOne,
    publishErrorMsMax: Math.max(0, ...failed.map(({ tookMs }) => tookMs)),
    publishMsMax: Math.max(0, ...published.map(({ tookMs }) => tookMs)),
    tries: faultOf(name).of === 'receiver' ? null : evidence.triesCharged,
    sentTwice: finding.sentTwice,
    fellAlone: trial.fellAlone,
    memoryMb: grown ?? { process: '', before: 0, after: 0 },
    logLines: seen.logLinesPerSecond,
    idleInTransactionMax: seen.idleInTransactionMax,
    publisherWaitingMax: seen.publisherWaitingMax,
  };
}

/** Why a row falls short, in words; empty where it doesn't. */
export function faultsIn(row: Row): string[] {
  const faults: string[] = MUST_BE_ZERO.filter((name) => (row[name] ?? 0) > 0).map(
    (name) => `${name} ${row[name]}`,
  );
  const most = (what: string, value: number, limit: number): void => {
    if (value > limit) faults.push(`${what} ${value}, above ${limit}`);
  };
  most('publishMsMax', row.publishMsMax, PUBLISH_MS_MOST);
  most('memoryMb grew by', row.memoryMb.after - row.memoryMb.before, GROWTH_MB_MOST);
  most('logLines a second', row.logLines, LOG_LINES_MOST);
  most('secondsToFirstDelivery', row.secondsToFirstDelivery ?? Infinity, FIRST_DELIVERY_S_MOST);
  if (row.blows === 0) faults.push('the fault never was');
  if (row.fault === 'pool-exhausted' && row.publisherWaitingMax < POOL)
    faults.push(`only ${row.publisherWaitingMax} of the pool's ${POOL} connections were taken`);
  return faults;
}

/** For people. */
export function tableOf(rows: readonly Row[]): string {
  const zeros = ['lost', 'unexplained', 'stuck', 'wrongState'] as const;
  const table = new Table({
    head: [
      ...['fault', 's long', 'blows', 'owed', ...zeros, 'first delivery s', 'all over s'],
      ...['publish ok', 'errors', 'slowest ms', 'tries', 'fell', 'MB', 'log/s'],
    ],
    style: { head: [], border: [], compact: true },
  });
  for (const row of rows) {
    const { errors, succeeded } = row.publishDuringFault;
    const coded = Object.entries(errors).map(([code, count]) => `${code} ${count}`);
    table.push([
      ...[row.fault, row.secondsLong, row.blows, row.owed, ...zeros.map((name) => row[name])],
      ...[row.secondsToFirstDelivery ?? 'none', row.secondsToEnd, succeeded, coded.join(', ')],
      ...[row.publishMsMax, row.tries ?? '', row.fellAlone],
      ...[`${row.memoryMb.before} to ${row.memoryMb.after}`, row.logLines],
    ]);
  }
  return table.toString();
}
