import type { Judged } from './decide.js';

/**
 * What an attempt says about its receiver's health: `well` it took the event; `answered` it lives, whatever it thinks of
 * the event or of our haste; `fault` it is at fault; `none` where the attempt says nothing of it, since nothing was sent
 * or the fault was ours.
 */
export type Health = 'well' | 'answered' | 'fault' | 'none';

/** A 429 alone is no fault: who limits us is well enough to do so. */
export function healthOf({ outcome, class: cls }: Pick<Judged, 'outcome' | 'class'>): Health {
  switch (outcome) {
    case 'delivered':
      return 'well';
    case 'rejected':
      return 'answered';
    case 'failed':
    case 'unknown':
      if (cls === 'throttled') return 'answered';
      return OURS.includes(cls) ? 'none' : 'fault';
    default:
      return 'none';
  }
}

const OURS: readonly string[] = ['own_fault', 'lease_over', 'shutdown', 'called_off', 'worker_crash'];
