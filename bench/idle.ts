import { setTimeout as sleep } from 'node:timers/promises';
import { OURS, costPer, costSince, costSoFar } from './cost.js';
import { rounded } from './figures.js';
import { PAYLOADS, SUBSCRIBER_TABLES, bytesIn, vacuumedSizes } from './ledger-size.js';
import { addSubscribers, payloadOf, shipmentOf } from './load.js';
import { memoryBytesOf } from './processes.js';
import { exactly, shown, thisMachine, type Report, type Row } from './report.js';
import { setStage, type Part, type Stage, type StageOptions } from './stage.js';

const TYPE = 'bench.later';
const PER_EVENT = 100;
const DUE_IN_MS = 12 * 3_600_000;
const LOOK_EVERY_MS = 1_000;
const PATIENCE_MS = 120_000;
/** A worker that uses less than this in a look, so many looks in a row, has nothing left to do. */
const CALM_MS_PER_LOOK = 50;
const CALM_LOOKS = 3;
/** What a burst left running, such as a checkpoint, has this long to end. */
const CALM_MS = 15_000;
const MIB = 1_048_576;

export interface IdleReport extends Report {
  readonly count: number;
  readonly quietSeconds: number;
  /** Bytes of memory by process: before there was anything, and with all of them waiting. */
  readonly memoryBefore: Memory;
  readonly memoryWaiting: Memory;
  readonly cpuMsPerMinute: Memory;
}

/** By process; null where it can't be seen from here. */
type Memory = Readonly<Record<(typeof OURS)[number], number | null>>;

/** Obligations that are not due for hours: what they hold, and what is done for them. */
export async function benchIdle(options: StageOptions): Promise<IdleReport> {
  const { bodyBytes, quietS, say, signal } = options;
  const events = Math.ceil(options.count / PER_EVENT);
  const perEvent = Math.min(PER_EVENT, options.count);
  const count = events * perEvent;
  const beganMs = performance.now();
  const stage = await setStage(options, { withFloor: false, reconciles: true });
  try {
    await addSubscribers(stage, options, perEvent, () => [TYPE]);
    const sizesBefore = await vacuumedSizes(stage.ledger);
    const memoryBefore = memoryOf(stage);
    say(`publishing for ${count} obligations that are due in 12 h`);
    const payload = payloadOf(bodyBytes);
    const notBefore = new Date(Date.now() + DUE_IN_MS).toISOString();
    const publishUntil = async (from: number, to: number): Promise<void> => {
      for (let i = from; i < to; i++) {
        signal.throwIfAborted();
        const shipment = shipmentOf('idle', i);
        await stage.client.publish({ shipment, version: 1, type: TYPE, payload, notBefore });
      }
      await untilAsleep(stage, options, to * perEvent);
    };
    // What one more costs is told by the second half: the first also warms the processes up.
    const half = Math.floor(events / 2);
    await publishUntil(0, half);
    const memoryHalf = memoryOf(stage);
    const before = costSoFar(stage);
    await publishUntil(half, events);
    const more = (events - half) * perEvent;
    const perOne = costPer(costSince(before, costSoFar(stage)).cost, more);
    await sleep(CALM_MS, undefined, { signal });
    say(`watching for ${quietS} s`);
    const memoryWaiting = memoryOf(stage);
    const quietBefore = costSoFar(stage);
    await sleep(quietS * 1_000, undefined, { signal });
    const quiet = costSince(quietBefore, costSoFar(stage));
    const perMinute = costPer(quiet.cost, quiet.costSeconds / 60);
    const sizes = await vacuumedSizes(stage.ledger);
    const { rows: open } = await stage.ledger.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM waybill.obligations WHERE disposition = 'pending' AND attempts = 0`,
    );
    const without = [...SUBSCRIBER_TABLES, PAYLOADS];
    const eachMore = (part: (typeof OURS)[number]): number | null => {
      const [from, to] = [memoryHalf[part], memoryWaiting[part]];
      return from === null || to === null ? null : Math.round((to - from) / more);
    };
    const mib = (bytes: number | null): number | null => (bytes === null ? null : rounded(bytes / MIB));
    const rows: Row[] = [
      exactly('obligations that wait, by the ledger', count, open[0]?.count ?? 0),
      ...OURS.map((part) => shown(`MiB of memory: ${part}`, mib(memoryWaiting[part]))),
      ...OURS.map((part) => shown(`ms of processor a minute: ${part}`, perMinute[part])),
      ...OURS.map((part) => shown(`one more: bytes of memory, ${part}`, eachMore(part))),
      ...OURS.map((part) => shown(`one more: ms of processor to begin it, ${part}`, perOne[part])),
      shown(
        'one more: bytes in the ledger',
        Math.round((bytesIn(sizes, without) - bytesIn(sizesBefore, without)) / count),
      ),
    ];
    return {
      bench: 'idle',
      verdict: rows.every(({ ok }) => ok) ? 'green' : 'red',
      ...{ count, quietSeconds: quietS, memoryBefore, memoryWaiting },
      cpuMsPerMinute: onlyOurs((part) => perMinute[part]),
      ...{ machine: thisMachine(), rows },
      notes: [`${events} events to ${perEvent} subscribers each; reconciliation runs every 5 minutes`],
      seconds: Math.round((performance.now() - beganMs) / 1_000),
    };
  } finally {
    say('stopping');
    await stage.stop();
  }
}

const onlyOurs = (how: (part: (typeof OURS)[number]) => number | null): Memory =>
  Object.fromEntries(OURS.map((part) => [part, how(part)])) as Memory;

const memoryOf = ({ pids }: Stage): Memory =>
  onlyOurs((part: Part) =>
    pids[part].length === 0 ? null : pids[part].reduce((sum, pid) => sum + memoryBytesOf(pid), 0),
  );

/** Waits until every workflow runs and has nothing left to do but to wait. */
async function untilAsleep(stage: Stage, { say, signal }: StageOptions, count: number): Promise<void> {
  let last = -1;
  let lastMs = 0;
  let calmLooks = 0;
  let untilMs = 0;
  let toldMs = performance.now();
  for (;;) {
    const { rows } = await stage.ledger.query<{ left: number }>(
      'SELECT count(*)::int AS left FROM waybill.events WHERE started_at IS NULL',
    );
    const started = (await stage.temporal.workflow.count(`WorkflowType = 'obligation'`)).count;
    const workerMs = costSoFar(stage).cost.worker ?? 0;
    calmLooks = workerMs - lastMs < CALM_MS_PER_LOOK ? calmLooks + 1 : 0;
    lastMs = workerMs;
    if (rows[0]?.left === 0 && started >= count && calmLooks >= CALM_LOOKS) return;
    if (started !== last || calmLooks === 0) untilMs = performance.now() + PATIENCE_MS;
    if (performance.now() > untilMs) throw new Error(`${started} of ${count} workflows were started`);
    last = started;
    if (performance.now() - toldMs > 10_000) {
      toldMs = performance.now();
      say(`${started} of ${count} wait`);
    }
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
}
