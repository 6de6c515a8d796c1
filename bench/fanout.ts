import { setTimeout as sleep } from 'node:timers/promises';
import { readHistories } from '../demo/check/histories.js';
import { watchProcess } from '../test/wire/drip/process.js';
import { OURS, sumOf } from './cost.js';
import { ratio, rounded } from './figures.js';
import { PAYLOADS, SUBSCRIBER_TABLES, bytesIn, growthOf, vacuumedSizes } from './ledger-size.js';
import { addSubscribers, deliver, deliveredOnce, shipmentOf, type Delivered } from './load.js';
import { atMost, exactly, shown, thisMachine, type Report, type Row } from './report.js';
import { setStage, type Stage, type StageOptions } from './stage.js';

const OBLIGATION_BYTES_MAX = 800;
const LEDGER_BYTES_MAX = 2_000;
const HISTORY_BYTES_MAX = 3_072;
/** Worker memory of the whole fan-out over that of a tenth. */
const MEMORY_RATIO_MAX = 1.5;
const LOOK_EVERY_MS = 100;
const MIB = 1_048_576;

export interface FanOutReport extends Report {
  readonly subscribers: number;
  readonly bodyBytes: number;
  readonly recordedSeconds: number;
  readonly deliveredSeconds: number;
  /** What each table grew by, per obligation; the largest first. */
  readonly bytesPerObligation: Readonly<Record<string, number>>;
}

interface Fanned extends Delivered {
  /** From the publish until all that is owed stands in the ledger. */
  readonly recordedSeconds: number;
  readonly workerBytes: number;
}

/** One event to a tenth of the subscribers, then one to all, by the same processes. */
export async function benchFanOut(options: StageOptions): Promise<FanOutReport> {
  const { say, signal, subscribers } = options;
  const beganMs = performance.now();
  const stage = await setStage(options, { withFloor: false, reconciles: true });
  try {
    const tenth = Math.floor(subscribers / 10);
    await addSubscribers(stage, options, subscribers, (i) =>
      i < tenth ? ['bench.all', 'bench.tenth'] : ['bench.all'],
    );
    const before = await vacuumedSizes(stage.ledger);
    say(`one event to ${tenth}`);
    const small = await fanOut(stage, options, 'tenth', 'bench.tenth', tenth);
    say(`one event to ${subscribers}`);
    const large = await fanOut(stage, options, 'all', 'bench.all', subscribers);
    say('looking at ledger and histories');
    const after = await vacuumedSizes(stage.ledger);
    const { rows: keys } = await stage.ledger.query<{ key: string }>(
      `SELECT key FROM waybill.obligations o JOIN waybill.events e ON e.id = o.event_id
        WHERE e.type = 'bench.all' ORDER BY key`,
    );
    const mark = 'mark-of-the-payload-all';
    const { connection } = stage.temporal;
    const histories = await readHistories(
      connection,
      stage.namespace,
      keys.map(({ key }) => key),
      mark,
    );
    signal.throwIfAborted();

    const owed = tenth + subscribers;
    const each = (bytes: number): number => rounded(bytes / owed);
    const grown = growthOf(before, after);
    const grownBy = (name: string): number => (after[name] ?? 0) - (before[name] ?? 0);
    const all = [...SUBSCRIBER_TABLES, PAYLOADS];
    const { rows: payloads } = await stage.ledger.query<{ count: number; bytes: number }>(
      'SELECT count(*)::int AS count, sum(length(bytes))::int AS bytes FROM waybill.event_payloads',
    );
    const memoryRatio = rounded(large.workerBytes / small.workerBytes);
    const rows: Row[] = [
      exactly('obligations on record', subscribers, keys.length),
      exactly('delivered by one attempt, by the ledger', subscribers, await deliveredOnce(stage, 'all')),
      exactly('keys received', subscribers, large.received.keys),
      exactly('requests received', subscribers, large.received.requests),
      exactly('bytes of bodies received', subscribers * options.bodyBytes, large.received.bodyBytes),
      shown('seconds until all is durably recorded', rounded(large.recordedSeconds)),
      shown('seconds until all is delivered', rounded(large.seconds)),
      atMost('bytes of an obligation with its indexes', OBLIGATION_BYTES_MAX, each(grownBy('obligations'))),
      atMost(
        'bytes of all tables, per obligation',
        LEDGER_BYTES_MAX,
        each(bytesIn(after, all) - bytesIn(before, all)),
      ),
      exactly('payloads stored, of two events', 2, payloads[0]?.count ?? 0),
      exactly('bytes of these payloads', 2 * options.bodyBytes, payloads[0]?.bytes ?? 0),
      atMost('bytes of a history, median', HISTORY_BYTES_MAX, histories.historyBytesMedian),
      atMost('bytes of a history, the longest', HISTORY_BYTES_MAX, histories.historyBytesMost),
      exactly('bytes of the payload in histories', 0, histories.payloadBytesInHistories),
      atMost("the worker's memory, by that at a tenth", MEMORY_RATIO_MAX, memoryRatio),
      shown("MiB of the worker's memory at most", rounded(large.workerBytes / MIB)),
      shown('ms of processor per delivery', costEach(large)),
      shown('ms of processor per delivery, at a tenth', costEach(small)),
    ];
    return {
      bench: 'fanout',
      verdict: rows.every(({ ok }) => ok) ? 'green' : 'red',
      ...{ subscribers, bodyBytes: options.bodyBytes },
      recordedSeconds: rounded(large.recordedSeconds),
      deliveredSeconds: rounded(large.seconds),
      bytesPerObligation: Object.fromEntries(grown.map(([name, bytes]) => [name, each(bytes)])),
      ...{ machine: thisMachine(), rows },
      notes: [
        `bytes per obligation by table: ${grown.map(([name, bytes]) => `${name} ${each(bytes)}`).join(', ')}`,
        `bytes of the subscribers themselves, each: ${rounded(bytesIn(before, [PAYLOADS]) / subscribers)}`,
        `histories read: ${histories.historiesRead}; connections opened: ${large.received.connections}`,
        `${(subscribers / large.seconds).toFixed(1)} deliveries a second, ${(tenth / small.seconds).toFixed(1)} at a tenth`,
      ],
      seconds: Math.round((performance.now() - beganMs) / 1_000),
    };
  } finally {
    say('stopping');
    await stage.stop();
  }
}

