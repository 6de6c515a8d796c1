import { setTimeout as sleep } from 'node:timers/promises';
import { PROCESSES, type Plan, type ProcessName } from './plan.js';
import type { Stage } from './stage.js';
import { ask, tell } from './troupe.js';
import type { Orders } from './worker.js';

/** A point that is not reached by then is not reached in this round. */
const POINT_TIMEOUT_MS = 20_000;
/** Longer than the lease of the round's policy. */
const STOPPED_MS = 6_500;
const CUT_MS = 1_000;
const ANSWER_TIMEOUT_MS = 10_000;
/** A drain takes this long at most, and a little to leave. */
const LEAVE_TIMEOUT_MS = 12_000;

/** What came of a blow. */
export interface Struck {
  /** False where the point wasn't reached, or nothing was on the link to lose: then the round shows nothing. */
  readonly hit: boolean;
  /** Who is gone, and was started again. */
  readonly fell: readonly ProcessName[];
  /** Who ended although nobody told it to, and was started again: a fault. */
  readonly fellAlone: readonly ProcessName[];
  /** Epoch ms. */
  readonly atMs: number;
}

/** A blow that is ready to fall; made before the round's event is published. */
export interface Strike {
  /** Falls at its time; resolves when whoever was hit is back. */
  fall(): Promise<Struck>;
}

/** Resolves once the round's own deliveries are on their way. */
export type InFlight = () => Promise<void>;

export async function prepare(
  stage: Stage,
  plan: Plan,
  signal: AbortSignal,
  inFlight: InFlight,
): Promise<Strike> {
  if (plan.point === undefined) return atRandom(stage, plan, signal, inFlight);
  return atPoint(stage, plan, signal, inFlight);
}

/**
 * Arms the victim, or both workers where only one of them will reach the point: then the first one dies, and the other
 * is told to live.
 */
async function atPoint(stage: Stage, plan: Plan, signal: AbortSignal, inFlight: InFlight): Promise<Strike> {
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
      const ends = candidates.map(async (name) => {
        await stage.member(name).exited;
        return name;
      });
      const first = await Promise.race([...ends, sleep(POINT_TIMEOUT_MS, undefined, { signal })]);
      const atMs = Date.now();
      for (const name of candidates.filter((other) => other !== first)) await disarm(stage, name, signal);
      return { hit: first !== undefined, ...(await revive(stage, candidates)), atMs };
    },
  };
}

/** Once it resolves the process lives without orders, or is gone. */
async function disarm(stage: Stage, name: ProcessName, signal: AbortSignal): Promise<void> {
  const { exited, port } = stage.member(name);
  if (await tell(port, 'disarm')) return;
  const left = await Promise.race([exited, sleep(LEAVE_TIMEOUT_MS, undefined, { signal })]);
  if (left === undefined) throw new Error(`${name} did not leave at its point`);
}

/** Starts everybody again who is gone; whoever was to live and doesn't is told apart. */
async function revive(
  stage: Stage,
  doomed: readonly ProcessName[],
): Promise<Pick<Struck, 'fell' | 'fellAlone'>> {
  const gone = PROCESSES.filter((name) => !stage.member(name).isAlive());
  await Promise.all(gone.map((name) => stage.restart(name)));
  return {
    fell: gone.filter((name) => doomed.includes(name)),
    fellAlone: gone.filter((name) => !doomed.includes(name)),
  };
}

function atRandom(stage: Stage, plan: Plan, signal: AbortSignal, inFlight: InFlight): Strike {
  const { victim } = plan;
  const send = async (word: 'SIGKILL' | 'SIGTERM'): Promise<boolean> => {
    const { process, exited } = stage.member(victim);
    process.signal(word);
    const left = await Promise.race([exited, sleep(LEAVE_TIMEOUT_MS, undefined, { signal })]);
    if (left === undefined) throw new Error(`${victim} did not leave after ${word}`);
    return true;
  };
  const stop = async (): Promise<boolean> => {
    const { process } = stage.member(victim);
    process.signal('SIGSTOP');
    stage.say(`${victim} is stopped`);
    await sleep(STOPPED_MS, undefined, { signal });
    process.signal('SIGCONT');
    return true;
  };
  const blow = (): Promise<boolean> => {
    switch (plan.kind) {
      case 'worker SIGTERM':
      case 'relay SIGTERM':
        return send('SIGTERM');
      case 'worker SIGSTOP':
        return stop();
      case 'Postgres SIGKILL':
        return stage.stack.crash('Postgres').then(() => true);
      case 'Temporal SIGKILL':
        return stage.stack.crash('Temporal').then(() => true);
      case 'Postgres link cut':
        return stage.links[victim].Postgres.cut(CUT_MS).then(() => true);
      case 'Temporal link cut':
        return stage.links[victim].Temporal.cut(CUT_MS).then(() => true);
      case 'Postgres answer lost':
        return stage.links[victim].Postgres.loseAnswer(ANSWER_TIMEOUT_MS);
      case 'Temporal answer lost':
        return stage.links[victim].Temporal.loseAnswer(ANSWER_TIMEOUT_MS);
      default:
        return send('SIGKILL');
    }
  };
  return {
    async fall() {
      if (plan.fromFirst) await inFlight();
      await sleep(plan.afterMs, undefined, { signal });
      const atMs = Date.now();
      const hit = await blow();
      const doomed = /SIGKILL|SIGTERM/.test(plan.kind) && !isServer(plan.kind) ? [victim] : [];
      return { hit, ...(await revive(stage, doomed)), atMs };
    },
  };
}

const isServer = (kind: string): boolean => /^(Postgres|Temporal) /.test(kind);

const isSeldom = (point: string | undefined): boolean => /^(fanout|heed)/.test(point ?? '');
