import { setTimeout as sleep } from 'node:timers/promises';
import { FLOORS, OURS, costPer, costSince, costSoFar, sumOf, type Cost } from './cost.js';
import { ratio, rounded, spreadOf, type Spread } from './figures.js';
import { addSubscribers, deliver, deliveredOnce, runFloor, type Delivered, type Ran } from './load.js';
import { atLeast, atMost, exactly, shown, thisMachine, type Report, type Row } from './report.js';
import { setStage, type Part, type Stage, type StageOptions } from './stage.js';

const CPU_RATIO_MAX = 1.3;
const THROUGHPUT_RATIO_MIN = 0.75;
const TYPE = 'bench.all';
const WARM_UP_SHARE = 0.3;
const QUIET_MS = 5_000;

/** Both kinds are medians of the repeats; the rest is in the rows. */
export interface DeliverReport extends Report {
  readonly cpuRatio: number | null;
  readonly throughputRatio: number | null;
  readonly events: number;
  readonly subscribers: number;
  readonly bodyBytes: number;
  readonly repeats: number;
  /** Of each repeat, in their order. */
  readonly ours: readonly Measured[];
  readonly floor: readonly Measured[];
  /** Of every process while there is nothing to do; it is part of all the other figures. */
  readonly idleCpuMsPerSecond: Cost;
}

/** One repeat of one kind. */
export interface Measured {
  readonly perSecond: number;
  readonly cpuMsEach: number | null;
  readonly cpuMsEachByProcess: Cost;
}

/** Deliveries against the floor, in turns. */
export async function benchDeliver(options: StageOptions): Promise<DeliverReport> {
  const { bodyBytes, repeats, say, signal } = options;
  const events = Math.min(options.events, options.size);
  const perEvent = Math.ceil(options.size / events);
  const beganMs = performance.now();
  const stage = await setStage(options, { withFloor: true, reconciles: false });
  try {
    await addSubscribers(stage, options, perEvent, () => [TYPE]);
    const run = Math.random().toString(36).slice(2, 8);
    const ours = (name: string, count = events) =>
      deliver(stage, signal, { name: `ours-${run}-${name}`, type: TYPE, events: count, perEvent, bodyBytes });
    const floor = (name: string, groups = events) =>
      runFloor(stage, signal, { name: `floor-${run}-${name}`, groups, perGroup: perEvent });
    say('warming up');
    await ours('warm', Math.ceil(events * WARM_UP_SHARE));
    await floor('warm', Math.ceil(events * WARM_UP_SHARE));
    const idleCpuMsPerSecond = await quiet(stage, signal);
    const delivered: Delivered[] = [];
    const floors: Ran[] = [];
    let once = 0;
    for (let i = 1; i <= repeats; i++) {
      const mine = await ours(String(i));
      const its = await floor(String(i));
      delivered.push(mine);
      floors.push(its);
      once += await deliveredOnce(stage, `ours-${run}-${i}`);
      say(`${i} of ${repeats}: ${told(measured(mine, OURS))} against ${told(measured(its, FLOORS))}`);
    }
    return reportOf(options, { events, perEvent, delivered, floors, once, idleCpuMsPerSecond }, beganMs);
  } finally {
    say('stopping');
    await stage.stop();
  }
}

/** What everything costs while there is nothing to do. */
async function quiet(stage: Stage, signal: AbortSignal): Promise<Cost> {
  const before = costSoFar(stage);
  await sleep(QUIET_MS, undefined, { signal });
  const { cost, costSeconds } = costSince(before, costSoFar(stage));
  return costPer(cost, costSeconds);
}

export function measured({ cost, count, seconds }: Ran, parts: readonly Part[]): Measured {
  const all = sumOf(cost, parts);
  return {
    perSecond: rounded(count / seconds),
    cpuMsEach: all === null ? null : rounded(all / count),
    cpuMsEachByProcess: costPer(cost, count),
  };
}

export const told = ({ cpuMsEach, perSecond }: Measured): string =>
  `${perSecond.toFixed(1)}/s at ${cpuMsEach?.toFixed(1) ?? '?'} ms`;

