import type { Mutation } from '../scale/stage.js';

/** Ways to break pauses and resumes that the proof must notice. */
export const BREAKS = {
  // A paused subscriber is sent to all the same.
  'pause-ignored': {
    ledger: [{ name: 'pause_of', edits: [['IF g.paused_at IS NOT NULL THEN', 'IF false THEN']] }],
  },
  // Pauses of a cohort or an account hold nobody.
  'scope-ignored': {
    ledger: [
      {
        name: 'pause_of',
        edits: [['RETURN CASE WHEN NOT FOUND THEN NULL', 'RETURN CASE WHEN true THEN NULL']],
      },
    ],
  },
  // A worker that stood still sends what it held, whatever has become of its lease.
  'lease-outlived': {
    build: [
      {
        file: 'src/wire/exchange.ts',
        from: 'const leaseEndsAtMs = request.leaseEndsAtMs ?? Infinity;',
        to: 'const leaseEndsAtMs = Infinity;',
      },
    ],
  },
  // What was held comes as fast as it can.
  'ramp-ignored': {
    ledger: [
      { name: 'rate_now', edits: [['CASE WHEN g.ramp_per_s IS NOT NULL AND', 'CASE WHEN false AND']] },
      {
        name: 'let_go',
        edits: [['CASE WHEN many THEN greatest(0.8 * ramp, 0.01)', 'CASE WHEN many THEN 10000']],
      },
    ],
  },
  // A pause never ends by itself.
  'end-forgotten': {
    ledger: [
      { name: 'end_due_pause', edits: [['IF NOT FOUND THEN RETURN false; END IF;', 'RETURN false;']] },
    ],
  },
} as const satisfies Readonly<Record<string, Mutation>>;

export type PauseMutation = keyof typeof BREAKS;
export const PAUSE_MUTATIONS = Object.keys(BREAKS) as readonly PauseMutation[];
