import { invalid } from '../errors.js';
import { assertText } from './text.js';

/** `none`: no order is kept. `skip-stale`: only the newest version is wanted. `serialize`: one version after another. */
export const ORDERS = ['none', 'skip-stale', 'serialize'] as const;
export type Order = (typeof ORDERS)[number];

/** `shadow`: everything is done but the send. */
export const MODES = ['live', 'shadow'] as const;
export type Mode = (typeof MODES)[number];

/** How much of a subscriber is sent to it side by side, how fast, in what order, and whether it takes part at all. */
export interface Gate {
  /** Requests open at once, over all workers. */
  readonly maxConcurrency: number;
  /** Requests that may begin in a second, over all workers, evenly spaced; null: as many as its concurrency lets. */
  readonly ratePerSecond: number | null;
  /** Over the versions of one shipment. */
  readonly order: Order;
  /** With `serialize`: how long a version waits for older ones, counted from when it is due. */
  readonly orderWaitMs: number;
  readonly mode: Mode;
  /** The name of a cohort of its account, which has to exist; null: none. */
  readonly cohort: string | null;
}

export const DEFAULT_GATE: Gate = {
  maxConcurrency: 16,
  ratePerSecond: null,
  order: 'none',
  orderWaitMs: 3_600_000,
  mode: 'live',
  cohort: null,
};

export const GATE_FIELDS = [
  'maxConcurrency',
  'ratePerSecond',
  'order',
  'orderWaitMs',
  'mode',
  'cohort',
] as const satisfies readonly (keyof Gate)[];

/** Inclusive. */
export const GATE_BOUNDS = {
  maxConcurrency: [1, 1_000],
  ratePerSecond: [0.01, 10_000],
  orderWaitMs: [1_000, 30 * 86_400_000],
} as const;

/** What of the gate is given, each field judged; the others are left out. @throws WaybillError `invalid_field`. */
export function checkGate(given: { readonly [Field in keyof Gate]?: unknown }): Partial<Gate> {
  const checks = {
    maxConcurrency: (value: unknown) => within('maxConcurrency', value, true),
    ratePerSecond: (value: unknown) => (value === null ? null : within('ratePerSecond', value, false)),
    order: (value: unknown) => oneOf('order', value, ORDERS),
    orderWaitMs: (value: unknown) => within('orderWaitMs', value, true),
    mode: (value: unknown) => oneOf('mode', value, MODES),
    cohort: (value: unknown) => (value === null ? null : checkCohortName('cohort', value)),
  };
  return Object.fromEntries(
    GATE_FIELDS.filter((field) => given[field] !== undefined).map((field) => [
      field,
      checks[field](given[field]),
    ]),
  );
}

/** @throws WaybillError `invalid_field`. */
export function checkCohortName(field: string, name: unknown): string {
  assertText(field, name, 1, 100);
  if (name === 'none') throw invalid(field, "must not be 'none', which is the word for no cohort");
  return name;
}

function within(field: keyof typeof GATE_BOUNDS, value: unknown, whole: boolean): number {
  const [least, most] = GATE_BOUNDS[field];
  if (typeof value !== 'number' || !(value >= least && value <= most) || (whole && !Number.isInteger(value)))
    throw invalid(field, `must be a ${whole ? 'whole ' : ''}number from ${least} to ${most}`);
  return value;
}

function oneOf<T extends string>(field: string, value: unknown, words: readonly T[]): T {
  const word = words.find((known) => known === value);
  if (word === undefined) throw invalid(field, `must be one of ${words.join(', ')}`);
  return word;
}
