import { setTimeout as sleep } from 'node:timers/promises';
import { obligationKey } from '../src/contract.js';
import type { FloorPace } from './floor/worker.js';
import { quantile, ratio, rounded, spreadOf } from './figures.js';
import { addSubscribers, deliver, deliveredOnce, payloadOf, runFloor, shipmentOf } from './load.js';
import { exactly, shown, thisMachine, type Report, type Row } from './report.js';
import { setStage, type Stage, type StageOptions } from './stage.js';

/** Of the capacity that is measured first. */
const SHARE = 1 / 3;
/** Of all deliveries, how many tell the capacity. */
const CAPACITY_SHARE = 0.3;
const SUBSCRIBERS = 50;

export interface LatencyReport extends Report {
  readonly capacityPerSecond: number;
  readonly perSecond: number;
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  readonly floorP50Ms: number | null;
  readonly floorP99Ms: number | null;
}

/** One repeat of one kind, milliseconds. */
interface Latency {
  readonly p50: number;
  readonly p99: number;
}

/** Single events at a third of what they can be delivered at, and the floor at the same rate, in turns. */
export async function benchLatency(options: StageOptions): Promise<LatencyReport> {
  const { bodyBytes, repeats, say, signal, size } = options;
  const count = Math.max(1, Math.ceil(size / repeats));
  const beganMs = performance.now();
  const stage = await setStage(options, { withFloor: true, reconciles: false });
  try {
    await addSubscribers(stage, options, SUBSCRIBERS, (i) => [typeOf(i)]);
    const burst = (name: string, events: number) =>
      deliver(stage, signal, { name, type: typeOf, events, perEvent: 1, bodyBytes });
    say('warming up');
    await burst('warm', Math.ceil(count / 2));
    await runFloor(stage, signal, { name: 'floor-warm', groups: Math.ceil(count / 2), perGroup: 1 });
    const full = await burst('full', Math.ceil(size * CAPACITY_SHARE));
    const capacityPerSecond = full.count / full.seconds;
    const perSecond = capacityPerSecond * SHARE;
    say(
      `${capacityPerSecond.toFixed(1)} single events a second can be delivered; ${perSecond.toFixed(1)} are sent`,
    );
    const ours: Latency[] = [];
    const floor: Latency[] = [];
    let once = 0;
    for (let i = 1; i <= repeats; i++) {
      const pace: FloorPace = { name: `paced-${i}`, count, perSecond };
      const mine = latencyOf(await publishPaced(stage, options, pace));
      const its = latencyOf(await stage.floor<number[]>('paced', { ...pace, name: `floor-paced-${i}` }));
      ours.push(mine);
      floor.push(its);
      once += await deliveredOnce(stage, pace.name);
      say(
        `${i} of ${repeats}: p50 ${mine.p50.toFixed(0)} ms, p99 ${mine.p99.toFixed(0)} ms; floor ${its.p50.toFixed(0)}, ${its.p99.toFixed(0)}`,
      );
    }
    return reportOf(options, { capacityPerSecond, perSecond, count, ours, floor, once }, beganMs);
  } finally {
    say('stopping');
    await stage.stop();
  }
}

const typeOf = (i: number): string => `bench.one-${i % SUBSCRIBERS}`;

const latencyOf = (ms: readonly number[]): Latency => {
  const sorted = [...ms].sort((a, b) => a - b);
  return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) };
};

/** Milliseconds from the call of publish to the receipt, of each. */
async function publishPaced(stage: Stage, options: StageOptions, pace: FloorPace): Promise<number[]> {
  const { count, name, perSecond } = pace;
  const payload = payloadOf(options.bodyBytes);
  const idOf = new Map((await stage.client.subscribers('', SUBSCRIBERS)).map((one) => [one.name, one.id]));
  await stage.receivers('forget');
  const nowMs = (): number => performance.timeOrigin + performance.now();
  const publishedAt = new Map<string, number>();
  const publishing: Promise<unknown>[] = [];
  const firstAtMs = nowMs();
  for (let i = 0; i < count; i++) {
    await sleep(Math.max(0, firstAtMs + (i * 1_000) / perSecond - nowMs()), undefined, {
      signal: options.signal,
    });
    const shipment = shipmentOf(name, i);
    const subscriber = idOf.get(`bench-${String(i % SUBSCRIBERS).padStart(5, '0')}`) ?? '';
    publishedAt.set(obligationKey(shipment, subscriber, 1), nowMs());
    publishing.push(stage.client.publish({ shipment, version: 1, type: typeOf(i), payload }));
  }
  await Promise.all(publishing);
  await stage.receivers(`reached/${count}`);
  const receivedAt = await stage.receivers<Record<string, number>>('times');
  return [...publishedAt].map(([key, atMs]) => (receivedAt[key] ?? NaN) - atMs);
}

interface Results {
  readonly capacityPerSecond: number;
  readonly perSecond: number;
  readonly count: number;
  readonly ours: readonly Latency[];
  readonly floor: readonly Latency[];
  readonly once: number;
}

function reportOf(options: StageOptions, results: Results, beganMs: number): LatencyReport {
  const { capacityPerSecond, count, floor, once, ours, perSecond } = results;
  const { bodyBytes, repeats } = options;
  const over = (pick: (one: Latency) => number) =>
    spreadOf(ours.map((mine, i) => ratio(pick(mine), floor[i] ? pick(floor[i]) : null)));
  const [p50, p99] = [spreadOf(ours.map((l) => l.p50)), spreadOf(ours.map((l) => l.p99))];
  const [floor50, floor99] = [spreadOf(floor.map((l) => l.p50)), spreadOf(floor.map((l) => l.p99))];
  const rows: Row[] = [
    shown('single events a second that can be delivered', rounded(capacityPerSecond)),
    shown('sent a second', rounded(perSecond)),
    shown('ms from publish to receipt, p50', p50),
    shown('ms from publish to receipt, p99', p99),
    shown('the floor: ms from start to activity, p50', floor50),
    shown('the floor: ms from start to activity, p99', floor99),
    shown(
      'p50 over the floor',
      over((one) => one.p50),
    ),
    shown(
      'p99 over the floor',
      over((one) => one.p99),
    ),
    exactly('delivered by one attempt, by the ledger', count * repeats, once),
  ];
  return {
    bench: 'latency',
    verdict: rows.every(({ ok }) => ok) ? 'green' : 'red',
    ...{ capacityPerSecond: rounded(capacityPerSecond), perSecond: rounded(perSecond) },
    ...{ p50Ms: p50?.median ?? null, p99Ms: p99?.median ?? null },
    ...{ floorP50Ms: floor50?.median ?? null, floorP99Ms: floor99?.median ?? null },
    ...{ machine: thisMachine(), rows },
    notes: [`${repeats} repeats of ${count} events to one subscriber each, bodies of ${bodyBytes} bytes`],
    seconds: Math.round((performance.now() - beganMs) / 1_000),
  };
}
