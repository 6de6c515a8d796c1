import type { SeenRequest } from '../scale/journal.js';
import { atLeast, atMost, exactly, type Row } from '../support/proof-rows.js';
import { burstOf, CAP, FANOUT, FLAKY, FLOOD, HANGING, LIMITED, RAISED_RATE, RATE } from './cast.js';
import type { Measured } from './healthy.js';
import {
  begunWithin,
  countsBySecond,
  fullestSecond,
  mostOpen,
  openAt,
  percentile,
  secondsOf,
} from './judge.js';
import type { Queue, Retry } from './ledger.js';
import { CHANGE_WITHIN_MS, MORE_THAN, type LimitPlayed } from './limit.js';
import type { Options } from './options.js';
import { FULL_SHARE, type RetriesPlayed } from './retries.js';

/** How things stood when the measurement beside the backlogs began or ended. */
export interface Standing {
  readonly hanging: Queue;
  readonly limited: Queue;
  readonly fanout: Omit<Queue, 'asked'>;
}

export interface Evidence {
  readonly options: Pick<Options, 'ratio' | 'slots' | 'requests' | 'fanout'>;
  readonly requests: readonly SeenRequest[];
  readonly alone: Measured;
  readonly beside: Measured;
  readonly before: Standing;
  readonly after: Standing;
  readonly retries: readonly Retry[];
  readonly retriesPlayed: RetriesPlayed;
  readonly limit: LimitPlayed;
  /** Of what was delivered to the limited one in the measurement: how often each has asked for its attempt. */
  readonly asks: readonly number[];
}

/** A retry begins so soon after it is due, in p99. */
const RETRY_WITHIN_MS = 3_000;
const MIN_RETRIES = 10;
const RATE_SHARE = 0.9;
const ASKS = 2;
const WORKERS = 2;

/** Each number beside its limit. */
export const rowsOf = (evidence: Evidence): Row[] => [
  ...healthyRows(evidence),
  ...hangingRows(evidence),
  ...limitedRows(evidence),
  ...changeRows(evidence),
  ...retryRows(evidence),
];

/** Milliseconds between acceptance and the request's begin at the receiver. */
export function delaysOf({ acceptedAtMs }: Measured, requests: readonly SeenRequest[]): number[] {
  return requests.flatMap(({ atMs, attempt, shipment }) => {
    const accepted = acceptedAtMs.get(shipment);
    return accepted === undefined || attempt !== 1 ? [] : [atMs - accepted];
  });
}

function healthyRows({ after, alone, before, beside, options, requests }: Evidence): Row[] {
  const [delaysAlone, delaysBeside] = [delaysOf(alone, requests), delaysOf(beside, requests)];
  const p99Alone = percentile(delaysAlone, 0.99);
  const p99Beside = percentile(delaysBeside, 0.99);
  return [
    exactly('healthy: deliveries measured alone', options.requests, delaysAlone.length),
    exactly('healthy: deliveries measured beside the backlogs', options.requests, delaysBeside.length),
    atLeast('queued for the one that hangs, at the end of the measurement', CAP, after.hanging.open),
    atLeast('queued for the limited one, at the end of the measurement', 1, after.limited.open),
    exactly('fan-out: owed to', options.fanout, before.fanout.owed),
    atLeast('fan-out: not over at the end of the measurement', 1, after.fanout.open),
    atLeast('fan-out: requests during the measurement', 1, begunWithin(to(requests, FANOUT), beside).length),
    atMost(
      'healthy: p99 of the start delay beside the backlogs over that alone',
      options.ratio,
      rounded(p99Beside / p99Alone),
    ),
  ];
}

function hangingRows({ beside, requests }: Evidence): Row[] {
  const own = to(requests, HANGING);
  return [
    atMost('hanging: requests open at once, two workers', CAP, mostOpen(own)),
    atLeast('hanging: of those at the end of the measurement', 1, openAt(own, beside.toMs)),
    atLeast('hanging: requests open at once, so that the cap was met', CAP, mostOpen(own)),
  ];
}

function limitedRows({ asks, beside, limit, requests }: Evidence): Row[] {
  const own = to(requests, LIMITED);
  const atRate = own.filter(({ atMs }) => atMs < limit.raised.fromMs).map(({ atMs }) => atMs);
  const within = begunWithin(own, beside).length;
  return [
    atMost(
      `limited: requests in the fullest second at ${RATE}/s`,
      RATE + burstOf(RATE),
      fullestSecond(atRate),
    ),
    atLeast(
      'limited: requests a second during the measurement',
      RATE_SHARE * RATE,
      rounded(within / secondsOf(beside)),
    ),
    atMost(
      'limited: claimsPerDelivery, by the histories of what was delivered in the measurement',
      ASKS,
      rounded(asks.reduce((sum, one) => sum + one, 0) / asks.length),
    ),
  ];
}

function changeRows({ limit: { lowered, raised }, requests }: Evidence): Row[] {
  const own = to(requests, LIMITED);
  const times = (of: { readonly fromMs: number; readonly toMs: number }): number[] =>
    begunWithin(own, of).map(({ atMs }) => atMs);
  const above = (atMs: readonly number[]) => countsBySecond(atMs).filter(({ count }) => count > MORE_THAN);
  const first = above(times(raised))[0]?.atMs ?? Number.POSITIVE_INFINITY;
  const last = above(times(lowered)).at(-1)?.atMs ?? lowered.fromMs;
  const settled = { fromMs: last + 1_000, toMs: lowered.toMs };
  return [
    atMost(
      `limited: seconds until ${RAISED_RATE}/s shows at the receiver`,
      CHANGE_WITHIN_MS / 1_000,
      rounded((first - raised.fromMs) / 1_000),
    ),
    atMost(
      `limited: requests in the fullest second at ${RAISED_RATE}/s`,
      RAISED_RATE + burstOf(RAISED_RATE),
      fullestSecond(times({ ...raised, toMs: lowered.fromMs })),
    ),
    atMost(
      `limited: seconds until ${RATE}/s holds again`,
      CHANGE_WITHIN_MS / 1_000,
      rounded((last - lowered.fromMs) / 1_000),
    ),
    atLeast('limited: requests once it holds again', 1, begunWithin(own, settled).length),
  ];
}

function retryRows({ options: { slots }, requests, retries, retriesPlayed }: Evidence): Row[] {
  const { fullFromMs, fullToMs, stuck, waiting } = retriesPlayed;
  const flood = to(requests, FLOOD);
  const begun = new Map(to(requests, FLAKY).map(({ atMs, attempt, key }) => [`${key} ${attempt}`, atMs]));
  const full = FULL_SHARE * WORKERS * slots;
  const late = retries
    .filter(({ dueAtMs }) => dueAtMs >= fullFromMs && dueAtMs < fullToMs && openAt(flood, dueAtMs) >= full)
    .map(
      ({ attempt, dueAtMs, key }) => (begun.get(`${key} ${attempt}`) ?? Number.POSITIVE_INFINITY) - dueAtMs,
    );
  return [
    atLeast('retries: first attempts that waited for a slot all the while', 1, waiting),
    atLeast('retries: came due while first attempts held all their slots', MIN_RETRIES, late.length),
    atMost('retries: ms from due to begun, p99', RETRY_WITHIN_MS, Math.round(percentile(late, 0.99))),
    exactly('retries and first attempts beside them: stuck', 0, stuck),
  ];
}

const to = (requests: readonly SeenRequest[], group: string): SeenRequest[] =>
  requests.filter(({ path }) => path.startsWith(`/${group}/`));

const rounded = (value: number): number => Math.round(value * 100) / 100;
