import type { Trace } from '../client.js';
import { heldBack } from './held-back.js';
import { span } from './span.js';

/** The one sentence a support person needs: why it isn't delivered yet. Undefined where it is over. */
export function whyNotYet(trace: Trace, now: Date): string | undefined {
  const { obligation: o, attempts } = trace;
  const last = o.lastStatus ?? o.lastClass;
  const before = last === null ? '' : `attempt ${o.attempts} came to ${last}; `;
  switch (o.disposition) {
    case 'pending':
    case 'waiting':
      return `why not yet: ${before}${next(trace, now)}; ${validity(trace)}`;
    case 'attempting':
      return `why not yet: attempt ${o.attempts} is under way since ${attempts.at(-1)?.startedAt.toISOString() ?? '?'}`;
    case 'held':
      return `why not yet: ${heldBack(trace, now)}; valid until ${o.validUntil.toISOString()}`;
    case 'dead':
      return `why not: ${before}given up; ${redrive(o.key, o.redriveUntil, now)}`;
    case 'expired':
      return `why not: ${before}its validity was over at ${o.validUntil.toISOString()}`;
    case 'superseded':
      return `why not: ${before}a newer version took its place, as its subscriber's order says`;
    case 'shadowed':
      return 'why not: its subscriber is in shadow mode: all was done but the send';
    case 'delivered':
    case 'terminated':
    case 'removed':
      return undefined;
  }
}

/** Also says where the wait is longer than there is time. */
function validity({ obligation: o, wait }: Trace): string {
  const times = [o.nextEligibleAt, o.coolingUntil, wait?.until ?? null].map((at) => at?.getTime() ?? 0);
  const valid = `valid until ${o.validUntil.toISOString()}`;
  return Math.max(...times) >= o.validUntil.getTime()
    ? `${valid}, which is before that: it will expire`
    : valid;
}

function next({ obligation, wait }: Trace, now: Date): string {
  const { nextEligibleAt: at, coolingUntil } = obligation;
  if (at === null) return 'no next attempt is set';
  if (coolingUntil && coolingUntil > now && coolingUntil > at) {
    return (
      `due at ${at.toISOString()}, but the receiver asked to be left in peace (cooling-down) until ` +
      `${coolingUntil.toISOString()}, for another ${span(coolingUntil.getTime() - now.getTime())}`
    );
  }
  if (wait) return `due ${at > now ? 'at' : 'since'} ${at.toISOString()}, but ${waiting(wait, now)}`;
  const aheadMs = at.getTime() - now.getTime();
  if (aheadMs > 0) return `next attempt at ${at.toISOString()}, in ${span(aheadMs)}`;
  return `due since ${at.toISOString()}: it waits for a worker or a free slot`;
}

function waiting(wait: NonNullable<Trace['wait']>, now: Date): string {
  const { until, ahead } = wait;
  const ends = until
    ? `${until.toISOString()}, in ${span(Math.max(0, until.getTime() - now.getTime()))}`
    : '';
  const place = ends
    ? `${ahead === null ? '' : `${ahead} before it in line, `}its turn is at ${ends}`
    : 'it has no place in line yet';
  switch (wait.for) {
    case 'breaker':
      return `its receiver fails every request (breaker): open until ${ends}, then one attempt at a time`;
    case 'order':
      return wait.version === null
        ? `an older version was published just now (order): it waits for that until ${ends}, at the latest`
        : `version ${wait.version} comes first (order): it waits for that until ${ends}, at the latest`;
    case 'concurrency':
      return `its subscriber has ${wait.maxConcurrency} of ${wait.maxConcurrency} requests open (concurrency); ${place}`;
    case 'rate':
      return (
        `its subscriber takes ${Number((wait.perSecond ?? 0).toFixed(2))} a second` +
        `${wait.ramped ? ', climbing after a resume' : ''} (rate); ${place}`
      );
  }
}

function redrive(key: string, until: Date | null, now: Date): string {
  if (until === null || until.getTime() <= now.getTime()) return 'its redrive window is over';
  return `until ${until.toISOString()} it can be tried again: waybill redrive ${key} --reason ...`;
}
