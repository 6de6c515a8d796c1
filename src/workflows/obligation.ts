import { ApplicationFailureCategory } from '@temporalio/common';
import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  condition,
  continueAsNew,
  proxyActivities,
  setHandler,
  sleep,
  workflowInfo,
  ActivityCancellationType,
} from '@temporalio/workflow';
import type { LedgerActivities, SendActivities } from '../activities/types.js';
import type { Disposition } from '../contract.js';
import { lastWord, newerStanding, type Standing } from '../policy/standing.js';
import { attemptTimeMs, silenceMs } from '../policy/times.js';
import { openDesk, statusQuery, type Desk } from './desk.js';
import type { ObligationInput } from './obligation-input.js';
import { attemptWord, openPage, stamp, type Page } from './page.js';

const { heed } = proxyActivities<LedgerActivities>({
  startToCloseTimeout: '30 seconds',
  heartbeatTimeout: '10 seconds',
  retry: {
    initialInterval: '1 second',
    maximumInterval: '1 minute',
    nonRetryableErrorTypes: ['record_lost'],
  },
});

/** A run of more events than this rolls over, between tries, well below where Temporal begins to warn. */
const ROLL_OVER_EVENTS = 1_000;
/** What is held or waits in its destination's line looks again this often, should the word that it may go on get lost. */
const SAFETY_LOOK_MS = 6 * 3_600_000;

export interface ObligationResult {
  readonly disposition: Disposition;
  readonly attempts: number;
}

interface Scene {
  readonly input: ObligationInput;
  readonly desk: Desk;
  readonly page: Page;
}

/**
 * The duty to deliver one event to one subscriber, from its first attempt to its end.
 *
 * The ledger decides and remembers; this story keeps the time and listens. It ends when the ledger says that it
 * is over. `dead` (with its redrive window past) and `expired` end it as failed, so that Temporal's own status
 * filter finds them.
 */
export async function obligation(input: ObligationInput): Promise<ObligationResult> {
  const { carried } = input;
  const scene: Scene = {
    input,
    desk: openDesk(carried?.inbox ?? [], carried?.recheck ?? false),
    page: openPage(input.key, carried?.told ?? [], carried?.shown ?? null),
  };
  let at = carried?.standing ?? NOT_TRIED_YET;
  let untilMs = carried?.untilMs ?? Date.now();
  setHandler(statusQuery, () => describe(at, untilMs));

  while (at.is !== 'over') {
    if (workflowInfo().historyLength > ROLL_OVER_EVENTS) return rollOver(scene, at, untilMs);
    scene.page.show(at, at.is === 'due' ? null : untilMs);

    if (scene.desk.hasMail()) at = await heedMail(scene, at);
    else if (at.is === 'due') at = await tryOnce(scene, at);
    else if (await scene.desk.mailWithin(shortened(at, untilMs), waitWord(at, untilMs)))
      at = await heedMail(scene, at);
    else if (at.is === 'held' || at.is === 'dead') at = await look(scene, at);
    else at = { ...at, is: 'due' };

    untilMs = Date.now() + at.waitMs;
  }

  while (scene.desk.hasMail()) at = newerStanding(at, await heedMail(scene, at));
  scene.page.show(at, null);
  return end(at);
}

const NOT_TRIED_YET: Standing = {
  is: 'due',
  disposition: 'pending',
  rev: 0,
  round: 0,
  tries: 0,
  attempts: 0,
  waitMs: 0,
  leaseMs: 0,
  reason: null,
  outcome: null,
  class: null,
  status: null,
};

/** One try. Mail that comes meanwhile is heeded at once; a termination closes the socket. */
async function tryOnce(scene: Scene, at: Standing): Promise<Standing> {
  const { key } = scene.input;
  const sending = new CancellationScope({ cancellable: true });
  let done: Standing | undefined;
  let failure: unknown;
  const attempting = sending
    .run(() =>
      sender(scene, at).attempt.executeWithOptions({ summary: `attempt ${at.attempts + 1}` }, [
        { key, round: at.round, tryNumber: at.tries + 1 },
      ]),
    )
    .then(
      (standing) => {
        done = standing;
      },
      (error: unknown) => {
        failure = error;
      },
    );

  let told = at;
  while (done === undefined && failure === undefined) {
    await condition(() => done !== undefined || failure !== undefined || scene.desk.hasMail());
    if (done !== undefined || failure !== undefined) break;
    told = newerStanding(told, await heedMail(scene, told));
    if (told.is === 'over') sending.cancel();
  }
  await attempting;

  if (done === undefined) {
    if (told.is === 'over') return lookWhenLeaseIsOver(scene, told);
    if (isRecordLost(failure)) return recordLost(told);
    throw failure;
  }
  const now = newerStanding(told, done);
  if (now.attempts > at.attempts) scene.page.tell(attemptWord(now));
  return now;
}

