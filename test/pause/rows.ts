import type { SeenRequest } from '../scale/journal.js';
import { atLeast, atMost, exactly, type Row } from '../support/proof-rows.js';
import { accountOf, OUTSIDE, type Halted, type HaltsPlayed } from './halt.js';
import { begunBetween, judgeRamp, unanswered } from './judge.js';
import type { Options } from './options.js';
import { BACKLOG, FRESH, isFresh, OTHER, RAMP_ACCOUNT, type RampPlayed } from './ramp.js';
import { endingAccount, ENDING, type EndsPlayed } from './until.js';

/** Every obligation and how it ended, by account. */
export type Ends = Readonly<
  Record<string, readonly { readonly key: string; readonly disposition: string }[]>
>;

/** A pause is obeyed within. */
const OBEYED_MS = 5_000;

const pathBegins =
  (group: string) =>
  ({ path }: SeenRequest): boolean =>
    path.startsWith(`/${group}/`);

/** Deliveries of an account that aren't made: not `delivered`, or without an answer 200 at the receiver. */
function undelivered(account: string, ends: Ends, requests: readonly SeenRequest[]): number {
  const all = ends[account] ?? [];
  const made = all.filter(({ disposition }) => disposition === 'delivered').map(({ key }) => key);
  return all.length - made.length + unanswered(made, requests).length;
}

/** Pauses while one of two workers stood still with sends in hand. */
export function haltRows({ halts, stuck }: HaltsPlayed, ends: Ends, requests: readonly SeenRequest[]): Row[] {
  const outside = (halt: Halted): number =>
    begunBetween(requests, pathBegins(OUTSIDE), halt.pause.confirmed, halt.watched).length;
  return [
    ...halts.flatMap((halt) => {
      const { heldThen, inHand, owed, pause, reach, watched } = halt;
      const account = accountOf(reach);
      const begun = begunBetween(requests, pathBegins(account), pause.confirmed, watched);
      return [
        atLeast(`${reach}: sends in hand of the worker that stood still`, 1, inHand),
        exactly(`${reach}: confirmed though sends were in hand`, 0, pause.first.confirmed ? 1 : 0),
        exactly(`${reach}: requests begun after the pause was confirmed`, 0, begun.length),
        atLeast(`${reach}: held meanwhile`, 1, heldThen),
        exactly(`${reach}: dropped`, 0, owed - (ends[account] ?? []).length),
        exactly(`${reach}: not delivered in the end`, 0, undelivered(account, ends, requests)),
      ];
    }),
    atLeast(
      'in hand and not begun at the receiver',
      1,
      halts.reduce((sum, { unsent }) => sum + unsent, 0),
    ),
    atLeast('requests to others meanwhile', 1, Math.max(0, ...halts.map(outside))),
    exactly('stuck after the resumes', 0, stuck),
  ];
}

/** A backlog that is let go, paused on the way, and let go again. */
export function rampRows(
  { held, ramp }: Pick<Options, 'held' | 'ramp'>,
  { resumes, second, sentWhileHeld, stretches, stuck, watched }: RampPlayed,
  ends: Ends,
  requests: readonly SeenRequest[],
): Row[] {
  const isOne = pathBegins(BACKLOG);
  const backlog = requests.filter(isOne);
  const seconds = stretches.map(({ from, to }) =>
    judgeRamp(
      begunBetween(requests, isOne, from, to).map(({ atMs }) => atMs),
      from.atMs,
      ramp,
    ),
  );
  const afterAsked = begunBetween(requests, isOne, second.asked, watched);
  const lastHeld = backlog.filter(({ shipment }) => !isFresh(shipment)).at(-1)?.begin ?? 0;
  const meanwhile = (subscriber: string): number =>
    requests.filter(
      ({ ended, path, shipment }) =>
        path === `/${subscriber}/${subscriber}` &&
        isFresh(shipment) &&
        ended?.status === 200 &&
        ended.end < lastHeld,
    ).length;
  return [
    exactly('requests while all was held', 0, sentWhileHeld),
    exactly(
      'of two resumes at once, those that changed anything',
      1,
      resumes.filter(({ changed }) => changed).length,
    ),
    exactly(
      'counted by that resume',
      held,
      resumes.reduce((sum, { obligations = 0 }) => sum + obligations, 0),
    ),
    atMost(
      'requests in the worst second above ramp and burst',
      0,
      Math.max(...seconds.map(({ above }) => above)),
    ),
    atLeast(
      'requests in the fullest second',
      Math.ceil(ramp / 5),
      Math.max(...seconds.map(({ fullest }) => fullest)),
    ),
    atLeast(
      'held when the second pause came',
      1,
      held - begunBetween(requests, isOne, { place: 0 }, second.asked).length,
    ),
    atMost(
      'ms from the second pause to the last request after it',
      OBEYED_MS,
      Math.max(0, ...afterAsked.map(({ atMs }) => atMs - second.asked.atMs)),
    ),
    exactly(
      'requests begun after the second pause was confirmed',
      0,
      begunBetween(requests, isOne, second.confirmed, watched).length,
    ),
    exactly('fresh ones for another delivered meanwhile', FRESH, meanwhile(OTHER)),
    exactly('fresh ones for the same delivered meanwhile', FRESH, meanwhile(BACKLOG)),
    exactly('backlog: owed', held + 2 * FRESH, (ends[RAMP_ACCOUNT] ?? []).length),
    exactly('backlog: not delivered in the end', 0, undelivered(RAMP_ACCOUNT, ends, requests)),
    exactly('backlog: stuck', 0, stuck),
  ];
}

/** Pauses that end by themselves. */
export function endRows(
  { events, stuck, untilMs }: EndsPlayed,
  ends: Ends,
  requests: readonly SeenRequest[],
): Row[] {
  return [
    ...ENDING.flatMap((reach) => {
      const account = endingAccount(reach);
      const early = requests.filter(pathBegins(account)).filter(({ atMs }) => atMs < untilMs);
      const made = (ends[account] ?? []).length - undelivered(account, ends, requests);
      return [
        exactly(`${reach} paused until then: requests before its end`, 0, early.length),
        exactly(`${reach} paused until then: delivered without a resume`, events, made),
      ];
    }),
    exactly('paused until then: stuck', 0, stuck),
  ];
}
