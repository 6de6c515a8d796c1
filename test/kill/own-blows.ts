import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { WaybillClient, type EventInput } from '../../src/client.js';
import { isDatabaseTrouble } from '../../src/ledger/pool.js';
import { loadConfig } from '../../src/config.js';
import { persistently } from './persistently.js';
import type { Plan } from './plan.js';
import type { Stage } from './stage.js';
import type { Strike } from './strike.js';

const ANSWER_TIMEOUT_MS = 10_000;
const LOOK_EVERY_MS = 100;
const DEAD_TIMEOUT_MS = 30_000;

/** A blow that is also how the round's event is published. */
export interface OwnStrike extends Strike {
  publish(): Promise<unknown>;
}

/** Undefined for the kinds that strike something on the stage. */
export function ownStrike(
  stage: Stage,
  plan: Plan,
  round: {
    readonly client: WaybillClient;
    readonly account: string;
    readonly event: EventInput;
    readonly signal: AbortSignal;
  },
): OwnStrike | undefined {
  const { client, account, event, signal } = round;
  const struckBy = (hit: boolean, atMs: number) => ({ hit, fell: [], fellAlone: [], atMs });
  switch (plan.kind) {
    case 'publisher answer lost': {
      let hit = false;
      return {
        publish: async () => (hit = await publishUnheard(stage, client, event, signal)),
        fall: () => Promise.resolve(struckBy(hit, Date.now())),
      };
    }
    case 'operator answer lost':
      return {
        publish: () => persistently(signal, () => client.publish(event)),
        fall: async () => struckBy(await redriveUnheard(stage, account, signal), Date.now()),
      };
    default:
      return undefined;
  }
}

/**
 * Publishes in a transaction whose COMMIT is done and never answered, and then again until it is answered. True where it
 * came to that: the event was there already.
 */
async function publishUnheard(
  stage: Stage,
  client: WaybillClient,
  event: EventInput,
  signal: AbortSignal,
): Promise<boolean> {
  const { databaseUrl, link } = stage.offices.publisher;
  const db = new pg.Client({ connectionString: databaseUrl });
  db.on('error', () => undefined); // that it ends is what this is about, and COMMIT tells of it
  await db.connect();
  try {
    await db.query('BEGIN');
    await client.publishIn(db, event);
    const lost = link.loseAnswer(ANSWER_TIMEOUT_MS);
    const answered = await isAnswered(db.query('COMMIT'));
    const unheard = (await lost) && !answered;
    const { created } = await persistently(signal, () => client.publish(event));
    return unheard && !created;
  } finally {
    await db.end();
  }
}

/**
 * Redrives the round's dead letter by an act that is done and never answered, and then again under the same request id
 * until it is answered. True where it came to that: the second answer says that it is a repeated one.
 */
async function redriveUnheard(stage: Stage, account: string, signal: AbortSignal): Promise<boolean> {
  const { databaseUrl, link } = stage.offices.operator;
  const config = loadConfig({ ...stage.env, WAYBILL_DATABASE_URL: databaseUrl, WAYBILL_POOL_MAX: '1' });
  const operator = new WaybillClient({ account, config });
  try {
    const dead = await deadLetter(operator, signal);
    if (!dead) return false;
    await stage.mend(dead.subscriberName);
    await persistently(signal, () => operator.find({ key: dead.key })); // a connection stands: no hello is lost
    const word = { actor: 'kill-operator', reason: 'an act whose answer is lost', requestId: 'unheard' };
    const lost = link.loseAnswer(ANSWER_TIMEOUT_MS);
    const answered = await isAnswered(operator.redrive(dead.key, word));
    const unheard = (await lost) && !answered;
    const { repeated } = await persistently(signal, () => operator.redrive(dead.key, word));
    return unheard && repeated === true;
  } finally {
    await operator.close();
  }
}

/** False where its connection died over it. */
async function isAnswered(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (!isDatabaseTrouble(error)) throw error;
    return false;
  }
}

async function deadLetter(operator: WaybillClient, signal: AbortSignal) {
  const deadlineMs = performance.now() + DEAD_TIMEOUT_MS;
  while (performance.now() < deadlineMs) {
    const [dead] = await persistently(signal, () => operator.find({ disposition: 'dead' }));
    if (dead) return dead;
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
  return undefined;
}
