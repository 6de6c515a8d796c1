import { setMaxListeners } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { exitStatus } from '../../scripts/stack/supervised.js';
import type { CheckerTask } from './checker.js';
import type { Finding } from './judge-round.js';
import { mutateLedger } from './mutations.js';
import type { Options } from './options.js';
import { OWN_KINDS, planOf, type Plan } from './plan.js';
import { mend, runReconcile } from './reconcile.js';
import { openRound, type RoundFact } from './round.js';
import { faultsIn, rowsOf, type JudgedRound, type Row } from './rows.js';
import { setStage, type Stage } from './stage.js';

/** A round that missed its point is played again, at the point's first reach, at most so often. */
const TAKES = 3;

export interface Report {
  readonly verdict: 'green' | 'red';
  readonly seed: number;
  readonly rounds: number;
  readonly size: number;
  readonly seconds: number;
  readonly rows: readonly Row[];
  /** What a last `waybill reconcile --dry-run --grace-ms 0` names, when all is over: nothing. */
  readonly reconcileFindings: number;
  /** Why it is red. */
  readonly reasons: readonly string[];
}

export interface ProofOptions extends Options {
  readonly dataDir: string;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** Sets the stage, plays the rounds, has them judged, and leaves nothing running. */
export async function prove(options: ProofOptions): Promise<Report> {
  const { dataDir, kinds, mutation, only, say, seed, signal, size } = options;
  const startedMs = performance.now();
  const plans = Array.from({ length: only === undefined ? options.rounds : 1 }, (_, i) =>
    planOf(seed, only ?? i, size, kinds),
  );
  const stage = await setStage({ dataDir, signal, say });
  try {
    if (mutation) await mutateLedger(stage.stack.adminUrl, mutation);
    const facts = await play(options, stage, plans);
    say('checking the journal against the ledger and the workflows');
    const judged = await judgedBy(stage, facts, signal);
    const due = kinds.filter((kind) => plans.some((plan) => plan.kind === kind));
    const rows = rowsOf(due, judged);
    say('asking reconciliation what it would mend now');
    const found = await runReconcile(stage, true, signal);
    const reasons = [
      ...rows.flatMap((row) =>
        faultsIn(row, plans.filter((plan) => plan.kind === row.kind).length).map(
          (fault) => `${row.kind}: ${fault}`,
        ),
      ),
      ...found.map((finding) => `reconciliation still finds ${finding}`),
    ];
    return {
      verdict: reasons.length === 0 ? 'green' : 'red',
      ...{ seed, rounds: plans.length, size },
      seconds: Math.round((performance.now() - startedMs) / 1_000),
      ...{ rows, reasons },
      reconcileFindings: found.length,
    };
  } finally {
    say('stopping');
    await stage.stop();
  }
}

/** One blow at a time; the ends of earlier rounds are waited for meanwhile. */
async function play(options: ProofOptions, stage: Stage, plans: readonly Plan[]): Promise<RoundFact[]> {
  const { open, patienceMs, say, signal } = options;
  const connection = await Connection.connect({ address: stage.stack.temporalAddress ?? '' });
  const facts: RoundFact[] = [];
  const startedMs = performance.now();
  let done = 0;
  const ends = new Set<Promise<void>>();
  const giveUp = new AbortController();
  const ending = AbortSignal.any([signal, giveUp.signal]);
  setMaxListeners(0, ending);
  const playOne = async (plan: Plan, take: number): Promise<boolean> => {
    while (ends.size >= open) await Promise.race(ends);
    say(`round ${plan.round} begins: ${plan.kind}`);
    const round = await openRound({ stage, connection, plan, take, patienceMs, signal: ending });
    const end = round.over.then((fact) => {
      facts.push(fact);
      ends.delete(end);
      if (fact.struck.hit || fact.take === TAKES) done += 1;
      say(`${lineOf(fact, done, plans.length)}${leftOf(performance.now() - startedMs, done, plans.length)}`);
    });
    end.catch(() => undefined); // awaited below
    ends.add(end);
    return (await round.struck).hit;
  };
  try {
    for (const plan of plans) {
      let take = 1;
      while (!(await playOne(take === 1 ? plan : { ...plan, nth: 1, afterMs: 100 }, take)) && take < TAKES)
        take += 1;
    }
    await Promise.all(ends);
    return await mend(stage, connection, facts, { patienceMs, signal });
  } finally {
    giveUp.abort(new Error('another round failed'));
    await Promise.allSettled(ends);
    await connection.close();
  }
}

function lineOf(fact: RoundFact, done: number, all: number): string {
  const { plan, seconds, struck, stuck } = fact;
  const at = (OWN_KINDS as readonly string[]).includes(plan.kind)
    ? 'as it was given'
    : plan.point === undefined
      ? `${plan.afterMs} ms after the ${plan.fromFirst ? 'first attempt' : 'publish'}`
      : `${plan.signal} at reach ${plan.nth}`;
  const fell = struck.fell.length > 0 ? `, ${struck.fell.join(' and ')} fell` : '';
  const alone = struck.fellAlone.length > 0 ? `, ${struck.fellAlone.join(' and ')} FELL ALONE` : '';
  const ill = stuck.length > 0 ? `, STUCK: ${stuck.join(' ')}` : struck.hit ? '' : ', missed';
  return `${done}/${all} round ${plan.round}: ${plan.kind} ${at}${fell}${alone}; ${seconds.toFixed(1)} s${ill}`;
}

/** How long it has been going on, and how long it will, at this pace. */
function leftOf(elapsedMs: number, done: number, all: number): string {
  const minutes = (ms: number): string => (ms / 60_000).toFixed(1);
  const left = done === 0 || done === all ? '' : `, about ${minutes((elapsedMs / done) * (all - done))} left`;
  return ` (${minutes(elapsedMs)} min gone${left})`;
}

async function judgedBy(
  stage: Stage,
  facts: readonly RoundFact[],
  signal: AbortSignal,
): Promise<JudgedRound[]> {
  const file = join(stage.folder, 'task.json');
  const task: CheckerTask = {
    rounds: facts.map(({ account, shipment, size, struck }) => ({
      ...{ account, shipment, size },
      struckAtMs: struck.atMs,
    })),
    journal: stage.journal,
    out: join(stage.folder, 'findings.json'),
  };
  writeFileSync(file, JSON.stringify(task), { mode: 0o600 });
  const checker = await stage.troupe.run('checker', 'test/kill/checker.ts', file, stage.env);
  const end = (): void => void checker.stop();
  signal.addEventListener('abort', end, { once: true });
  const status = exitStatus(await checker.exited);
  signal.removeEventListener('abort', end);
  signal.throwIfAborted();
  if (status !== 0) throw new Error(`the checker ended with ${status}; see ${stage.folder}/checker.log`);
  const findings = JSON.parse(readFileSync(task.out, 'utf8')) as Finding[];
  return facts.map((fact, i) => ({ fact, finding: findings[i] as Finding }));
}
