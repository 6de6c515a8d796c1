/**
 * Places on the path of a delivery where a process may die with something half done, in the order they are reached.
 * The kill tests hang on them; production passes no listener.
 */
export const POINTS = [
  'relay.taken',
  'relay.matched',
  'relay.fanned-out',
  'relay.started',
  'fanout.matched',
  'fanout.page',
  'claim.asking',
  'claim.granted',
  'wire.connected',
  'wire.body-half',
  'wire.body-sent',
  'wire.head',
  'settle.asking',
  'settle.done',
  'attempt.completing',
  'heed.asking',
  'heed.done',
] as const;
export type Point = (typeof POINTS)[number];

/** Told synchronously, right when the place is reached. */
export type Reached = (point: Point) => void;
