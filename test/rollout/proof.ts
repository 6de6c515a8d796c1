import { untilOver } from '../scale/progress.js';
import { setStage, type Occasion } from '../scale/stage.js';
import { tellStuck } from '../scale/stuck.js';
import { verdictOf, type Row } from '../support/proof-rows.js';
import { eventsOf } from './ledger.js';
import { BREAKS } from './mutations.js';
import type { Options } from './options.js';
import { ACCOUNT, castAll, playFew, playShadow, playWave, sizesOf } from './play.js';
import { rowsOf } from './rows.js';

export interface Report extends Pick<Options, 'subscribers' | 'events'> {
  readonly verdict: 'green' | 'red';
  readonly rows: readonly Row[];
  readonly seconds: number;
  /** What is stuck, and why so. */
  readonly reasons: readonly string[];
}

/** Plays the three parts side by side, and lays the journal beside the ledger. */
export async function prove(options: Options & Occasion): Promise<Report> {
  const { events, mutation, patienceMs, say, signal, subscribers } = options;
  const startedMs = performance.now();
  const broken = mutation && BREAKS[mutation];
  const stage = await setStage({ ...options, name: 'rollout', mutation: broken });
  try {
    await Promise.all([stage.worker('worker-a'), stage.worker('worker-b')]);
    const parts = { ...options, stage };
    await castAll(parts);
    say('a cohort is switched off while its work runs');
    const wave = await playWave(parts);
    say('shadow mode, and a cohort with a cap');
    const shadow = await playShadow(parts);
    const few = await playFew(parts);
    say('waiting for the end of all');
    const stuck = await untilOver({ ledger: stage.ledger, signal, patienceMs }, ACCOUNT);
    const rows = rowsOf({
      ...{ wave, shadow, few, stuck, sizes: sizesOf(options) },
      events: await eventsOf(stage.ledger, ACCOUNT),
      requests: stage.endpoints.requests(),
    });
    return {
      verdict: verdictOf(rows),
      ...{ subscribers, events, rows },
      seconds: Math.round((performance.now() - startedMs) / 1_000),
      reasons: await tellStuck(stage, ACCOUNT),
    };
  } finally {
    say('stopping');
    await stage.stop();
  }
}
