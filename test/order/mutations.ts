import type { Mutation } from '../scale/stage.js';

/** Ways to break order that the proof must notice. */
export const BREAKS = {
  // Nobody waits for another version.
  'order-ignored': {
    ledger: [{ name: 'refuse_for_now', edits: [['IF v_order_ms IS NOT NULL THEN', 'IF false THEN']] }],
  },
  // What is stale is sent all the same.
  'stale-sent': {
    ledger: [
      {
        name: 'end_if_moot',
        edits: [["IF v_end IS NULL AND v_order = 'skip-stale' AND has_newer(o) THEN", 'IF false THEN']],
      },
    ],
  },
  // What comes late goes without its mark.
  'mark-forgotten': {
    ledger: [{ name: 'place_in_order', edits: [["mark := 'out-of-order';", 'mark := NULL;']] }],
  },
} as const satisfies Readonly<Record<string, Mutation>>;

export type OrderMutation = keyof typeof BREAKS;
export const ORDER_MUTATIONS = Object.keys(BREAKS) as readonly OrderMutation[];
