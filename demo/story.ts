import { Client, Connection } from '@temporalio/client';
import { makePool } from '../src/ledger/pool.js';
import { loadConfig } from '../src/config.js';
import { WaybillClient } from '../src/client.js';
import { obligationKey, type ObligationKey } from '../src/contract.js';
import { cast, PAUSED, QUEUEING_EVENTS, queueingPlayers, subscriberOf, type Player } from './cast.js';
import { mutate } from './mutation.js';
import { operate } from './operator.js';
import type { Options } from './options.js';
import { makePayload } from './payload.js';
import type { Progress } from './progress.js';
import type { Stage } from './stage.js';
import { GaveUp, watchUntilEnded } from './watch.js';

const PAGE = 200;
const EVENT_TYPE = 'shipment.delivered';
/** Generous: a quiet machine needs a tenth of it. */
const LIMIT_MS = 180_000;
const LIMIT_PER_SUBSCRIBER_MS = 500;
/** The longest quiet time of a healthy run is a lease, 15 s. */
const STALL_MS = 90_000;
/** A broken ledger may never come to an end, and needs none to be found out. */
const MUTATED_STALL_MS = 20_000;
const MUTATED_LIMIT_MS = 45_000;

/** What happened, for the checker and for whoever wants to look. */
export interface Told {
  readonly account: string;
  readonly shipment: string;
  readonly queueingShipment: string;
  readonly marker: string;
  /** From the call of publish to the moment at which nothing was open, or patience was over. */
  readonly seconds: number;
  /** Why the story was cut short. */
  readonly gaveUp: string | undefined;
  /** Worth a trace: what it shows -> its key. */
  readonly keys: Readonly<Record<string, ObligationKey>>;
}

/** The demo from the first subscriber to the last obligation's end. Leaves judging to the checker. */
export async function tell(
  options: Options,
  stage: Stage,
  progress: Progress,
  signal: AbortSignal,
): Promise<Told> {
  const config = loadConfig(stage.env);
  const run = Date.now().toString(36);
  const account = `demo-${run}`;
  const shipment = `parcel-${run}`;
  const queueingShipment = `queue-${run}`;
  const client = new WaybillClient({ account, actor: 'demo', config });
  const db = makePool({ url: config.databaseUrl, max: 2, applicationName: 'waybill-demo' });
  const connection = await Connection.connect({ address: stage.stack.temporalAddress ?? '' });
  const patience = new AbortController();
  const both = AbortSignal.any([signal, patience.signal]);
  try {
    const main = cast(options.subscribers);
    const queueing = queueingPlayers();
    progress.say(`adding ${main.length} subscribers to account ${account}`);
    const ids = await addAll(client, stage, [...main, ...queueing], signal);
    const keyOf = (name: string): ObligationKey => obligationKey(shipment, ids.get(name) ?? '', 1);
    await client.actOnSubscriber('pause', PAUSED, { actor: 'demo', reason: 'maintenance at the subscriber' });
    progress.say(`paused subscriber ${PAUSED}`);
    if (options.mutation) await mutate(stage.stack.adminUrl, options.mutation);

    for (let version = 1; version <= QUEUEING_EVENTS; version += 1) {
      const labels = { lane: 'queueing' };
      await client.publish({
        shipment: queueingShipment,
        version,
        type: EVENT_TYPE,
        labels,
        payload: `{"v":${version}}`,
      });
    }
    const payload = makePayload(shipment);
    const startedAtMs = performance.now();
    await client.publish({
      shipment,
      version: 1,
      type: EVENT_TYPE,
      labels: { lane: 'main' },
      contentType: 'application/json',
      payload: payload.bytes,
    });
    progress.say(`published ${shipment} version 1, ${payload.bytes.byteLength} bytes`);

    const operator = operate({
      client,
      workflows: new Client({ connection, namespace: stage.env['TEMPORAL_NAMESPACE'] ?? 'default' }).workflow,
      keyOf,
      idOf: (name) => ids.get(name) ?? '',
      mend: stage.mend,
      say: progress.say,
      signal: both,
    });
    const watching = watchUntilEnded({
      db,
      account,
      shipment,
      expected: main.length,
      queueingExpected: queueing.length * QUEUEING_EVENTS,
      limitMs: options.mutation ? MUTATED_LIMIT_MS : LIMIT_MS + options.subscribers * LIMIT_PER_SUBSCRIBER_MS,
      stallMs: options.mutation ? MUTATED_STALL_MS : STALL_MS,
      signal: both,
      onView: (view) => {
        progress.show(view);
        operator.see(view);
      },
    });
    const gaveUp = await ending([watching, operator.done], patience);
    return {
      account,
      shipment,
      queueingShipment,
      marker: payload.marker,
      seconds: Math.round((performance.now() - startedAtMs) / 100) / 10,
      gaveUp,
      keys: operator.keys(),
    };
  } finally {
    progress.end();
    patience.abort();
    await Promise.all([client.close(), db.end(), connection.close()]);
  }
}

/** Why it was given up, if it was; whatever else went wrong is thrown, after everybody was told to stop. */
async function ending(parts: Promise<unknown>[], patience: AbortController): Promise<string | undefined> {
  try {
    await Promise.all(parts);
    return undefined;
  } catch (error) {
    patience.abort(error);
    await Promise.allSettled(parts);
    if (error instanceof GaveUp) return error.message;
    throw error;
  }
}

/** In pages, each whole; answers ids by name once the receiver knows all their secrets. */
async function addAll(
  client: WaybillClient,
  stage: Stage,
  players: readonly Player[],
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  const secrets: Record<string, string> = {};
  for (let i = 0; i < players.length; i += PAGE) {
    signal.throwIfAborted();
    const page = players.slice(i, i + PAGE).map((player) => subscriberOf(player, stage.addresses));
    for (const added of await client.addSubscribers(page)) {
      ids.set(added.name, added.id);
      secrets[added.name] = added.secret;
    }
  }
  await stage.tellSecrets(secrets);
  return ids;
}
