import { verdictOf, type Row } from '../support/proof-rows.js';
import { setStage, type Stage, type StageOptions } from './stage.js';
import { tellStuck } from './stuck.js';

/** What a proof on a stage comes to. */
export interface ScaleReport {
  readonly verdict: 'green' | 'red';
  readonly rows: readonly Row[];
  readonly seconds: number;
  /** What is stuck, and why so. */
  readonly reasons: readonly string[];
}

/** Sets the stage, plays, tells what of these accounts is stuck, and leaves nothing running. */
export async function proveOn(
  options: StageOptions,
  accounts: readonly string[],
  play: (stage: Stage) => Promise<readonly Row[]>,
): Promise<ScaleReport> {
  const startedMs = performance.now();
  const stage = await setStage(options);
  try {
    const rows = await play(stage);
    const reasons = await tellStuck(stage, ...accounts);
    const seconds = Math.round((performance.now() - startedMs) / 1_000);
    return { verdict: verdictOf(rows), rows, seconds, reasons };
  } finally {
    options.say('stopping');
    await stage.stop();
  }
}
