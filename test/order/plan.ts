import { randomOf } from '../kill/random.js';

/** One version of one shipment that is published. */
export interface Step {
  readonly shipment: string;
  readonly version: number;
}

export interface Plan {
  /** In the order in which they are published: mostly rising, many out of order, with numbers left out. */
  readonly steps: readonly Step[];
  /** Older versions that are published once the newest of their shipment has begun everywhere. */
  readonly late: readonly Step[];
  /** Shipment -> its newest version. */
  readonly newest: ReadonlyMap<string, number>;
}

/** Of so many shipments one has a late version. */
const LATE_EVERY = 4;
/** How far a version strays from its turn, in turns: neighbours change places often, others seldom. */
const STRAY = 2.5;

export function planOf(seed: number, shipments: number, versions: number): Plan {
  const random = randomOf('order', seed, shipments, versions);
  const turns: (Step & { readonly turn: number })[] = [];
  const late: Step[] = [];
  const newest = new Map<string, number>();
  for (let i = 0; i < shipments; i += 1) {
    const shipment = `order-${seed}-${i}`;
    const numbers = random
      .shuffled(Array.from({ length: 2 * versions }, (_, n) => n + 1))
      .slice(0, versions)
      .sort((a, b) => a - b);
    const lateOne = i % LATE_EVERY === 0 ? random.whole(0, versions - 2) : undefined;
    numbers.forEach((version, n) => {
      if (n === lateOne) late.push({ shipment, version });
      else turns.push({ shipment, version, turn: n + random.next() * STRAY });
    });
    newest.set(shipment, numbers.at(-1) ?? 0);
  }
  const steps = turns.sort((a, b) => a.turn - b.turn).map(({ shipment, version }) => ({ shipment, version }));
  return { steps, late, newest };
}

/** Versions published after a newer one of their shipment. */
export function outOfOrderIn(steps: readonly Step[]): number {
  const highest = new Map<string, number>();
  let count = 0;
  for (const { shipment, version } of steps) {
    const so = highest.get(shipment) ?? -1;
    if (version < so) count += 1;
    highest.set(shipment, Math.max(so, version));
  }
  return count;
}
