import { setTimeout as sleep } from 'node:timers/promises';
import type { OwnKind, Plan, RandomKind } from './plan.js';
import { LOST_AT_MOST, REQUEST_BYTES, SLOWEST_ANSWER_MS } from './players.js';
import type { Stage } from './stage.js';
import type { InFlight, Strike } from './strike.js';
import { continueLater, revive, untilGone } from './victims.js';

const CUT_MS = 1_000;
const ANSWER_TIMEOUT_MS = 10_000;

type StageKind = Exclude<RandomKind, OwnKind>;
/** Whether it hit: false where nothing was there to lose. */
type Blow = () => Promise<boolean>;

export function atRandom(stage: Stage, plan: Plan, signal: AbortSignal, inFlight: InFlight): Strike {
  const blow = blowsOf(stage, plan, signal)[plan.kind as StageKind];
  return {
    async fall() {
      if (plan.fromFirst) await inFlight();
      await sleep(plan.afterMs, undefined, { signal });
      const atMs = Date.now();
      const hit = await blow();
      const doomed = /^(worker|relay|signals).*(SIGKILL|SIGTERM)$/.test(plan.kind) ? [plan.victim] : [];
      return { hit, ...(await revive(stage, doomed)), atMs };
    },
  };
}

function blowsOf(stage: Stage, { victim }: Plan, signal: AbortSignal): Record<StageKind, Blow> {
  const { stack, receiver } = stage;
  const links = stage.links[victim];
  const send = (word: 'SIGKILL' | 'SIGTERM') => async (): Promise<boolean> => {
    stage.member(victim).process.signal(word);
    await untilGone(stage, victim, `after ${word}`, signal);
    return true;
  };
  const server = (how: 'crash' | 'restart', name: 'Postgres' | 'Temporal') => (): Promise<boolean> =>
    stack[how](name).then(() => true);
  return {
    'worker SIGKILL': send('SIGKILL'),
    'worker SIGTERM': send('SIGTERM'),
    'worker SIGSTOP': async () => {
      stage.member(victim).process.signal('SIGSTOP');
      await continueLater(stage, victim, signal);
      return true;
    },
    'relay SIGKILL': send('SIGKILL'),
    'relay SIGTERM': send('SIGTERM'),
    'Postgres SIGKILL': server('crash', 'Postgres'),
    'Postgres SIGTERM': server('restart', 'Postgres'),
    'Temporal SIGKILL': server('crash', 'Temporal'),
    'Temporal SIGTERM': server('restart', 'Temporal'),
    'Postgres link cut': () => links.Postgres.cut(CUT_MS).then(() => true),
    'Postgres answer lost': () => links.Postgres.loseAnswer(ANSWER_TIMEOUT_MS),
    'Temporal link cut': () => links.Temporal.cut(CUT_MS).then(() => true),
    'Temporal answer lost': () => links.Temporal.loseAnswer(ANSWER_TIMEOUT_MS),
    'receiver link cut': async () => (await receiver.cut(CUT_MS)) > 0,
    'receiver answer lost': async () => {
      const quietMs = SLOWEST_ANSWER_MS;
      const options = { most: LOST_AT_MOST, quietMs, withinMs: ANSWER_TIMEOUT_MS };
      return (await receiver.loseAnswersTo(REQUEST_BYTES, options)) > 0;
    },
    'signals and SIGKILL': send('SIGKILL'),
  };
}
