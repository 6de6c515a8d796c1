import type { Subscriber } from '../client.js';

type Paused = Subscriber['paused'];

/** With its times in UTC. */
export const pauseJson = (paused: Paused) =>
  paused && { ...paused, at: paused.at.toISOString(), until: paused.until && paused.until.toISOString() };

/** `no`, or what is paused (where it isn't the thing itself), by whom, since when, until when and why. */
export function pauseWords(paused: Paused, own: NonNullable<Paused>['scope']): string {
  if (!paused) return 'no';
  const { scope, by, at, until, reason } = paused;
  return (
    `${scope === own ? '' : `its ${scope} is, `}by ${by} at ${at.toISOString()}` +
    `${until ? ` until ${until.toISOString()}` : ''}: ${reason}`
  );
}

/** The same for a table. */
export const pauseCell = (paused: Paused, own: NonNullable<Paused>['scope']): string =>
  paused ? `${paused.scope === own ? '' : `${paused.scope} `}by ${paused.by}` : '';
