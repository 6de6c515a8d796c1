import { proveOn, type ScaleReport } from '../scale/prove.js';
import type { Occasion } from '../scale/stage.js';
import { accountOf, playHalts, REACHES, STOPPED } from './halt.js';
import { endsOf } from './ledger.js';
import { BREAKS } from './mutations.js';
import type { Options } from './options.js';
import { playRamp, RAMP_ACCOUNT } from './ramp.js';
import { endRows, haltRows, rampRows, type Ends } from './rows.js';
import { endingAccount, ENDING, playEnds } from './until.js';

export type Report = ScaleReport & Pick<Options, 'held' | 'ramp' | 'queued'>;

const ACCOUNTS = [...REACHES.map(accountOf), ...ENDING.map(endingAccount), RAMP_ACCOUNT];

/** Plays the pauses, then the resume of many, and lays the journal beside the ledger. */
export async function prove(options: Options & Occasion): Promise<Report> {
  const { held, mutation, queued, ramp } = options;
  const parts = { ...options, name: 'pause', mutation: mutation && BREAKS[mutation] };
  const report = await proveOn(parts, ACCOUNTS, async (stage) => {
    const [, stoppable] = await Promise.all([
      stage.worker('worker-a'),
      stage.worker(STOPPED, { stoppable: true }),
    ]);
    const staged = { ...options, stage };
    const [halts, untils] = await Promise.all([playHalts(staged, stoppable), playEnds(staged)]);
    const backlog = await playRamp(staged);
    const requests = stage.endpoints.requests();
    const ends: Record<string, Ends[string]> = {};
    for (const account of ACCOUNTS) ends[account] = await endsOf(stage.ledger, account);
    return [
      ...haltRows(halts, ends, requests),
      ...rampRows(options, backlog, ends, requests),
      ...endRows(untils, ends, requests),
    ];
  });
  return { ...report, held, ramp, queued };
}