/** Called off while its worker was dying or its attempt unheard of: what became of it must still be put on record. */
async function lookWhenLeaseIsOver(scene: Scene, told: Standing): Promise<Standing> {
  const at = await look(scene, told);
  if (at.leaseMs === 0) return at;
  await sleep(at.leaseMs, { summary: 'the lease of the last attempt' });
  return look(scene, at);
}

/** First tries and later ones have queues, and so slots, of their own. */
function sender(scene: Scene, at: Standing) {
  const { taskQueue } = workflowInfo();
  const first = at.round === 0 && at.attempts === 0;
  return proxyActivities<SendActivities>({
    taskQueue: `${taskQueue}-${first ? 'send' : 'retry'}`,
    startToCloseTimeout: attemptTimeMs(scene.input.policy.timeoutMs),
    heartbeatTimeout: silenceMs(scene.input.policy.timeoutMs),
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: {
      initialInterval: '1 second',
      maximumInterval: '1 minute',
      nonRetryableErrorTypes: ['record_lost'],
    },
  });
}

async function heedMail(scene: Scene, at: Standing): Promise<Standing> {
  const acts = scene.desk.takeMail();
  try {
    const standing = await heed({ key: scene.input.key, acts });
    for (const act of acts) {
      scene.page.tell(`${act.verb} by ${act.actor || 'nobody'}: now ${standing.disposition}`);
    }
    return standing;
  } catch (failure) {
    if (!isRecordLost(failure)) throw failure;
    scene.desk.putBack(acts);
    return recordLost(at);
  }
}

async function look(scene: Scene, at: Standing): Promise<Standing> {
  try {
    return await heed({ key: scene.input.key, acts: [] });
  } catch (failure) {
    if (!isRecordLost(failure)) throw failure;
    return recordLost(at);
  }
}

/**
 * The ledger has no row of this obligation: a database restored from an older backup, or a hand. Nothing may be sent;
 * the story waits until reconciliation has rebuilt the row or a person decided.
 */
const recordLost = (at: Standing): Standing => ({
  ...at,
  is: 'held',
  reason: 'record-lost',
  waitMs: SAFETY_LOOK_MS,
  leaseMs: 0,
});

const isRecordLost = (failure: unknown): boolean =>
  failure instanceof ActivityFailure &&
  failure.cause instanceof ApplicationFailure &&
  failure.cause.type === 'record_lost';

const shortened = (at: Standing, untilMs: number): number => {
  const leftMs = untilMs - Date.now();
  const byWord = at.is === 'held' || (at.reason !== null && at.reason !== 'not_due');
  return byWord ? Math.min(leftMs, SAFETY_LOOK_MS) : leftMs;
};

function waitWord(at: Standing, untilMs: number): string {
  const last = at.attempts === 0 ? 'no attempt yet' : attemptWord(at);
  switch (at.is) {
    case 'held':
      return `${last}, held: ${at.reason ?? 'paused'}`;
    case 'dead':
      return `${last}, dead, redrivable until ${stamp(untilMs)}`;
    default:
      return `${last}, next ${stamp(untilMs)}${at.reason === 'not_due' || at.reason === null ? '' : ` (${at.reason})`}`;
  }
}

function describe(at: Standing, untilMs: number) {
  return {
    is: at.is,
    disposition: at.disposition,
    attempts: at.attempts,
    round: at.round,
    reason: at.reason,
    last: at.attempts === 0 ? null : attemptWord(at),
    until: at.is === 'due' || at.is === 'over' ? null : new Date(untilMs).toISOString(),
  };
}

function rollOver(scene: Scene, standing: Standing, untilMs: number): Promise<never> {
  return continueAsNew<typeof obligation>({
    key: scene.input.key,
    policy: scene.input.policy,
    carried: {
      standing,
      untilMs,
      recheck: scene.desk.lookAsked(),
      inbox: scene.desk.takeMail(),
      told: scene.page.told(),
      shown: scene.page.shown(),
    },
  });
}

function end(at: Standing): ObligationResult {
  if (at.disposition === 'dead' || at.disposition === 'expired') {
    const failure = ApplicationFailure.create({
      type: at.disposition,
      message: `${at.disposition} after ${at.attempts} attempts, the last: ${lastWord(at)}`,
      nonRetryable: true,
      category: ApplicationFailureCategory.BENIGN,
    });
    // An end, not a fault: where in the bundle it was made tells nobody anything.
    failure.stack = '';
    throw failure;
  }
  return { disposition: at.disposition, attempts: at.attempts };
}
