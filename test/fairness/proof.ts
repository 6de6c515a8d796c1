import { setStage, type Occasion, type Stage } from '../scale/stage.js';
import { verdictOf, type Row } from '../support/proof-rows.js';
import { beginFanOut, queueBoth } from './backlog.js';
import {
  ACCOUNT,
  castAll,
  castFanOut,
  FANOUT_ACCOUNT,
  HANGING,
  HEALTHY,
  LIMITED,
  RETRY_ACCOUNT,
  type PlayOptions,
} from './cast.js';
import { measureHealthy, type Measured } from './healthy.js';
import { storiesOf } from './histories.js';
import { begunWithin, percentile } from './judge.js';
import { claimsOf, fanOutOf, queueOf, retriesOf } from './ledger.js';
import { playLimit } from './limit.js';
import { BREAKS } from './mutations.js';
import type { Options } from './options.js';
import { playRetries } from './retries.js';
import { delaysOf, rowsOf, type Standing } from './rows.js';
import { waitsOf, type Waits } from './waits.js';

export interface Report extends Pick<Options, 'requests' | 'hanging' | 'limited' | 'fanout' | 'ratio'> {
  readonly verdict: 'green' | 'red';
  readonly rows: readonly Row[];
  /** How often deliveries to the limited one have asked, and what they were refused for: of each kind so many. */
  readonly asked: Readonly<Record<string, number>>;
  readonly startDelays: { readonly alone: Delays; readonly beside: Delays };
  readonly seconds: number;
}

/** Milliseconds from acceptance to the request's begin at the receiver. */
export interface Delays {
  readonly p50: number;
  readonly p99: number;
  readonly busyCores: number;
  /** Where they come from. */
  readonly waits: Waits;
}

/** Deliveries before each measurement that aren't counted: code and connections are warm then. */
const WARM_UP = 10;
/** The same beside the backlogs: half a minute in which the fan-out finds that there are others, and makes room for them. */
const SETTLING = 60;

/** Measures the healthy destination alone and beside the backlogs, and lays the journal beside the ledger. */
export async function prove(options: Options & Occasion): Promise<Report> {
  const { fanout, hanging, limited, mutation, ratio, requests, say, slots } = options;
  const startedMs = performance.now();
  const stage = await setStage({
    ...{ ...options, name: 'fairness', mutation: mutation && BREAKS[mutation] },
    env: { WAYBILL_CONCURRENT_SENDS: String(slots) },
  });
  try {
    await Promise.all([stage.worker('worker-a'), stage.worker('worker-b')]);
    const parts: PlayOptions = { ...options, stage };
    await castAll(parts);
    await measureHealthy(parts, 'warm-up', WARM_UP);
    say('a healthy destination alone');
    const alone = await measureHealthy(parts, 'alone', requests);
    const [retriesPlayed] = await Promise.all([playRetries(parts), castFanOut(parts)]);
    await queueBoth(parts);
    await beginFanOut(parts);
    say('waiting until the backlogs stand');
    await measureHealthy(parts, 'settling', SETTLING);
    const before = await standingOf(stage);
    say(`a healthy destination beside ${inWords(before)}`);
    const beside = await measureHealthy(parts, 'beside', requests);
    const after = await standingOf(stage);
    say(`left at its end: ${inWords(after)}`);
    const limit = await playLimit(parts);

    say('laying journal, ledger and histories side by side');
    const seen = stage.endpoints.requests();
    const delivered = begunWithin(seen, beside).filter(
      ({ ended, path }) => path === `/${LIMITED}/${LIMITED}` && ended?.status === 200,
    );
    const stories = await storiesIn(
      stage,
      delivered.map(({ key }) => key),
    );
    const asks = stories.map(({ asks: count }) => count);
    const rows = rowsOf({
      ...{ options, requests: seen, alone, beside, before, after, retriesPlayed, limit, asks },
      retries: await retriesOf(stage.ledger, RETRY_ACCOUNT),
    });
    return {
      verdict: verdictOf(rows),
      ...{ requests, hanging, limited, fanout, ratio, rows },
      asked: talliedBy(stories, ({ asks: count, refusals }) => `${count}: ${refusals.join(', ') || 'none'}`),
      startDelays: { alone: await delaysIn(stage, alone), beside: await delaysIn(stage, beside) },
      seconds: Math.round((performance.now() - startedMs) / 1_000),
    };
  } finally {
    say('stopping');
    await stage.stop();
  }
}

const storiesIn = ({ stack }: Stage, keys: readonly string[]) =>
  storiesOf(stack.temporalAddress ?? '', stack.env['TEMPORAL_NAMESPACE'] ?? 'default', keys);

async function standingOf({ ledger }: Stage): Promise<Standing> {
  const [hanging, limited, fanout] = await Promise.all([
    queueOf(ledger, ACCOUNT, HANGING),
    queueOf(ledger, ACCOUNT, LIMITED),
    fanOutOf(ledger, FANOUT_ACCOUNT),
  ]);
  return { hanging, limited, fanout };
}

const inWords = ({ fanout, hanging, limited }: Standing): string =>
  `${hanging.open} for the one that hangs, ${limited.open} for the limited one, ${fanout.open} of the fan-out`;

async function delaysIn(stage: Stage, measured: Measured): Promise<Delays> {
  const own = stage.endpoints
    .requests()
    .filter(({ path, shipment }) => path === `/${HEALTHY}/${HEALTHY}` && measured.acceptedAtMs.has(shipment));
  const keys = own.map(({ key }) => key);
  const stories = new Map((await storiesIn(stage, keys)).map((story) => [story.key, story]));
  const delays = delaysOf(measured, own);
  return {
    p50: percentile(delays, 0.5),
    p99: percentile(delays, 0.99),
    busyCores: Math.round(measured.busyCores * 100) / 100,
    waits: waitsOf(measured, own, stories, await claimsOf(stage.ledger, keys)),
  };
}

function talliedBy<Of>(all: readonly Of[], kindOf: (one: Of) => string): Record<string, number> {
  const tally: Record<string, number> = {};
  for (const one of all) tally[kindOf(one)] = (tally[kindOf(one)] ?? 0) + 1;
  return tally;
}

/** What people are told besides the rows. */
export function notesOf({ asked, startDelays }: Report): string[] {
  const kinds = Object.entries(asked).map(([kind, count]) => `${count} x ${kind}`);
  const delays = Object.entries(startDelays).map(([when, { busyCores, p50, p99, waits }]) => {
    const parts = Object.entries(waits).map(([stretch, wait]) => `${stretch} ${wait.p50}/${wait.p99}`);
    return `${when}: start delay p50 ${p50} ms, p99 ${p99} ms, ${busyCores} cores busy; p50/p99 of ${parts.join(', ')}`;
  });
  return [...delays, `asks of the limited one's deliveries, and why they were refused: ${kinds.join('; ')}`];
}
