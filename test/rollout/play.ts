import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../../scripts/stack/wait-until.js';
import type { SubscriberInput } from '../../src/client.js';
import { payloadOf, QUICK } from '../scale/policy.js';
import { standingsOf, untilOver, untilStarted } from '../scale/progress.js';
import type { Stage } from '../scale/stage.js';
import { standingIn } from './ledger.js';
import type { Options } from './options.js';
import type { FewPart, Group, ShadowPart, WavePart } from './rows.js';

export const ACCOUNT = 'rollout';
export const TYPES = { shadow: 'rollout.shadow', wave: 'rollout.wave', few: 'rollout.few' } as const;

const WORD = { actor: 'proof-operator', reason: 'to see a roll-out' };
/** So long that work of the cohort is under way when it is switched off. */
const SLOW_MS = 700;
const REFUSED_SHARE = 0.3;
/** Batches that the capped cohort joins in, one after the other. */
const BATCHES = 3;
/** Events that may wait to be matched before the next is published: some wait at the moment of the switch. */
const AHEAD = 3;
const LOOK_EVERY_MS = 20;

export interface PlayOptions extends Options {
  readonly stage: Stage;
  readonly signal: AbortSignal;
}

export const sizesOf = ({ subscribers }: Options): Record<Group, number> => ({
  ...{ shadow: subscribers, live: subscribers, wave: subscribers, few: subscribers },
  rest: Math.ceil(subscribers / 4),
});

const capOf = ({ subscribers }: Options): number => Math.ceil(subscribers / 3);

/** Cohorts and subscribers of all parts. */
export async function castAll(options: PlayOptions): Promise<void> {
  const { stage } = options;
  const client = stage.client(ACCOUNT);
  const sizes = sizesOf(options);
  await stage.endpoints.behave({
    '/wave': { delayMs: SLOW_MS, failing: { share: REFUSED_SHARE, firstAttempts: 1, seed: 1 } },
  });
  await client.addCohort('wave', {});
  await client.addCohort('few', { maxSubscribers: capOf(options) });
  const group = (name: Group, type: string, more: Partial<SubscriberInput> = {}): SubscriberInput[] =>
    Array.from({ length: sizes[name] }, (_, i) => ({
      ...{ name: `${name}-${i}`, url: stage.endpoints.url(`/${name}/${name}-${i}`, i) },
      ...{ eventTypes: [type], policy: QUICK, ...more },
    }));
  await client.addSubscribers([
    ...group('shadow', TYPES.shadow, { mode: 'shadow' }),
    ...group('live', TYPES.shadow),
    ...group('wave', TYPES.wave, { cohort: 'wave' }),
    ...group('rest', TYPES.wave),
  ]);
  // The last of them first: neither name nor place in a list decides who has stood longest.
  const few = group('few', TYPES.few, { cohort: 'few' }).reverse();
  const batch = Math.ceil(few.length / BATCHES);
  for (let i = 0; i < few.length; i += batch) await client.addSubscribers(few.slice(i, i + batch));
}

export async function playShadow(options: PlayOptions): Promise<ShadowPart> {
  const { patienceMs, signal, stage } = options;
  const shipments = await publishEach(options, TYPES.shadow, 'shadow', options.events);
  // An attempt goes by the mode of its own time.
  await untilOver({ ledger: stage.ledger, signal, patienceMs }, ACCOUNT);
  const turnedLive = 'shadow-1';
  await stage.client(ACCOUNT).updateSubscriber(turnedLive, { mode: 'live' });
  const [afterwards = ''] = await publishEach(options, TYPES.shadow, 'shadow-then', 1);
  return { shipments, afterwards, turnedLive };
}

/** Events come one after the other, before, during and after the switch. */
export async function playWave(options: PlayOptions): Promise<WavePart> {
  const { events, patienceMs, signal, stage } = options;
  const client = stage.client(ACCOUNT);
  let switching = false;
  const before: string[] = [];
  const publishing = (async () => {
    for (let i = 0; !switching; i += 1) {
      before.push(...(await publishEach(options, TYPES.wave, `wave-${i}`, 1)));
      while (!switching && (await standingsOf(stage.ledger, ACCOUNT)).unmatched > AHEAD)
        await sleep(LOOK_EVERY_MS, undefined, { signal });
    }
  })();
  publishing.catch(() => undefined); // awaited below
  try {
    await waitUntil(
      'work of the cohort runs',
      patienceMs,
      async () => before.length >= events && ((await stage.endpoints.open())['/wave'] ?? 0) > 0,
      signal,
    );
    await client.actOnCohort('off', 'wave', WORD);
  } finally {
    switching = true;
  }
  const { rows } = await stage.ledger.query<{ key: string; open: boolean; atMs: number }>(
    `SELECT o.key, o.finished_at IS NULL AS open, extract(epoch FROM clock_timestamp())::float8 * 1000 AS "atMs"
       FROM waybill.obligations o JOIN waybill.gates g ON g.subscriber_id = o.subscriber_id WHERE g.cohort = 'wave'`,
  );
  await publishing;
  const after = await publishEach(options, TYPES.wave, 'wave-off', events);
  await untilStarted({ ledger: stage.ledger, signal, patienceMs }, ACCOUNT);
  await client.actOnCohort('on', 'wave', WORD);
  const [onAgain = ''] = await publishEach(options, TYPES.wave, 'wave-on', 1);
  return {
    ...{ before, after, onAgain },
    owedAtSwitch: new Set(rows.map(({ key }) => key)),
    openAtSwitch: rows.filter(({ open }) => open).length,
    switchedAtMs: Math.max(0, ...rows.map(({ atMs }) => atMs)),
  };
}

export async function playFew(options: PlayOptions): Promise<FewPart> {
  const { events, patienceMs, signal, stage } = options;
  const cap = capOf(options);
  const raisedCap = cap + 1;
  const shipments = await publishEach(options, TYPES.few, 'few', events);
  await untilStarted({ ledger: stage.ledger, signal, patienceMs }, ACCOUNT);
  await stage.client(ACCOUNT).updateCohort('few', { maxSubscribers: raisedCap });
  const raised = await publishEach(options, TYPES.few, 'few-raised', Math.ceil(events / 2));
  return { cap, shipments, raisedCap, raised, standing: await standingIn(stage.ledger, ACCOUNT, 'few') };
}

/** One after the other; answers their shipments. */
async function publishEach(
  { signal, stage }: PlayOptions,
  type: string,
  name: string,
  count: number,
): Promise<string[]> {
  const shipments = Array.from({ length: count }, (_, i) => `rollout-${name}-${i}`);
  for (const shipment of shipments) {
    signal.throwIfAborted();
    await stage.client(ACCOUNT).publish({ shipment, version: 1, type, payload: payloadOf({ shipment }) });
  }
  return shipments;
}
