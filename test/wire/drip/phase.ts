import { setTimeout as sleep } from 'node:timers/promises';
import { FINAL_DISPOSITIONS } from '../../../src/contract.js';
import type { Options } from './options.js';
import { descriptorsOf, watchProcess, type Watched } from './process.js';
import type { Seen } from './receivers.js';
import type { Stage } from './stage.js';

export const HEALTHY = 'drip.healthy';
export const DRIPPING = 'drip.dripping';

const LOOK_EVERY_MS = 200;
/** Beyond the deadline of a request: without any progress for so long nothing more is waited for. */
const PATIENCE_MS = 60_000;
/** A connection that was given up is closed at once, an idle one after 4 s. */
const REST_MS = 30_000;

/** One attempt on record, of a subscriber by its kind. */
export interface Attempt {
  readonly kind: 'healthy' | 'head' | 'body';
  readonly outcome: string;
  readonly class: string;
  readonly tookMs: number;
}

export interface Phase extends Watched {
  readonly healthySeconds: number;
  readonly attempts: readonly Attempt[];
  readonly seen: Seen;
  readonly machineLateMs: number;
  /** Once all is over and what is idle had time to be closed; connections to Postgres aside. */
  readonly restingDescriptors: number;
  readonly restingSockets: number;
}

export interface PhaseOptions extends Options {
  readonly stage: Stage;
  readonly signal: AbortSignal;
  readonly version: number;
  /** Whether the ones that drip take part; all of them are at it before the healthy ones begin. */
  readonly beside: boolean;
  /** Descriptors at rest are waited for until there are no more than these. */
  readonly restingAtMost: number;
}

/** Publishes to the healthy subscribers, and before that to those that drip, and waits until all has come to rest. */
export async function runPhase(options: PhaseOptions): Promise<Phase> {
  const { beside, drips, healthy, restingAtMost, signal, stage } = options;
  const { pid } = stage.sender.process;
  await stage.forget();
  const watched = watchProcess(pid);
  let result: Watched;
  const events: number[] = [];
  let healthySeconds: number;
  try {
    if (beside) {
      events.push(await publish(options, DRIPPING));
      await progress(options, async () => {
        const { dripping, heldMs } = await stage.seen();
        return { done: dripping >= drips || heldMs.length > 0, so: dripping };
      });
    }
    const beganMs = performance.now();
    const event = await publish(options, HEALTHY);
    events.push(event);
    await progress(options, async () => counted(await finished(stage, event), healthy));
    healthySeconds = (performance.now() - beganMs) / 1_000;
    const [dripEvent] = events;
    if (beside && dripEvent !== undefined)
      await progress(options, async () => counted(await finished(stage, dripEvent), drips));
  } finally {
    result = watched();
  }
  const machineLateMs = await stage.machineLateMs();
  const resting = () => descriptorsOf(pid, stage.databasePort);
  const untilMs = performance.now() + REST_MS;
  while (performance.now() < untilMs) {
    if ((await stage.seen()).sockets === 0 && resting() <= restingAtMost) break;
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
  const seen = await stage.seen();
  return {
    ...result,
    ...{ healthySeconds, seen, machineLateMs },
    attempts: await attemptsOf(stage, events),
    restingDescriptors: resting(),
    restingSockets: seen.sockets,
  };
}

async function publish({ stage, version }: PhaseOptions, type: string): Promise<number> {
  const payload = JSON.stringify({ type, version, note: 'x'.repeat(1_000) });
  const shipment = `drip-${type}`;
  return (await stage.client.publish({ shipment, version, type, payload })).eventId;
}

const counted = (so: number, owed: number) => ({ done: so >= owed, so });

/** Asks until it is done, or until nothing has moved for longer than a request may take; rows tell what is missing. */
async function progress(
  { signal, stage, timeoutMs }: PhaseOptions,
  look: () => Promise<{ done: boolean; so: number }>,
): Promise<void> {
  let last = -1;
  let untilMs = 0;
  for (;;) {
    const { done, so } = await look();
    if (done) return;
    if (!stage.sender.isAlive()) throw new Error('the worker that sends has ended by itself');
    if (so !== last) untilMs = performance.now() + timeoutMs + PATIENCE_MS;
    if (performance.now() > untilMs) return;
    last = so;
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
}

async function finished({ ledger }: Stage, event: number): Promise<number> {
  const { rows } = await ledger.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM waybill.obligations WHERE event_id = $1 AND disposition = ANY ($2)',
    [event, [...FINAL_DISPOSITIONS, 'dead']],
  );
  return rows[0]?.count ?? 0;
}

async function attemptsOf({ ledger }: Stage, events: readonly number[]): Promise<Attempt[]> {
  const { rows } = await ledger.query<Attempt>(
    `SELECT split_part(s.name, '-', 1) AS kind, a.outcome, a.class, a.took_ms AS "tookMs"
       FROM waybill.obligations o JOIN waybill.subscribers s ON s.id = o.subscriber_id
         JOIN waybill.attempt_outcomes a ON a.key = o.key
       WHERE o.event_id = ANY ($1)`,
    [events],
  );
  return rows;
}
