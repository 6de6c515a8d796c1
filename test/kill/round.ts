import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type Connection } from '@temporalio/client';
import { WaybillClient } from '../../src/client.js';
import { loadConfig } from '../../src/config.js';
import { obligationKey } from '../../src/contract.js';
import { askAgain, perform, type OperatorDesk } from './operator.js';
import { ownStrike } from './own-blows.js';
import { persistently } from './persistently.js';
import type { Plan } from './plan.js';
import { NOTE, playersOf, POLICY, type Player } from './players.js';
import type { Stage } from './stage.js';
import { prepare, type Struck } from './strike.js';
import { untilFinal } from './until-final.js';

const IN_FLIGHT_EVERY_MS = 40;

/** A round that is over, for the checker and the report. */
export interface RoundFact {
  readonly plan: Plan;
  readonly take: number;
  readonly account: string;
  readonly shipment: string;
  /** Obligations that are owed. */
  readonly size: number;
  readonly struck: Struck;
  readonly seconds: number;
  /** In the order of its players. */
  readonly subscribers: readonly string[];
  /** Obligations that were not final when patience was over. */
  readonly stuck: readonly string[];
}

export interface RoundOptions {
  readonly stage: Stage;
  readonly connection: Connection;
  readonly plan: Plan;
  /** Tells repeats of a round apart. */
  readonly take: number;
  readonly patienceMs: number;
  readonly signal: AbortSignal;
}

export interface OpenRound {
  /** The blow has fallen and its victim is back: the next round may begin. */
  readonly struck: Promise<Struck>;
  readonly over: Promise<RoundFact>;
}

/** Publishes one event to subscribers of the round's own, strikes meanwhile, and waits for what becomes of it. */
export async function openRound(options: RoundOptions): Promise<OpenRound> {
  const { stage, plan, take, signal } = options;
  const { size } = plan;
  const account = `kill-${plan.round}-${take}`;
  const shipment = `parcel-${plan.round}-${take}`;
  const config = loadConfig({ ...stage.env, WAYBILL_POOL_MAX: '3' });
  const client = new WaybillClient({ account, actor: 'kill', config });
  const players = playersOf(`${plan.round}-${take}`, size);
  const closing = new AbortController();
  const ending = AbortSignal.any([signal, closing.signal]);
  setMaxListeners(0, ending); // every act and wait of the round hangs on it
  try {
    const ids = await persistently(ending, () => addAll(stage, client, players));
    const event = {
      ...{ shipment, version: 1, type: 'shipment.delivered', contentType: 'application/json' },
      payload: JSON.stringify({ shipment, note: NOTE }),
    };
    const own = ownStrike(stage, plan, { client, account, event, signal: ending });
    const strike = own ?? (await prepare(stage, plan, ending, () => untilInFlight(client, ending)));
    const startedMs = performance.now();
    await (own?.publish() ?? persistently(ending, () => client.publish(event)));
    const struck = strike.fall();
    const desk: OperatorDesk = {
      client,
      workflows: new Client({ connection: options.connection }).workflow,
      keyOf: (i) => obligationKey(shipment, ids[i] ?? '', 1),
      signal: ending,
    };
    const over = finish({ ...options, ...{ client, desk, players, closing, startedMs } }, struck).then(
      (end) => ({ ...{ plan, take, account, shipment, size }, subscribers: ids, ...end }),
    );
    over.catch(() => undefined); // whoever opened the round awaits it later
    return { struck, over };
  } catch (error) {
    await client.close();
    throw error;
  }
}

async function addAll(stage: Stage, client: WaybillClient, players: readonly Player[]): Promise<string[]> {
  const there = await client.subscribers();
  const added =
    there.length > 0
      ? there
      : await client.addSubscribers(
          players.map(({ name, role, secret }) => ({
            ...{ name, secret, policy: { ...POLICY } },
            url: `https://127.0.0.1:${stage.receiverPort}/${role}/${name}`,
          })),
        );
  await stage.tellSecrets(Object.fromEntries(players.map(({ name, secret }) => [name, secret])));
  const byName = new Map(added.map(({ name, id }) => [name, id]));
  return players.map(({ name }) => byName.get(name) ?? '');
}

/** Resolves at the round's first attempt. */
async function untilInFlight(client: WaybillClient, signal: AbortSignal): Promise<void> {
  for (;;) {
    const rows = await persistently(signal, () => client.find());
    if (rows.some((row) => row.attempts > 0)) return;
    await sleep(IN_FLIGHT_EVERY_MS, undefined, { signal });
  }
}

interface Running extends RoundOptions {
  readonly client: WaybillClient;
  readonly desk: OperatorDesk;
  readonly players: readonly Player[];
  readonly closing: AbortController;
  readonly startedMs: number;
}

type End = Pick<RoundFact, 'struck' | 'seconds' | 'stuck'>;

async function finish(round: Running, falling: Promise<Struck>): Promise<End> {
  const { client, closing, desk, plan, players, startedMs } = round;
  const policies = new Map(
    (await persistently(desk.signal, () => client.subscribers())).map(({ name, policy }) => [name, policy]),
  );
  // Acts that were never answered end with the round.
  const deeds = plan.acts.map((act) => perform(desk, act));
  players.forEach(({ name, role }, i) => {
    const policy = policies.get(name);
    if (role === 'slow' && policy) deeds.push(askAgain(desk, desk.keyOf(i), policy));
  });
  const acting = Promise.allSettled(deeds);
  const end = await Promise.allSettled([
    (async () => {
      const struck = await falling;
      const stuck = await untilFinal({ ...round, size: plan.size, nthWait: 1 });
      return { struck, stuck, seconds: Math.round(performance.now() - startedMs) / 1_000 };
    })(),
  ]);
  closing.abort();
  const undone = (await acting).find((deed) => deed.status === 'rejected' && !isAbort(deed.reason));
  await client.close();
  if (end[0].status === 'rejected') throw end[0].reason;
  if (undone?.status === 'rejected') throw undone.reason;
  return end[0].value;
}

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';