const costEach = ({ cost, count }: Delivered): number | null => {
  const each = ratio(sumOf(cost, OURS), count);
  return each === null ? null : rounded(each);
};

async function fanOut(
  stage: Stage,
  { bodyBytes, say, signal }: StageOptions,
  name: string,
  type: string,
  count: number,
): Promise<Fanned> {
  const watched = watchProcess(stage.pids.worker[0] ?? 0);
  const over = new AbortController();
  try {
    const beganMs = performance.now();
    const telling = tellProgress(stage, say, count, AbortSignal.any([signal, over.signal]));
    const recorded = untilRecorded(stage, shipmentOf(name, 0), count, signal);
    const load = { name, type, events: 1, perEvent: count, bodyBytes };
    const delivered = await deliver(stage, signal, load, `mark-of-the-payload-${name}`);
    const recordedSeconds = ((await recorded) - beganMs) / 1_000;
    over.abort();
    await telling;
    return { ...delivered, recordedSeconds, workerBytes: watched().rssBytes };
  } finally {
    over.abort();
    watched();
  }
}

async function untilRecorded(
  { ledger }: Stage,
  shipment: string,
  count: number,
  signal: AbortSignal,
): Promise<number> {
  for (;;) {
    const { rows } = await ledger.query<{ done: boolean }>(
      'SELECT obligation_count = $2 AS done FROM waybill.events WHERE shipment_id = $1',
      [shipment, count],
    );
    if (rows[0]?.done) return performance.now();
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
}

async function tellProgress(
  stage: Stage,
  say: (line: string) => void,
  count: number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await sleep(10_000, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    const { keys } = await stage.receivers<{ keys: number }>('seen');
    say(`${keys} of ${count} received`);
  }
}
