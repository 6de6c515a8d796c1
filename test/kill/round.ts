import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type Connection } from '@temporalio/client';
import { WaybillClient, type ObligationRow } from '../../src/client.js';
import { loadConfig } from '../../src/config.js';
import { FINAL_DISPOSITIONS, obligationKey, type ObligationKey } from '../../src/contract.js';
import { isDatabaseTrouble } from '../../src/ledger/pool.js';
import { askAgain, perform, release, type OperatorDesk } from './operator.js';
import type { Plan } from './plan.js';
import { playersOf, POLICY, type Player } from './players.js';
import type { Stage } from './stage.js';
import { prepare, type Struck } from './strike.js';

const LOOK_EVERY_MS = 250;
const IN_FLIGHT_EVERY_MS = 40;
/** A pause whose resume came too early, since the database was away, is resumed by the round. */
const FORGOTTEN_PAUSE_MS = 12_000;

/** A round that is over, for the checker and the report. */
export interface RoundFact {
  readonly plan: Plan;
  readonly account: string;
  readonly shipment: string;
  /** Obligations that are owed. */
  readonly size: number;
  readonly struck: Struck;
  readonly seconds: number;
  /** Obligations that were not final when patience was over. */
  readonly stuck: readonly string[];
}

export interface RoundOptions {
  readonly stage: Stage;
  readonly connection: Connection;
  readonly plan: Plan;
  readonly size: number;
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
  const { stage, plan, size, take, signal } = options;
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
    const strike = await prepare(stage, plan, ending, () => untilInFlight(client, ending));
    const startedMs = performance.now();
    await persistently(ending, () =>
      client.publish({
        ...{ shipment, version: 1, type: 'shipment.delivered', contentType: 'application/json' },
        payload: JSON.stringify({ shipment, note: 'x'.repeat(2_000) }),
      }),
    );
    const desk: OperatorDesk = {
      client,
      workflows: new Client({ connection: options.connection }).workflow,
      keyOf: (i) => obligationKey(shipment, ids[i] ?? '', 1),
      signal: ending,
    };
    const struck = strike.fall();
    const over = finish({ ...options, ...{ client, desk, players, closing, startedMs } }, struck).then(
      (end) => ({ plan, account, shipment, size, ...end }),
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
      const stuck = await untilFinal(round);
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

/** Waits until everything owed is final, and brings back what is dead or held; answers what is open in the end. */
async function untilFinal(round: Running): Promise<ObligationKey[]> {
  const { client, desk, size, patienceMs, stage, signal } = round;
  const deadlineMs = performance.now() + patienceMs;
  const heldSinceMs = new Map<string, number>();
  const deeds = new Map<string, number>();
  for (;;) {
    const rows = await persistently(signal, () => client.find({ limit: size + 10 }));
    const open = rows.filter((row) => !(FINAL_DISPOSITIONS as readonly string[]).includes(row.disposition));
    if (rows.length === size && open.length === 0) return [];
    if (performance.now() > deadlineMs) {
      const seen = new Set(rows.map((row) => row.key));
      const missing = round.players.map((_, i) => desk.keyOf(i)).filter((key) => !seen.has(key));
      return [...open.map((row) => row.key), ...missing];
    }
    for (const row of open) {
      const verb = due(row, heldSinceMs);
      if (!verb) continue;
      const nth = (deeds.get(row.key) ?? 0) + 1;
      deeds.set(row.key, nth);
      if (verb === 'redrive') await stage.mend(row.subscriberName);
      await release(desk, verb, row.key, nth);
    }
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
}

/** What an operator would do about an obligation in this state, if anything. */
function due(row: ObligationRow, heldSinceMs: Map<string, number>): 'resume' | 'redrive' | undefined {
  if (row.disposition === 'dead') return 'redrive';
  if (row.disposition !== 'held') {
    heldSinceMs.delete(row.key);
    return undefined;
  }
  if (row.heldBy === 'system') return 'resume';
  const since = heldSinceMs.get(row.key) ?? performance.now();
  heldSinceMs.set(row.key, since);
  return performance.now() - since > FORGOTTEN_PAUSE_MS ? 'resume' : undefined;
}

/** Everything a round does against the database, however often the database goes away meanwhile. */
async function persistently<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseTrouble(error) || signal.aborted) throw error;
      await sleep(LOOK_EVERY_MS, undefined, { signal });
    }
  }
}

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';
