import { OURS } from './cost.js';
import { measured, told, type Measured } from './deliver.js';
import { ratio, spreadOf } from './figures.js';
import { addSubscribers, deliver, deliveredOnce } from './load.js';
import { atMost, exactly, shown, thisMachine, type Report, type Row } from './report.js';
import { setStage, type StageOptions } from './stage.js';

const TIMES = [1, 2, 4, 8] as const;
const GROWTH_MAX = 1.15;
const TYPE = 'bench.all';

export interface GrowthReport extends Report {
  readonly size: number;
  /** Processor time per delivery at 8 times the work over that at 1; the median of the repeats. */
  readonly growth: number | null;
  /** By times of the work, each repeat in its order. */
  readonly measured: Readonly<Record<string, readonly Measured[]>>;
}

/**
 * The same subscribers are owed 1, 2, 4 and 8 times as many events at once. Every other repeat goes from most to least, so
 * that what grows with the age of a server doesn't pass for what grows with the work.
 */
export async function benchGrowth(options: StageOptions): Promise<GrowthReport> {
  const { bodyBytes, repeats, say, signal, size } = options;
  const events = Math.min(options.events, size);
  const perEvent = Math.ceil(size / events);
  const beganMs = performance.now();
  const stage = await setStage(options, { withFloor: false, reconciles: false });
  try {
    await addSubscribers(stage, options, perEvent, () => [TYPE]);
    const run = (name: string, times: number) =>
      deliver(stage, signal, { name, type: TYPE, events: events * times, perEvent, bodyBytes });
    say('warming up');
    await run('warm', 1);
    const results = new Map<number, Measured[]>(TIMES.map((times) => [times, []]));
    let once = 0;
    for (let i = 1; i <= repeats; i++) {
      for (const times of i % 2 === 1 ? TIMES : TIMES.toReversed()) {
        const name = `growth-${i}-by-${times}`;
        const result = measured(await run(name, times), OURS);
        results.get(times)?.push(result);
        once += await deliveredOnce(stage, name);
        say(`${i} of ${repeats}, ${times} times: ${told(result)}`);
      }
    }
    const of = (times: number): readonly Measured[] => results.get(times) ?? [];
    const over = (times: number) =>
      spreadOf(of(times).map((one, i) => ratio(one.cpuMsEach, of(1)[i]?.cpuMsEach ?? null)));
    const growth = over(8);
    const owed = events * perEvent * TIMES.reduce((sum, times) => sum + times, 0) * repeats;
    const rows: Row[] = [
      atMost('processor time per delivery at 8 times the work, by that at 1', GROWTH_MAX, growth),
      ...[2, 4].map((times) => shown(`  at ${times} times`, over(times))),
      ...TIMES.map((times) =>
        shown(
          `ms of processor per delivery at ${events * perEvent * times} deliveries`,
          spreadOf(of(times).map((one) => one.cpuMsEach)),
        ),
      ),
      ...OURS.map((part) =>
        shown(
          `  ${part} at 8 times, by that at 1`,
          spreadOf(
            of(8).map((one, i) =>
              ratio(one.cpuMsEachByProcess[part], of(1)[i]?.cpuMsEachByProcess[part] ?? null),
            ),
          ),
        ),
      ),
      exactly('delivered by one attempt, by the ledger', owed, once),
    ];
    return {
      bench: 'growth',
      verdict: rows.every(({ ok }) => ok) ? 'green' : 'red',
      ...{ size: events * perEvent, growth: growth?.median ?? null },
      measured: Object.fromEntries(results),
      ...{ machine: thisMachine(), rows },
      notes: [
        `${events} events to ${perEvent} subscribers each at 1, bodies of ${bodyBytes} bytes, ${repeats} repeats`,
      ],
      seconds: Math.round((performance.now() - beganMs) / 1_000),
    };
  } finally {
    say('stopping');
    await stage.stop();
  }
}
