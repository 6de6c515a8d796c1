import type { Mutation } from '../scale/stage.js';

/** Ways to break a roll-out that the proof must notice. */
export const BREAKS = {
  // Subscribers in shadow mode are sent to like any other.
  'shadow-sends': {
    build: [{ file: 'src/activities/attempt.ts', from: 'if (due.go.shadow)', to: 'if (false)' }],
  },
  // A cohort that is off goes on.
  'switch-ignored': {
    ledger: [{ name: 'match_event', edits: [['WHEN NOT c.is_on THEN', 'WHEN false THEN']] }],
  },
  // All of a cohort take part.
  'cap-ignored': {
    ledger: [{ name: 'match_event', edits: [['WHEN p.place > c.max_subscribers THEN', 'WHEN false THEN']] }],
  },
  // Who is left out isn't written down.
  'left-out-forgotten': {
    ledger: [
      {
        name: 'match_event',
        edits: [
          ['FROM matching WHERE barred IS NOT NULL', 'FROM matching WHERE barred IS NOT NULL AND false'],
        ],
      },
    ],
  },
} as const satisfies Readonly<Record<string, Mutation>>;

export type RolloutMutation = keyof typeof BREAKS;
export const ROLLOUT_MUTATIONS = Object.keys(BREAKS) as readonly RolloutMutation[];
