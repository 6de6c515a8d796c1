import { setTimeout as sleep } from 'node:timers/promises';
import type { Plan, ProcessName } from './plan.js';
import type { Stage } from './stage.js';
import type { InFlight, Strike } from './strike.js';
import { ask, tell } from './troupe.js';
import { continueLater, revive, untilGone, untilStopped } from './victims.js';
import type { Orders } from './worker.js';

/** A point that is not reached by then is not reached in this round. */
const POINT_TIMEOUT_MS = 20_000;

/**
 * Arms the victim, or both workers where only one of them will reach the point: then the first one dies or stops, and
 * the other is told to live.
 */
export async function atPoint(
  stage: Stage,
  plan: Plan,
  signal: AbortSignal,
  inFlight: InFlight,
): Promise<Strike> {
  const candidates: readonly ProcessName[] = isSeldom(plan.point) ? ['worker-a', 'worker-b'] : [plan.victim];
  const orders: Orders = { point: plan.point ?? 'claim.asking', nth: plan.nth, signal: plan.signal };
  const arm = async (): Promise<void> => {
    for (const name of candidates) await ask(stage.member(name).port, 'arm', orders);
  };
  // The attempts of earlier rounds would reach the point first: it is this round's that must be under way.
  const waits = /^(claim|wire|settle|attempt)/.test(orders.point);
  if (!waits) await arm();
  return {
    async fall() {
      if (waits) {
        await inFlight();
        await arm();
      }
      const stops = plan.signal === 'SIGSTOP';
      const first = await firstToReach(stage, candidates, stops, signal);
      const atMs = Date.now();
      const disarmed = candidates
        .filter((name) => name !== first)
        .map((name) => (stops ? disarmOrStop(stage, name, signal) : disarmOrBury(stage, name, signal)));
      if (stops && first) await continueLater(stage, first, signal);
      await Promise.all(disarmed);
      return { hit: first !== undefined, ...(await revive(stage, stops ? [] : candidates)), atMs };
    },
  };
}

/** Undefined where nobody has reached the point in time. */
async function firstToReach(
  stage: Stage,
  candidates: readonly ProcessName[],
  stops: boolean,
  signal: AbortSignal,
): Promise<ProcessName | undefined> {
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  const reaches = candidates.map(async (name) => {
    if (!stops) await stage.member(name).exited;
    else if (!(await untilStopped(stage, name, until))) return undefined;
    return name;
  });
  try {
    return await Promise.race([...reaches, sleep(POINT_TIMEOUT_MS, undefined, { signal })]);
  } finally {
    over.abort();
  }
}

/** Once it resolves the process lives without orders, or is gone. */
async function disarmOrBury(stage: Stage, name: ProcessName, signal: AbortSignal): Promise<void> {
  if (await tell(stage.member(name).port, 'disarm')) return;
  await untilGone(stage, name, 'at its point', signal);
}

/** Once it resolves the process runs without orders, be it after a stop of its own: a stopped one doesn't answer. */
async function disarmOrStop(stage: Stage, name: ProcessName, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  const told = tell(stage.member(name).port, 'disarm').then(() => false);
  const stopped = untilStopped(stage, name, AbortSignal.any([signal, over.signal]));
  if (await Promise.race([told, stopped])) await continueLater(stage, name, signal);
  over.abort();
  await Promise.all([told, stopped]);
}

const isSeldom = (point: string | undefined): boolean => /^(fanout|heed)/.test(point ?? '');
