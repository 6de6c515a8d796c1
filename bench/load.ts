import { setTimeout as sleep } from 'node:timers/promises';
import type { SubscriberInput } from '../src/client.js';
import { costSince, costSoFar, type Spent } from './cost.js';
import type { FloorRan, FloorRun } from './floor/worker.js';
import type { Received } from './receivers.js';
import type { Stage, StageOptions } from './stage.js';

/**
 * One measured load: so many deliveries, or executions of the floor's activity. Its cost is counted until the last of its
 * workflows had closed, so that nothing that follows a delivery is left out.
 */
export interface Ran extends Spent {
  readonly count: number;
  /** From the first publish (or start) to the last receipt (or activity). */
  readonly seconds: number;
}

export interface Delivered extends Ran {
  readonly received: Received;
}

export interface Load {
  /** Begins every shipment of it; none is used twice. */
  readonly name: string;
  /** Of all events, or of each by its number. */
  readonly type: string | ((i: number) => string);
  readonly events: number;
  readonly perEvent: number;
  readonly bodyBytes: number;
}

const ADD_AT_ONCE = 500;
const LOOK_EVERY_MS = 250;
/** Without progress for so long a bench gives up. */
const PATIENCE_MS = 120_000;

/** Adds `count` subscribers, numbered from 0, each at one of the receivers' ports. */
export async function addSubscribers(
  { client, ports }: Stage,
  { say, signal }: StageOptions,
  count: number,
  eventTypesOf: (i: number) => readonly string[],
): Promise<void> {
  say(`adding ${count} subscribers`);
  for (let from = 0; from < count; from += ADD_AT_ONCE) {
    signal.throwIfAborted();
    const inputs = Array.from({ length: Math.min(ADD_AT_ONCE, count - from) }, (_, k): SubscriberInput => {
      const i = from + k;
      const name = `bench-${String(i).padStart(5, '0')}`;
      const url = `https://127.0.0.1:${ports[i % ports.length]}/${name}`;
      return { name, url, eventTypes: [...eventTypesOf(i)] };
    });
    await client.addSubscribers(inputs);
  }
}

/** JSON of exactly so many bytes, with a mark that is found wherever it gets to. */
export const payloadOf = (bytes: number, mark = 'bench'): string => {
  const empty = JSON.stringify({ mark, fill: '' });
  return JSON.stringify({ mark, fill: 'x'.repeat(Math.max(0, bytes - empty.length)) });
};

/** Publishes the events one after the other and waits until all is delivered and closed. */
export async function deliver(
  stage: Stage,
  signal: AbortSignal,
  load: Load,
  mark = 'bench',
): Promise<Delivered> {
  const { bodyBytes, events, name, perEvent, type } = load;
  const count = events * perEvent;
  const payload = payloadOf(bodyBytes, mark);
  await stage.receivers('forget');
  const before = costSoFar(stage);
  const beganAtMs = performance.timeOrigin + performance.now();
  const reached = stage.receivers<Received>(`reached/${count}`);
  for (let i = 0; i < events; i++)
    await stage.client.publish({
      ...{ shipment: shipmentOf(name, i), version: 1, payload },
      type: typeof type === 'string' ? type : type(i),
    });
  const { lastAtMs } = await reached;
  await untilClosed(stage, signal, name, count);
  const spent = costSince(before, costSoFar(stage));
  const received = await stage.receivers<Received>('seen');
  return { count, seconds: (lastAtMs - beganAtMs) / 1_000, ...spent, received };
}

/** The same many of the floor, in as many groups as there are events. */
export async function runFloor(stage: Stage, signal: AbortSignal, run: FloorRun): Promise<Ran> {
  const before = costSoFar(stage);
  const { activities, beganAtMs, lastAtMs } = await stage.floor<FloorRan>('run', run);
  await untilClosed(stage, signal, run.name, activities);
  const spent = costSince(before, costSoFar(stage));
  return { count: activities, seconds: (lastAtMs - beganAtMs) / 1_000, ...spent };
}

export const shipmentOf = (name: string, i: number): string => `${name}-${String(i).padStart(4, '0')}`;

/** Waits for as many workflows of these shipments to have completed; gives up where none does any more. */
async function untilClosed(stage: Stage, signal: AbortSignal, name: string, expected: number): Promise<void> {
  const query = `WorkflowType = 'obligation' AND WaybillShipment STARTS_WITH '${name}-' AND ExecutionStatus = 'Completed'`;
  let last = -1;
  let untilMs = 0;
  for (;;) {
    const { count } = await stage.temporal.workflow.count(query);
    if (count >= expected) return;
    if (count !== last) untilMs = performance.now() + PATIENCE_MS;
    if (performance.now() > untilMs)
      throw new Error(`${count} of ${expected} workflows of ${name} have closed`);
    last = count;
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
}

/** Obligations of these shipments that stand as delivered after one attempt, each with its one outcome. */
export async function deliveredOnce({ ledger }: Stage, name: string): Promise<number> {
  const { rows } = await ledger.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM waybill.obligations o JOIN waybill.events e ON e.id = o.event_id
      WHERE starts_with(e.shipment_id, $1) AND o.disposition = 'delivered' AND o.attempts = 1
        AND (SELECT count(*) FROM waybill.attempt_outcomes a WHERE a.key = o.key) = 1`,
    [`${name}-`],
  );
  return rows[0]?.count ?? 0;
}
