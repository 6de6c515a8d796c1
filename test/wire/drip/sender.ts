/**
 * One process with a wire of its own, as a worker has it: sends what its parent tells it to and answers what came of
 * it. Its memory and its descriptors are looked at from outside.
 */
import { setTimeout as delay } from 'node:timers/promises';
import pLimit from 'p-limit';
import { parseAllowList } from '../../../src/wire/allow-list.js';
import { makeWire } from '../../../src/wire/send.js';
import type { Ready } from './receivers.js';

export interface Task extends Ready {
  readonly drips: number;
  readonly healthy: number;
  readonly timeoutMs: number;
}
export interface Done {
  /** How often each outcome and class came, by the kind of receiver. */
  readonly verdicts: Readonly<Record<string, number>>;
  /** The longest that any send took beyond its deadline. */
  readonly lateMs: number;
  /** Healthy deliveries that ended while receivers still dripped. */
  readonly meanwhile: number;
}

/** Healthy requests open at once, over this many hosts. */
const AT_ONCE = 50;
/** What a worker's slots do to a flood: connections are opened one after the other, not in one instant. */
const SPREAD_MS = 2;

async function run(task: Task): Promise<Done> {
  const wire = makeWire({
    allow: parseAllowList('127.0.0.1'),
    extraCa: task.ca,
    resolver: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
  });
  const verdicts: Record<string, number> = {};
  let lateMs = 0;
  let dripping = 0;
  let meanwhile = 0;
  const send = async (host: string, timeoutMs: number): Promise<void> => {
    const [, kind = ''] = host.split('.');
    const startMs = performance.now();
    const verdict = await wire.send({
      url: `https://${host}:${task.port}/`,
      headers: { 'content-type': 'application/json' },
      body: Buffer.alloc(1_024, ' '),
      timeoutMs,
      sign: () => ({ 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' }),
    });
    lateMs = Math.max(lateMs, performance.now() - startMs - timeoutMs);
    const what = `${kind}: ${verdict.outcome} ${verdict.class}`;
    verdicts[what] = (verdicts[what] ?? 0) + 1;
  };
  const drips: Promise<void>[] = [];
  const drip = async (i: number): Promise<void> => {
    dripping += 1;
    await send(`d${i}.${i % 2 ? 'head' : 'body'}.example`, task.timeoutMs);
    dripping -= 1;
  };
  for (let i = 0; i < task.drips; i += 1) {
    drips.push(drip(i));
    await delay(SPREAD_MS);
  }
  const limit = pLimit(AT_ONCE);
  const healthy = Array.from({ length: task.healthy }, (_, i) =>
    limit(async () => {
      await send(`h${i % AT_ONCE}.healthy.example`, 60_000);
      if (dripping > 0) meanwhile += 1;
    }),
  );
  await Promise.all([...drips, ...healthy]);
  return { verdicts, lateMs: Math.max(0, Math.round(lateMs)), meanwhile };
}

process.on('message', (task: Task) => {
  void run(task).then((done) => process.send?.(done));
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
