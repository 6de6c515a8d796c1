import type { Subscriber } from '../client.js';
import { shown } from './table.js';

/** The subscriber with all its times in UTC. */
export const asJson = (s: Subscriber) => ({
  ...s,
  paused: s.paused && { ...s.paused, at: s.paused.at.toISOString() },
});

/** The subscriber as lines of `name: value`. */
export function describe(subscriber: Subscriber): string[] {
  const { paused, ...s } = asJson(subscriber);
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
    ...Object.fromEntries(
      Object.entries(s.policy).map(([name, value]) => [
        `policy.${name}`,
        typeof value === 'number' ? value : JSON.stringify(value),
      ]),
    ),
    paused: paused ? `by ${paused.by} at ${paused.at}: ${paused.reason}` : 'no',
    created: s.createdAt,
  };
  return Object.entries(fields).map(([name, value]) => `${name}: ${shown(value)}`);
}
