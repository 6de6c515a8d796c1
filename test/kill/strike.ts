import { atPoint } from './at-point.js';
import { atRandom } from './at-random.js';
import type { Plan, ProcessName } from './plan.js';
import type { Stage } from './stage.js';

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
