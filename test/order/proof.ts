import { setStage, type Occasion } from '../scale/stage.js';
import { tellStuck } from '../scale/stuck.js';
import { verdictOf, type Row } from '../support/proof-rows.js';
import { GAP_ACCOUNT, playGaps } from './gap.js';
import { recordsOf } from './ledger.js';
import { BREAKS } from './mutations.js';
import type { Options } from './options.js';
import { ACCOUNT, ORDERS, play } from './play.js';
import { gapRows, rowsOf, stressRows } from './rows.js';

export interface Report extends Pick<Options, 'shipments' | 'versions' | 'subscribers' | 'seed'> {
  readonly verdict: 'green' | 'red';
  readonly rows: readonly Row[];
  readonly seconds: number;
  /** What is stuck, and why so. */
  readonly reasons: readonly string[];
}

/** Plays the plan, then the lanes whose head doesn't move, and lays the journal beside the ledger. */
export async function prove(options: Options & Occasion): Promise<Report> {
  const { mutation, say, seed, shipments, subscribers, versions } = options;
  const startedMs = performance.now();
  const broken = mutation && BREAKS[mutation];
  const stage = await setStage({ ...options, name: 'order', mutation: broken });
  try {
    await Promise.all([stage.worker('worker-a'), stage.worker('worker-b')]);
    const played = await play({ ...options, stage });
    say('lanes whose head is dead or held');
    const gaps = await playGaps({ ...options, stage });
    const requests = stage.endpoints.requests();
    const main = requests.filter(({ path }) => path.startsWith('/main/'));
    const evidence = { played, requests: main, records: await recordsOf(stage.ledger, ACCOUNT) };
    const rows = [
      ...ORDERS.flatMap((order) => rowsOf(order, options, evidence)),
      ...gapRows(
        gaps,
        await recordsOf(stage.ledger, GAP_ACCOUNT),
        requests.filter(({ path }) => path.startsWith('/gap/')),
      ),
      ...stressRows(evidence),
    ];
    return {
      verdict: verdictOf(rows),
      ...{ shipments, versions, subscribers, seed, rows },
      seconds: Math.round((performance.now() - startedMs) / 1_000),
      reasons: await tellStuck(stage, ACCOUNT, GAP_ACCOUNT),
    };
  } finally {
    say('stopping');
    await stage.stop();
  }
}
