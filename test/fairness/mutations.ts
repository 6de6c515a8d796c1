import type { Mutation } from '../scale/stage.js';

/** Ways to break shares that the proof must notice. */
export const BREAKS = {
  // Whoever asks is sent at once, whatever its destination takes a second.
  'rate-ignored': {
    ledger: [
      { name: 'reserve_start', edits: [['IF v_rate IS NULL THEN', 'IF true THEN']] },
      { name: 'refuse_for_now', edits: [['IF v_rate IS NULL THEN', 'IF true THEN']] },
    ],
  },
  // As many requests are open at once as there are slots.
  'cap-ignored': {
    ledger: [{ name: 'refuse_for_now', edits: [['IF v_open >= g.max_concurrency THEN', 'IF false THEN']] }],
  },
  // Nobody is told its place: all ask again every second.
  'line-forgotten': {
    ledger: [{ name: 'take_place', edits: [['RETURN v_place;', "RETURN p_now + interval '1 second';"]] }],
  },
  // What waits by the old limit isn't told of the new one.
  'change-untold': {
    ledger: [{ name: 'wake_paced', edits: [['IF v_count > 0 THEN', 'IF false THEN']] }],
  },
  // Retries wait among first attempts.
  'one-queue': {
    build: [{ file: 'src/workflow-bundle.js', from: "first ? 'send' : 'retry'", to: "'send'" }],
  },
} as const satisfies Readonly<Record<string, Mutation>>;

export type FairnessMutation = keyof typeof BREAKS;
export const FAIRNESS_MUTATIONS = Object.keys(BREAKS) as readonly FairnessMutation[];