interface Results {
  readonly events: number;
  readonly perEvent: number;
  readonly delivered: readonly Delivered[];
  readonly floors: readonly Ran[];
  readonly once: number;
  readonly idleCpuMsPerSecond: Cost;
}

function reportOf(options: StageOptions, results: Results, beganMs: number): DeliverReport {
  const { delivered, events, floors, idleCpuMsPerSecond, once, perEvent } = results;
  const ours = delivered.map((ran) => measured(ran, OURS));
  const floor = floors.map((ran) => measured(ran, FLOORS));
  const cpuRatio = spreadOf(ours.map((mine, i) => ratio(mine.cpuMsEach, floor[i]?.cpuMsEach ?? null)));
  const throughputRatio = spreadOf(ours.map((mine, i) => ratio(mine.perSecond, floor[i]?.perSecond ?? null)));
  const busy = spreadOf(
    delivered.map((mine, i) =>
      ratio(withoutIdle(mine, idleCpuMsPerSecond, OURS), withoutIdle(floors[i], idleCpuMsPerSecond, FLOORS)),
    ),
  );
  const owed = events * perEvent * options.repeats;
  const all = (pick: (one: Delivered) => number): number =>
    delivered.reduce((sum, one) => sum + pick(one), 0);
  const rows: Row[] = [
    atMost('processor time per delivery, over the floor', CPU_RATIO_MAX, cpuRatio),
    shown('  the same, less what all of them use with nothing to do', busy),
    atLeast('deliveries a second, over the floor', THROUGHPUT_RATIO_MIN, throughputRatio),
    shown('deliveries a second', spreadOf(ours.map((one) => one.perSecond))),
    shown('the floor a second', spreadOf(floor.map((one) => one.perSecond))),
    shown('ms of processor per delivery', spreadOf(ours.map((one) => one.cpuMsEach))),
    ...OURS.map((part) => shown(`  ${part}`, byPart(ours, part))),
    shown('ms of processor per floor', spreadOf(floor.map((one) => one.cpuMsEach))),
    shown('  temporal', byPart(floor, 'temporal')),
    shown("  the floor's worker", byPart(floor, 'floor')),
    shown('the world: ms of receivers per delivery', byPart(ours, 'receivers')),
    shown('the world: ms of the publisher per delivery', byPart(ours, 'publisher')),
    exactly('delivered by one attempt, by the ledger', owed, once),
    exactly(
      'keys received',
      owed,
      all((one) => one.received.keys),
    ),
    exactly(
      'requests received',
      owed,
      all((one) => one.received.requests),
    ),
  ];
  return {
    bench: 'deliver',
    verdict: rows.every(({ ok }) => ok) ? 'green' : 'red',
    cpuRatio: cpuRatio?.median ?? null,
    throughputRatio: throughputRatio?.median ?? null,
    ...{ events, subscribers: perEvent, bodyBytes: options.bodyBytes, repeats: options.repeats },
    ...{ machine: thisMachine(), rows, ours, floor, idleCpuMsPerSecond },
    notes: [
      `${events} events to ${perEvent} subscribers each, bodies of ${options.bodyBytes} bytes, ${options.repeats} repeats`,
      `connections opened per repeat: ${Math.round(all((one) => one.received.connections) / options.repeats)}`,
      `ms of processor a second with nothing to do: ${idleTold(idleCpuMsPerSecond)}`,
    ],
    seconds: Math.round((performance.now() - beganMs) / 1_000),
  };
}

/** Milliseconds each, less what these processes use in as long a time with nothing to do. */
function withoutIdle(ran: Ran | undefined, idle: Cost, parts: readonly Part[]): number | null {
  const all = ran && sumOf(ran.cost, parts);
  const idlePerSecond = sumOf(idle, parts);
  if (ran === undefined || all === undefined || all === null || idlePerSecond === null) return null;
  return (all - idlePerSecond * ran.costSeconds) / ran.count;
}

const byPart = (all: readonly Measured[], part: Part | 'publisher'): Spread | null =>
  spreadOf(all.map((one) => one.cpuMsEachByProcess[part]));

const idleTold = (cost: Cost): string =>
  Object.entries(cost)
    .map(([part, ms]) => `${part} ${ms ?? 'unknown'}`)
    .join(', ');
