import { setTimeout as sleep } from 'node:timers/promises';
import { WaybillError } from '../../src/client.js';
import { randomOf } from '../kill/random.js';
import type { Stage } from '../scale/stage.js';

const EVERY_MS: readonly [number, number] = [40, 160];
const PAUSED_MS: readonly [number, number] = [100, 700];
/** Of so many acts one is on a whole subscriber. */
const SUBSCRIBER_EVERY = 12;
/** Far above what the proof sends: resumes are no part of it. */
const RAMP_PER_S = 500;

export interface Acts {
  obligations: number;
  subscribers: number;
}

export interface OperatorOptions {
  readonly stage: Stage;
  readonly account: string;
  readonly seed: number;
  readonly subscribers: readonly string[];
  /** Ends it; what is paused is resumed before it resolves. */
  readonly until: AbortSignal;
}

/** Pauses single obligations that are open, and whole subscribers, and resumes them after a moment, one at a time. */
export async function pauseAndResume(options: OperatorOptions): Promise<Acts> {
  const { account, seed, stage, subscribers, until } = options;
  const client = stage.client(account);
  const random = randomOf('operator', seed);
  const acts: Acts = { obligations: 0, subscribers: 0 };
  const word = { actor: 'proof-operator', reason: 'to see what order does' };
  const rest = ([least, most]: readonly [number, number]): Promise<unknown> =>
    sleep(random.whole(least, most), undefined, { signal: until }).catch(() => undefined);
  for (let nth = 1; !until.aborted; nth += 1) {
    if (nth % SUBSCRIBER_EVERY === 0) {
      const subscriber = random.pick(subscribers);
      await client.actOnSubscriber('pause', subscriber, word);
      acts.subscribers += 1;
      await rest(PAUSED_MS);
      await client.actOnSubscriber('resume', subscriber, word, { rampPerSecond: RAMP_PER_S });
    } else {
      const key = await openOne(options, nth);
      if (key !== undefined && (await granted(client.pause(key, word)))) {
        acts.obligations += 1;
        await rest(PAUSED_MS);
        await granted(client.resume(key, word));
      }
    }
    await rest(EVERY_MS);
  }
  return acts;
}

/** Which one, the seed decides among those that are open. */
async function openOne({ account, seed, stage }: OperatorOptions, nth: number): Promise<string | undefined> {
  const { rows } = await stage.ledger.query<{ key: string }>(
    `SELECT o.key FROM waybill.obligations o JOIN waybill.events e ON e.id = o.event_id
       WHERE e.account = $1 AND o.disposition IN ('pending', 'attempting', 'waiting')
       ORDER BY md5(o.key || $2) LIMIT 1`,
    [account, `${seed} ${nth}`],
  );
  return rows[0]?.key;
}

/** False where it was over before the act came. */
async function granted(act: Promise<unknown>): Promise<boolean> {
  try {
    await act;
    return true;
  } catch (error) {
    if (error instanceof WaybillError) return false;
    throw error;
  }
}
