import { setTimeout as sleep } from 'node:timers/promises';
import type { ObligationRow } from '../../src/client.js';
import { FINAL_DISPOSITIONS, type ObligationKey } from '../../src/contract.js';
import { release, type OperatorDesk } from './operator.js';
import { persistently } from './persistently.js';
import type { Stage } from './stage.js';

const LOOK_EVERY_MS = 250;
/** A pause whose resume came too early, since the database was away, is resumed by the round. */
const FORGOTTEN_PAUSE_MS = 12_000;

export interface Awaited {
  readonly stage: Stage;
  /** Who brings back what is dead or held. */
  readonly desk: OperatorDesk;
  readonly size: number;
  readonly patienceMs: number;
  /** Tells the acts of one wait from those of another. */
  readonly nthWait: number;
}

/** Waits until everything owed is final, and brings back what is dead or held; answers what is open in the end. */
export async function untilFinal(awaited: Awaited): Promise<ObligationKey[]> {
  const { desk, size, patienceMs, stage, nthWait } = awaited;
  const deadlineMs = performance.now() + patienceMs;
  const heldSinceMs = new Map<string, number>();
  const deeds = new Map<string, number>();
  for (;;) {
    const rows = await persistently(desk.signal, () => desk.client.find({ limit: size + 10 }));
    const open = rows.filter((row) => !(FINAL_DISPOSITIONS as readonly string[]).includes(row.disposition));
    if (rows.length === size && open.length === 0) return [];
    if (performance.now() > deadlineMs) {
      const seen = new Set(rows.map((row) => row.key));
      const owed = Array.from({ length: size }, (_, i) => desk.keyOf(i));
      return [...open.map((row) => row.key), ...owed.filter((key) => !seen.has(key))];
    }
    for (const row of open) {
      const verb = due(row, heldSinceMs);
      if (!verb) continue;
      const nth = (deeds.get(row.key) ?? 0) + 1;
      deeds.set(row.key, nth);
      if (verb === 'redrive') await stage.mend(row.subscriberName);
      await release(desk, verb, row.key, nthWait * 1_000 + nth);
    }
    await sleep(LOOK_EVERY_MS, undefined, { signal: desk.signal });
  }
}

/** What an operator would do about an obligation in this state, if anything. */
function due(row: ObligationRow, heldSinceMs: Map<string, number>): 'resume' | 'redrive' | undefined {
  if (row.disposition === 'dead') return 'redrive';
  if (row.disposition !== 'held') {
    heldSinceMs.delete(row.key);
    return undefined;
  }
  if (row.heldBy === 'system') return 'resume';
  const since = heldSinceMs.get(row.key) ?? performance.now();
  heldSinceMs.set(row.key, since);
  return performance.now() - since > FORGOTTEN_PAUSE_MS ? 'resume' : undefined;
}
