import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../../scripts/stack/wait-until.js';
import { randomOf } from '../kill/random.js';
import { payloadOf } from '../scale/policy.js';
import { ACCOUNT, HEALTHY, type PlayOptions } from './cast.js';
import type { Span } from './judge.js';

/** Between two publishes: two a second. */
const EVERY_MS = 500;

/** Deliveries to the healthy destination, published by the clock, whatever became of the ones before. */
export interface Measured extends Span {
  /** Shipment -> when the ledger accepted it, in epoch ms. */
  readonly acceptedAtMs: ReadonlyMap<string, number>;
  /** Cores of this machine that were busy meanwhile, whoever it was. */
  readonly busyCores: number;
}

/** Publishes `count` events, two a second, each at some moment of its half second; resolves once all have begun. */
export async function measureHealthy(options: PlayOptions, name: string, count: number): Promise<Measured> {
  const { patienceMs, signal, stage } = options;
  const client = stage.client(ACCOUNT);
  const random = randomOf('fairness', 1, name, count);
  const acceptedAtMs = new Map<string, number>();
  const from = await stage.endpoints.mark(`${name} from`);
  const busySince = cpuTimes();
  const startedMs = performance.now();
  const publishes: Promise<void>[] = [];
  for (let i = 0; i < count; i += 1) {
    const waitMs = startedMs + (i + random.next()) * EVERY_MS - performance.now();
    if (waitMs > 0) await sleep(waitMs, undefined, { signal });
    const shipment = `${HEALTHY}-${name}-${i}`;
    publishes.push(
      client
        .publish({ shipment, version: 1, type: `fair.${HEALTHY}`, payload: payloadOf({ shipment }) })
        .then(({ publishedAt }) => void acceptedAtMs.set(shipment, Date.parse(publishedAt))),
    );
  }
  await Promise.all(publishes);
  const leftMs = startedMs + count * EVERY_MS - performance.now();
  if (leftMs > 0) await sleep(leftMs, undefined, { signal });
  const busyCores = busyBetween(busySince, cpuTimes());
  const to = await stage.endpoints.mark(`${name} to`);
  await waitUntil(
    'every delivery to the healthy destination has begun',
    patienceMs,
    async () => {
      const begun = new Set(stage.endpoints.requests().map(({ shipment }) => shipment));
      return [...acceptedAtMs.keys()].every((shipment) => begun.has(shipment));
    },
    signal,
  );
  return { acceptedAtMs, busyCores, fromMs: from.atMs, toMs: to.atMs };
}

interface CpuTimes {
  readonly busyMs: number;
  readonly allMs: number;
}

function cpuTimes(): CpuTimes {
  let busyMs = 0;
  let allMs = 0;
  for (const { times } of os.cpus()) {
    const all = Object.values(times).reduce((sum, ms) => sum + ms, 0);
    allMs += all;
    busyMs += all - times.idle;
  }
  return { busyMs, allMs };
}

const busyBetween = (from: CpuTimes, to: CpuTimes): number =>
  ((to.busyMs - from.busyMs) / Math.max(1, to.allMs - from.allMs)) * os.cpus().length;
