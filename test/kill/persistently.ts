import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseTrouble } from '../../src/ledger/pool.js';

const AGAIN_EVERY_MS = 250;

/** Everything a round does against the database, however often the database goes away meanwhile. */
export async function persistently<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseTrouble(error) || signal.aborted) throw error;
      await sleep(AGAIN_EVERY_MS, undefined, { signal });
    }
  }
}
