import { setTimeout as sleep } from 'node:timers/promises';
import { PROCESSES, type ProcessName } from './plan.js';
import type { Stage } from './stage.js';
import type { Struck } from './strike.js';
import { isStopped } from './stopped.js';

/** Longer than the lease of the round's policy. */
export const STOPPED_MS = 6_500;
/** A drain takes this long at most, and a little to leave. */
const LEAVE_TIMEOUT_MS = 12_000;
const LOOK_EVERY_MS = 20;

/** @throws Error where the process is there for longer than a drain takes. */
export async function untilGone(
  stage: Stage,
  name: ProcessName,
  why: string,
  signal: AbortSignal,
): Promise<void> {
  const left = await Promise.race([
    stage.member(name).exited,
    sleep(LEAVE_TIMEOUT_MS, undefined, { signal }),
  ]);
  if (left === undefined) throw new Error(`${name} did not leave ${why}`);
}

/** Resolves, true, once the process is stopped; false once `signal` has fired. */
export async function untilStopped(stage: Stage, name: ProcessName, signal: AbortSignal): Promise<boolean> {
  const { pid } = stage.member(name).process;
  while (!signal.aborted) {
    if (isStopped(pid)) return true;
    await sleep(LOOK_EVERY_MS);
  }
  return false;
}

/** Lets a stopped process go on once its leases are over. */
export async function continueLater(stage: Stage, name: ProcessName, signal: AbortSignal): Promise<void> {
  stage.say(`${name} is stopped`);
  await sleep(STOPPED_MS, undefined, { signal });
  stage.member(name).process.signal('SIGCONT');
}

/** Starts everybody again who is gone; whoever was to live and doesn't is told apart. */
export async function revive(
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
