import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitStatus } from '../../scripts/stack/supervised.js';
import type { CheckerTask } from '../kill/checker.js';
import type { Finding } from '../kill/judge-round.js';
import { mutateLedger } from '../kill/mutations.js';
import { evidenceOf } from './evidence.js';
import type { Options } from './options.js';
import { faultsIn, rowOf, type Row } from './rows.js';
import { setScene, type Scene } from './scene.js';
import { runTrial, type Trial } from './trial.js';
import { warmUp } from './warm-up.js';

export interface Report {
  readonly verdict: 'green' | 'red';
  readonly size: number;
  readonly short: boolean;
  readonly seconds: number;
  readonly rows: readonly Row[];
  /** Why it is red. */
  readonly reasons: readonly string[];
}

export interface ProofOptions extends Options {
  readonly dataDir: string;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** Sets the scene, brings one fault after the other, has it all judged, and leaves nothing running. */
export async function prove(options: ProofOptions): Promise<Report> {
  const { dataDir, mutation, only, say, short, signal, size } = options;
  const startedMs = performance.now();
  const scene = await setScene({ dataDir, signal, say });
  try {
    await warmUp(scene, size, signal);
    if (mutation) await mutateLedger(scene.stage.stack.adminUrl, mutation);
    const trials: Trial[] = [];
    for (const name of only) {
      say(`${trials.length + 1}/${only.length} ${name} begins`);
      const trial = await runTrial({ ...options, scene, name });
      trials.push(trial);
      say(lineOf(trial));
    }
    say('checking the journal against the ledger and the workflows');
    const findings = await judgedBy(scene, trials, signal);
    const rows: Row[] = [];
    for (const [i, trial] of trials.entries())
      rows.push(rowOf(trial, findings[i] as Finding, await evidenceOf(scene, trial)));
    const reasons = rows.flatMap((row) => faultsIn(row).map((fault) => `${row.fault}: ${fault}`));
    return {
      verdict: reasons.length === 0 ? 'green' : 'red',
      ...{ size, short },
      seconds: Math.round((performance.now() - startedMs) / 1_000),
      ...{ rows, reasons },
    };
  } finally {
    say('stopping');
    await scene.stop();
  }
}

function lineOf({ name, fellAlone, fromMs, published, secondsToEnd, stuck, toMs }: Trial): string {
  const long = ((toMs - fromMs) / 1_000).toFixed(1);
  const ill = [
    ...(stuck > 0 ? [`${stuck} STUCK`] : []),
    ...(fellAlone > 0 ? [`${fellAlone} FELL ALONE`] : []),
  ];
  const told = [
    `${long} s long`,
    `${published.length} publishes meanwhile`,
    `all over ${secondsToEnd} s later`,
  ];
  return `${name}: ${[...told, ...ill].join(', ')}`;
}

async function judgedBy(scene: Scene, trials: readonly Trial[], signal: AbortSignal): Promise<Finding[]> {
  const { stage } = scene;
  const file = join(stage.folder, 'task.json');
  const task: CheckerTask = {
    rounds: trials.map(({ account, events, fromMs, owed, shipment }) => ({
      ...{ account, shipment },
      ...{ size: owed, struckAtMs: fromMs, published: events },
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
  return JSON.parse(readFileSync(task.out, 'utf8')) as Finding[];
}
