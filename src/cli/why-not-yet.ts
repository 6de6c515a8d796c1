import type { Trace } from '../client.js';

/** The one sentence a support person needs: why it isn't delivered yet. Undefined where it is over. */
export function whyNotYet({ obligation: o, attempts }: Trace, now: Date): string | undefined {
  const last = o.lastStatus ?? o.lastClass;
  const before = last === null ? '' : `attempt ${o.attempts} came to ${last}; `;
  switch (o.disposition) {
    case 'pending':
    case 'waiting':
      return `why not yet: ${before}${next(o, now)}; ${validity(o)}`;
    case 'attempting':
      return `why not yet: attempt ${o.attempts} is under way since ${attempts.at(-1)?.startedAt.toISOString() ?? '?'}`;
    case 'held':
      return (
        `why not yet: held (${o.heldReason ?? 'no reason on record'}) by ${o.heldBy ?? '?'}; ` +
        (o.heldReason === 'subscriber_gone'
          ? 'the receiver answered 410: resume the subscriber once it is back; '
          : '') +
        `valid until ${o.validUntil.toISOString()}`
      );
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

/** Also says where the wait that a receiver asked for is longer than there is time. */
function validity(o: Trace['obligation']): string {
  const from = Math.max(o.nextEligibleAt?.getTime() ?? 0, o.coolingUntil?.getTime() ?? 0);
  const valid = `valid until ${o.validUntil.toISOString()}`;
  return from >= o.validUntil.getTime() ? `${valid}, which is before that: it will expire` : valid;
}

function next({ nextEligibleAt: at, coolingUntil }: Trace['obligation'], now: Date): string {
  if (at === null) return 'no next attempt is set';
  if (coolingUntil && coolingUntil > now && coolingUntil > at) {
    return (
      `due at ${at.toISOString()}, but the receiver asked to be left in peace (cooling-down) until ` +
      `${coolingUntil.toISOString()}, for another ${span(coolingUntil.getTime() - now.getTime())}`
    );
  }
  const aheadMs = at.getTime() - now.getTime();
  if (aheadMs > 0) return `next attempt at ${at.toISOString()}, in ${span(aheadMs)}`;
  return `due since ${at.toISOString()}: it waits for a worker or a free slot`;
}

function redrive(key: string, until: Date | null, now: Date): string {
  if (until === null || until.getTime() <= now.getTime()) return 'its redrive window is over';
  return `until ${until.toISOString()} it can be tried again: waybill redrive ${key} --reason ...`;
}

/** In the largest unit that leaves at least two of it: `90 s`, `5 min`, `36 h`, `8 d`. */
function span(ms: number): string {
  const units = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['min', 60_000],
  ] as const;
  const [name, unitMs] = units.find(([, size]) => ms >= 2 * size) ?? (['s', 1_000] as const);
  return `${Math.ceil(ms / unitMs)} ${name}`;
}
