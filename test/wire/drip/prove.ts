import type { SubscriberInput } from '../../../src/client.js';
import { verdictOf, type Row } from '../../support/proof-rows.js';
import type { Options } from './options.js';
import { DRIPPING, HEALTHY, runPhase, type PhaseOptions } from './phase.js';
import { headsOf, rowsOf } from './rows.js';
import { setStage, type Stage, type StageOptions } from './stage.js';

export interface Report extends Pick<Options, 'drips' | 'healthy' | 'timeoutMs' | 'lateMs'> {
  readonly verdict: 'green' | 'red';
  readonly rows: readonly Row[];
  /** The most that was resident of the worker that sends, in bytes. */
  readonly rssBytes: { readonly alone: number; readonly beside: number };
  readonly descriptors: { readonly resting: number; readonly most: number; readonly after: number };
  /** From the publish to the last of the healthy deliveries. */
  readonly healthySecondsAlone: number;
  readonly healthySecondsBeside: number;
  /** How many of them were answered while at least one receiver dripped. */
  readonly healthyBesideDrips: number;
  /** How late a timer of an idle process was at most beside the drips: what the machine alone does to a deadline. */
  readonly machineLateMs: number;
  readonly seconds: number;
}

const ADD_AT_ONCE = 500;

/** Delivers to the healthy ones for warming up, then alone, then beside the drips, all by the same worker. */
export async function prove(options: StageOptions): Promise<Report> {
  const { drips, healthy, lateMs, say, signal, timeoutMs } = options;
  const beganMs = performance.now();
  const stage = await setStage(options);
  try {
    say(`adding ${healthy + drips} subscribers`);
    const subscribers = subscribersFor(options, stage);
    for (let i = 0; i < subscribers.length; i += ADD_AT_ONCE) {
      signal.throwIfAborted();
      await stage.client.addSubscribers(subscribers.slice(i, i + ADD_AT_ONCE));
    }
    const phase = (version: number, more: Pick<PhaseOptions, 'beside' | 'restingAtMost'>) =>
      runPhase({ ...options, stage, version, ...more });
    say(`${healthy} healthy deliveries, to warm up`);
    const warm = await phase(1, { beside: false, restingAtMost: Infinity });
    say('the same again');
    const alone = await phase(2, { beside: false, restingAtMost: warm.restingDescriptors });
    say(`the same beside ${drips} receivers that drip`);
    const beside = await phase(3, { beside: true, restingAtMost: alone.restingDescriptors });
    const rows = rowsOf(options, alone, beside);
    return {
      verdict: verdictOf(rows),
      ...{ drips, healthy, timeoutMs, lateMs, rows },
      rssBytes: { alone: alone.rssBytes, beside: beside.rssBytes },
      descriptors: {
        resting: alone.restingDescriptors,
        most: beside.descriptors,
        after: beside.restingDescriptors,
      },
      healthySecondsAlone: tenths(alone.healthySeconds),
      healthySecondsBeside: tenths(beside.healthySeconds),
      healthyBesideDrips: beside.seen.healthyBeside,
      machineLateMs: beside.machineLateMs,
      seconds: Math.round((performance.now() - beganMs) / 1_000),
    };
  } finally {
    say('stopping');
    await stage.stop();
  }
}

const tenths = (value: number): number => Math.round(value * 10) / 10;

function subscribersFor({ drips, healthy, timeoutMs }: Options, { ports }: Stage): SubscriberInput[] {
  const at = (kind: string, i: number, port: number | undefined) => {
    const name = `${kind}-${String(i).padStart(5, '0')}`;
    return { name, url: `https://127.0.0.1:${port}/${kind}/${name}` };
  };
  // One try: each drips once, to its deadline.
  const policy = { maxTries: 1, timeoutMs };
  const heads = headsOf(drips);
  return [
    ...Array.from({ length: drips }, (_, i) => ({
      ...at(i < heads ? 'head' : 'body', i, ports.drips[i]),
      eventTypes: [DRIPPING],
      policy,
    })),
    ...Array.from({ length: healthy }, (_, i) => ({
      ...at('healthy', i, ports.healthy[i % ports.healthy.length]),
      eventTypes: [HEALTHY],
    })),
  ];
}
