import type { Subscriber } from '../client.js';
import { pauseJson, pauseWords } from './pause-view.js';
import { shown } from './table.js';

/** The subscriber with all its times in UTC. */
export const asJson = (s: Subscriber) => ({
  ...s,
  paused: pauseJson(s.paused),
  cooling: s.cooling && { ...s.cooling, until: s.cooling.until.toISOString() },
  breaker: s.breaker && { since: s.breaker.since.toISOString(), until: s.breaker.until.toISOString() },
  ramp: s.ramp && { ...s.ramp, since: s.ramp.since.toISOString() },
});

const tlsWords = ({ ca, cert }: NonNullable<Subscriber['tls']>): string =>
  [
    ca > 0 ? `${ca} authorities of its own` : 'the usual authorities',
    ...(cert
      ? [`client certificate ${cert.subject}, valid until ${cert.validTo}, sha256 ${cert.sha256}`]
      : []),
  ].join('; ');

/** The subscriber as lines of `name: value`. */
export function describe(subscriber: Subscriber): string[] {
  const { cooling, breaker, ramp, ...s } = asJson(subscriber);
  const fields: Readonly<Record<string, string | number | Date | null>> = {
    id: s.id,
    name: s.name,
    account: s.account,
    state: s.state,
    origin: `${s.urlOrigin} (URL version ${s.urlVersion})`,
    'event types': s.eventTypes.join(', '),
    labels: Object.entries(s.labels)
      .map(([name, value]) => `${name}=${value}`)
      .join(', '),
    'max concurrency': s.maxConcurrency,
    rate: s.ratePerSecond === null ? 'no limit' : `${s.ratePerSecond} a second`,
    order: s.order + (s.order === 'serialize' ? `, a version waits at most ${s.orderWaitMs} ms` : ''),
    mode: s.mode,
    cohort: s.cohort,
    ...Object.fromEntries(
      Object.entries(s.policy).map(([name, value]) => [
        `policy.${name}`,
        typeof value === 'number' ? value : JSON.stringify(value),
      ]),
    ),
    paused: pauseWords(subscriber.paused, 'subscriber'),
    headers: Object.entries(s.headers)
      .map(([name, mask]) => `${name}=${mask}`)
      .join(', '),
    auth: s.auth && `${s.auth} ***`,
    tls: s.tls && tlsWords(s.tls),
    cooling: cooling ? `until ${cooling.until}, since the receiver answered ${cooling.status}` : 'no',
    breaker: breaker ? `open until ${breaker.until}, after faults since ${breaker.since}` : 'closed',
    'failing since': s.failingSince,
    ramp: ramp ? `${ramp.perSecond} a second, since the resume at ${ramp.since}` : 'no',
    created: s.createdAt,
  };
  return Object.entries(fields).map(([name, value]) => `${name}: ${shown(value)}`);
}
