import { proveOn, type ScaleReport } from '../scale/prove.js';
import type { Occasion } from '../scale/stage.js';
import { GAP_ACCOUNT, playGaps } from './gap.js';
import { recordsOf } from './ledger.js';
import { BREAKS } from './mutations.js';
import type { Options } from './options.js';
import { ACCOUNT, ORDERS, play } from './play.js';
import { gapRows, rowsOf, stressRows } from './rows.js';

export type Report = ScaleReport & Pick<Options, 'shipments' | 'versions' | 'subscribers' | 'seed'>;

/** Plays the plan, then the lanes whose head doesn't move, and lays the journal beside the ledger. */
export async function prove(options: Options & Occasion): Promise<Report> {
  const { mutation, say, seed, shipments, subscribers, versions } = options;
  const parts = { ...options, name: 'order', mutation: mutation && BREAKS[mutation] };
  const report = await proveOn(parts, [ACCOUNT, GAP_ACCOUNT], async (stage) => {
    await Promise.all([stage.worker('worker-a'), stage.worker('worker-b')]);
    const played = await play({ ...options, stage });
    say('lanes whose head is dead or held');
    const gaps = await playGaps({ ...options, stage });
    const requests = stage.endpoints.requests();
    const main = requests.filter(({ path }) => path.startsWith('/main/'));
    const evidence = { played, requests: main, records: await recordsOf(stage.ledger, ACCOUNT) };
    const ofGaps = requests.filter(({ path }) => path.startsWith('/gap/'));
    return [
      ...ORDERS.flatMap((order) => rowsOf(order, options, evidence)),
      ...gapRows(gaps, await recordsOf(stage.ledger, GAP_ACCOUNT), ofGaps),
      ...stressRows(evidence),
    ];
  });
  return { ...report, shipments, versions, subscribers, seed };
}
