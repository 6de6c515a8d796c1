import { allowCases, rangeCases, resolverCases, spellingCases } from './guard-cases.js';
import { lookupCases } from './lookup-cases.js';
import type { Options } from './options.js';
import { proxyCases } from './proxy-cases.js';
import { faultsIn, type Kind, type Limits, type Row } from './rows.js';
import { openStage, type Case, type Stage } from './stage.js';
import {
  certificateCases,
  handshakeCases,
  headerCases,
  propertyCases,
  receiverCases,
  redirectCases,
  retryAfterCases,
  statusCases,
} from './wire-cases.js';

export interface Report {
  readonly verdict: 'green' | 'red';
  readonly rows: readonly Row[];
  /** Rows of cases that are written down; the properties' made-up input doesn't count. */
  readonly named: number;
  readonly short: number;
  readonly runs: number;
  readonly seed: number;
  readonly limits: Limits;
  readonly seconds: number;
}

interface ProofOptions extends Options {
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** The rows that a whole proof has at least, so that a table that got lost is seen. */
const NAMED_AT_LEAST = 400;

const CASES: Readonly<Record<Kind, (stage: Stage, options: Options) => Case[]>> = {
  spelling: spellingCases,
  range: rangeCases,
  resolver: (stage) => [...resolverCases(stage), ...lookupCases(stage)],
  'allow-list': allowCases,
  status: statusCases,
  redirect: redirectCases,
  'retry-after': retryAfterCases,
  receiver: receiverCases,
  handshake: handshakeCases,
  certificate: certificateCases,
  header: headerCases,
  proxy: proxyCases,
  property: propertyCases,
};

/** Plays all cases, one after the other, so that what happens meanwhile is this case's. */
export async function prove({ say, signal, ...options }: ProofOptions): Promise<Report> {
  const startMs = performance.now();
  const stage = await openStage(options);
  const rows: Row[] = [];
  try {
    // The first request loads what the later ones share; its memory is no case's.
    await stage.wire().send(stage.request(`https://hooks.example.com:${stage.ready.port}/`));
    for (const kind of options.only) {
      const cases = CASES[kind](stage, options);
      say(`${kind}: ${cases.length} rows`);
      for (const one of cases) {
        signal.throwIfAborted();
        rows.push(await stage.play(one));
      }
    }
  } finally {
    await stage.close();
  }
  const short = rows.filter((row) => faultsIn(row, options.limits).length > 0).length;
  const named = rows.filter(({ kind }) => kind !== 'property').length;
  const whole = options.only.length < Object.keys(CASES).length || named >= NAMED_AT_LEAST;
  return {
    verdict: short === 0 && whole && rows.length > 0 ? 'green' : 'red',
    rows,
    ...{ named, short, runs: options.runs, seed: options.seed, limits: options.limits },
    seconds: Math.round((performance.now() - startMs) / 1000),
  };
}
