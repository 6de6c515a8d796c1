import { untilOver } from '../scale/progress.js';
import { proveOn, type ScaleReport } from '../scale/prove.js';
import type { Occasion } from '../scale/stage.js';
import { eventsOf } from './ledger.js';
import { BREAKS } from './mutations.js';
import type { Options } from './options.js';
import { ACCOUNT, castAll, playFew, playShadow, playWave, sizesOf } from './play.js';
import { rowsOf } from './rows.js';

export type Report = ScaleReport & Pick<Options, 'subscribers' | 'events'>;

/** Plays the three parts one after the other, and lays the journal beside the ledger. */
export async function prove(options: Options & Occasion): Promise<Report> {
  const { events, mutation, patienceMs, say, signal, subscribers } = options;
  const parts = { ...options, name: 'rollout', mutation: mutation && BREAKS[mutation] };
  const report = await proveOn(parts, [ACCOUNT], async (stage) => {
    await Promise.all([stage.worker('worker-a'), stage.worker('worker-b')]);
    const staged = { ...options, stage };
    await castAll(staged);
    say('a cohort is switched off while its work runs');
    const wave = await playWave(staged);
    say('shadow mode, and a cohort with a cap');
    const shadow = await playShadow(staged);
    const few = await playFew(staged);
    say('waiting for the end of all');
    const stuck = await untilOver({ ledger: stage.ledger, signal, patienceMs }, ACCOUNT);
    return rowsOf({
      ...{ wave, shadow, few, stuck, sizes: sizesOf(options) },
      events: await eventsOf(stage.ledger, ACCOUNT),
      requests: stage.endpoints.requests(),
    });
  });
  return { ...report, subscribers, events };
}
