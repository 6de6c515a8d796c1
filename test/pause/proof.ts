import type pg from 'pg';
import { setStage, type Occasion } from '../scale/stage.js';
import { tellStuck } from '../scale/stuck.js';
import { verdictOf, type Row } from '../support/proof-rows.js';
import { accountOf, playHalts, REACHES, STOPPED } from './halt.js';
import { endsOf } from './ledger.js';
import { BREAKS } from './mutations.js';
import type { Options } from './options.js';
import { playRamp, RAMP_ACCOUNT } from './ramp.js';
import { endRows, haltRows, rampRows, type Ends } from './rows.js';
import { endingAccount, ENDING, playEnds } from './until.js';

export interface Report extends Pick<Options, 'held' | 'ramp' | 'queued'> {
  readonly verdict: 'green' | 'red';
  readonly rows: readonly Row[];
  readonly seconds: number;
  /** What is stuck, and why so. */
  readonly reasons: readonly string[];
}

const ACCOUNTS = [...REACHES.map(accountOf), ...ENDING.map(endingAccount), RAMP_ACCOUNT];

/** Plays the pauses, then the resume of many, and lays the journal beside the ledger. */
export async function prove(options: Options & Occasion): Promise<Report> {
  const { held, mutation, queued, ramp, say } = options;
  const startedMs = performance.now();
  const broken = mutation && BREAKS[mutation];
  const stage = await setStage({ ...options, name: 'pause', mutation: broken });
  try {
    const [, stoppable] = await Promise.all([
      stage.worker('worker-a'),
      stage.worker(STOPPED, { stoppable: true }),
    ]);
    const parts = { ...options, stage };
    const [halts, untils] = await Promise.all([playHalts(parts, stoppable), playEnds(parts)]);
    const backlog = await playRamp(parts);
    const requests = stage.endpoints.requests();
    const ends = await allEnds(stage.ledger);
    const rows = [
      ...haltRows(halts, ends, requests),
      ...rampRows(options, backlog, ends, requests),
      ...endRows(untils, ends, requests),
    ];
    return {
      verdict: verdictOf(rows),
      ...{ held, ramp, queued, rows },
      seconds: Math.round((performance.now() - startedMs) / 1_000),
      reasons: await tellStuck(stage, ...ACCOUNTS),
    };
  } finally {
    say('stopping');
    await stage.stop();
  }
}

async function allEnds(ledger: pg.Pool): Promise<Ends> {
  const ends: Record<string, Ends[string]> = {};
  for (const account of ACCOUNTS) ends[account] = await endsOf(ledger, account);
  return ends;
}
