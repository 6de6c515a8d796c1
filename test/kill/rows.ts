import Table from 'cli-table3';
import type { Finding } from './judge-round.js';
import { POINT_SIGNALS, type Kind, type PointSignal } from './plan.js';
import type { RoundFact } from './round.js';

/** One line of the report: every round of one kind of blow. */
export interface Row {
  readonly kind: Kind;
  readonly rounds: number;
  /** Rounds whose point wasn't reached, and which therefore show nothing; each was played again. */
  readonly missed: number;
  readonly lost: number;
  readonly stuck: number;
  readonly unexplained: number;
  readonly wrongState: number;
  /** Processes that ended although nobody told them to. */
  readonly fellAlone: number;
  readonly sentTwice: number;
  readonly retried: number;
  readonly answeredUnknown: number;
  /** What reconciliation had to bring back, its schedule's runs included. */
  readonly reconciled: number;
  /** Rounds by what struck at the point; empty at a random time. */
  readonly signals: Readonly<Partial<Record<PointSignal, number>>>;
  /** Receiver's answer to the settle, for answers around the blow. */
  readonly unknownWindowMs: { readonly p50: number; readonly max: number };
  /** Mean time from publish to the end of a round. */
  readonly secondsPerRound: number;
  /** Rounds to look at: `--only` plays one again. */
  readonly red: readonly number[];
  readonly wrong: Readonly<Record<string, number>>;
}

export interface JudgedRound {
  readonly fact: RoundFact;
  readonly finding: Finding;
}

const MUST_BE_ZERO = ['lost', 'stuck', 'unexplained', 'wrongState', 'fellAlone'] as const;

export function rowsOf(kinds: readonly Kind[], judged: readonly JudgedRound[]): Row[] {
  return kinds.map((kind) =>
    rowOf(
      kind,
      judged.filter(({ fact }) => fact.plan.kind === kind),
    ),
  );
}

function rowOf(kind: Kind, all: readonly JudgedRound[]): Row {
  const hit = all.filter(({ fact }) => fact.struck.hit);
  const sum = (count: (round: JudgedRound) => number): number =>
    all.reduce((n, round) => n + count(round), 0);
  const stuckIn = ({ fact, finding }: JudgedRound): number => Math.max(fact.stuck.length, finding.stuck);
  const windows = all.flatMap(({ finding }) => finding.windowsMs).sort((a, b) => a - b);
  const wrong: Record<string, number> = {};
  for (const { finding } of all)
    for (const [name, count] of Object.entries(finding.wrong)) wrong[name] = (wrong[name] ?? 0) + count;
  return {
    kind,
    rounds: hit.length,
    missed: all.length - hit.length,
    lost: sum(({ finding }) => finding.lost),
    stuck: sum(stuckIn),
    unexplained: sum(({ finding }) => finding.unexplained),
    wrongState: sum(({ finding }) => finding.wrongState),
    fellAlone: sum(({ fact }) => fact.struck.fellAlone.length),
    sentTwice: sum(({ finding }) => finding.sentTwice),
    retried: sum(({ finding }) => finding.retried),
    answeredUnknown: sum(({ finding }) => finding.answeredUnknown),
    reconciled: sum(({ finding }) => finding.reconciled),
    signals: signalsIn(hit),
    unknownWindowMs: {
      p50: Math.round(windows[windows.length >> 1] ?? 0),
      max: Math.round(windows.at(-1) ?? 0),
    },
    secondsPerRound: Math.round((sum(({ fact }) => fact.seconds) / Math.max(1, all.length)) * 10) / 10,
    red: all
      .filter(
        (round) =>
          stuckIn(round) + round.finding.lost + round.finding.unexplained + round.finding.wrongState > 0,
      )
      .map(({ fact }) => fact.plan.round),
    wrong,
  };
}

function signalsIn(rounds: readonly JudgedRound[]): Row['signals'] {
  const struck = rounds.filter(({ fact }) => fact.plan.point !== undefined);
  const counts = POINT_SIGNALS.map(
    (signal) => [signal, struck.filter(({ fact }) => fact.plan.signal === signal).length] as const,
  );
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

/** Why a row falls short, in words; empty where it doesn't. `due`: rounds planned for it. */
export function faultsIn(row: Row, due: number): string[] {
  const faults: string[] = MUST_BE_ZERO.filter((name) => row[name] > 0).map((name) => `${name} ${row[name]}`);
  if (row.rounds < due) faults.push(`${row.rounds} of ${due} rounds reached it`);
  if (row.kind === 'receiver answer lost' && row.rounds > 0 && row.answeredUnknown === 0)
    faults.push('no answer that the receiver gave was lost');
  return faults;
}

/** For people. */
export function tableOf(rows: readonly Row[]): string {
  const counts = ['lost', 'stuck', 'reconciled', 'unexplained', 'wrongState', 'sentTwice'] as const;
  const columns = ['rounds', 'missed', ...counts] as const;
  const table = new Table({
    head: [
      ...['kill', 'KILL/\nTERM/\nSTOP', ...columns],
      ...['answered,\nthen\nunknown', 'window\nms p50', 'max', 's/\nround', 'red'],
    ],
    style: { head: [], border: [], compact: true },
  });
  for (const row of rows) {
    const { p50, max } = row.unknownWindowMs;
    const wrong = Object.entries(row.wrong).map(([name, count]) => `${name} ${count}`);
    const red = [row.red.join(' '), ...wrong].filter((text) => text !== '').join('; ');
    table.push([
      row.kind,
      struckBy(row),
      ...columns.map((name) => row[name]),
      ...[row.answeredUnknown, p50, max, row.secondsPerRound, red],
    ]);
  }
  return table.toString();
}

const struckBy = ({ signals }: Row): string =>
  Object.keys(signals).length === 0 ? '' : POINT_SIGNALS.map((signal) => signals[signal] ?? 0).join('/');
