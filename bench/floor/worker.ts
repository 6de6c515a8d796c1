/**
 * `worker.js SETTINGS.json`: the floor's worker, a process with the settings of a Waybill worker, on queues of its own. It
 * starts its workflows itself, as a worker's fan-out does, with the very function.
 *
 * A control endpoint on a plain loopback port: `GET /ready`, `POST /run` ({@link FloorRun}, answers {@link FloorRan} once
 * every activity has begun) and `POST /paced` ({@link FloorPace}, answers the milliseconds from start to activity of each).
 */
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from '@temporalio/worker';
import { installRuntime } from '../../src/cli/temporal-runtime.js';
import { loadConfig } from '../../src/config.js';
import { obligationKey, type SubscriberId } from '../../src/contract.js';
import { startObligation, type Starter } from '../../src/intake/starter.js';
import type { StartRow } from '../../src/ledger/events.js';
import { DEFAULT_POLICY } from '../../src/policy/delivery-policy.js';
import { connectClient, connectWorker } from '../../src/temporal.js';
import { makeLog } from '../../src/watch/log.js';
import { OBLIGATIONS_SETTINGS, sendsSettings, sharedSettings } from '../../src/worker-settings.js';
import type { FloorActivities } from './workflows.js';

export interface FloorSettings {
  readonly controlPort: number;
  readonly taskQueue: string;
  readonly workflowBundle: string;
}

/** `groups` at the same time, each of `perGroup` workflows, as events fan out. */
export interface FloorRun {
  readonly name: string;
  readonly groups: number;
  readonly perGroup: number;
}

export interface FloorRan {
  /** Epoch milliseconds, with fractions: the first start was asked for, the last activity began. */
  readonly beganAtMs: number;
  readonly lastAtMs: number;
  readonly activities: number;
}

export interface FloorPace {
  readonly name: string;
  readonly count: number;
  readonly perSecond: number;
}

/** Of one fan-out, as in src/activities/start-obligations.ts. */
const STARTS_AT_ONCE = 25;

const settings = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as FloorSettings;
const config = loadConfig();
installRuntime(makeLog(config.logLevel, config.workerName));
const { client } = await connectClient();
const { connection, namespace } = await connectWorker();
const starter: Starter = { workflows: client.workflow, taskQueue: settings.taskQueue };
const nowMs = (): number => performance.timeOrigin + performance.now();
let onActivity: (key: string) => void = () => undefined;

const activities: FloorActivities = {
  attempt({ key }) {
    onActivity(key);
    return Promise.resolve();
  },
};

const rowOf = (name: string, group: number, i: number): StartRow => {
  const shipment = `${name}-${String(group).padStart(4, '0')}`;
  const subscriber = `sub_${String(i).padStart(20, '0')}` as SubscriberId;
  return {
    key: obligationKey(shipment, subscriber, 1),
    ...{ account: 'default', shipment, version: 1, type: 'bench.all' },
    subscriber_id: subscriber,
    subscriber_name: `bench-${String(i).padStart(5, '0')}`,
    policy: DEFAULT_POLICY,
    // As many as the deliveries beside which it is measured, so that its turns are dealt out alike.
    obligations: 100,
  };
};

async function startGroup({ name, perGroup }: FloorRun, group: number): Promise<void> {
  for (let from = 0; from < perGroup; from += STARTS_AT_ONCE) {
    const size = Math.min(STARTS_AT_ONCE, perGroup - from);
    await Promise.all(
      Array.from({ length: size }, (_, i) => startObligation(starter, rowOf(name, group, from + i))),
    );
  }
}

/** Resolves at the first execution of the last of `count`. */
function untilBegun(count: number, began: (key: string) => void): Promise<void> {
  const seen = new Set<string>();
  return new Promise((resolve) => {
    onActivity = (key) => {
      if (seen.has(key)) return;
      seen.add(key);
      began(key);
      if (seen.size === count) resolve();
    };
  });
}

async function run(asked: FloorRun): Promise<FloorRan> {
  const { groups, perGroup } = asked;
  let lastAtMs = 0;
  const begun = untilBegun(groups * perGroup, () => (lastAtMs = nowMs()));
  const beganAtMs = nowMs();
  await Promise.all(Array.from({ length: groups }, (_, group) => startGroup(asked, group)));
  await begun;
  return { beganAtMs, lastAtMs, activities: groups * perGroup };
}

async function paced({ name, count, perSecond }: FloorPace): Promise<number[]> {
  const startedAt = new Map<string, number>();
  const tookMs: number[] = [];
  const begun = untilBegun(count, (key) => tookMs.push(nowMs() - (startedAt.get(key) ?? NaN)));
  const firstAtMs = nowMs();
  const starts: Promise<boolean>[] = [];
  for (let i = 0; i < count; i++) {
    await sleep(Math.max(0, firstAtMs + (i * 1_000) / perSecond - nowMs()));
    const row = rowOf(name, i, 0);
    startedAt.set(row.key, nowMs());
    starts.push(startObligation(starter, row));
  }
  await Promise.all([...starts, begun]);
  return tookMs;
}

async function control(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  try {
    if (request.url === '/run') response.end(JSON.stringify(await run(JSON.parse(text) as FloorRun)));
    else if (request.url === '/paced')
      response.end(JSON.stringify(await paced(JSON.parse(text) as FloorPace)));
    else response.end('{}');
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
}

const common = { connection, namespace, ...sharedSettings(config) };
const workers = [
  await Worker.create({
    ...common,
    ...OBLIGATIONS_SETTINGS,
    taskQueue: settings.taskQueue,
    workflowBundle: { codePath: settings.workflowBundle },
    activities,
  }),
  await Worker.create({
    ...common,
    ...sendsSettings(config.concurrentSends),
    taskQueue: `${settings.taskQueue}-send`,
    activities,
  }),
  await Worker.create({
    ...common,
    ...sendsSettings(config.concurrentRetries),
    taskQueue: `${settings.taskQueue}-retry`,
    activities,
  }),
];
http
  .createServer({ requestTimeout: 0 }, (request, response) => void control(request, response))
  .listen(settings.controlPort, '127.0.0.1');
await Promise.all(workers.map((worker) => worker.run()));
