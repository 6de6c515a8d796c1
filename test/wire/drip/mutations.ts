import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How much later than agreed the mutation `late` ends a request. */
const LATE_MS = 5_000;

/** Each an edit of the wire as it was built for this proof. */
const EDITS = {
  // A deadline is kept too late.
  late: ['startedAtMs + request.timeoutMs', `startedAtMs + request.timeoutMs + ${LATE_MS}`],
  // A request that has ended leaves its connection open.
  held: ['if (!whole)', 'if (false)'],
  // A request that waits for its answer holds megabytes.
  fat: ["this.#stage = 'waiting for the answer';", '$& this.hoard = Buffer.alloc(8_388_608, 1);'],
} as const;

/** Ways to break the wire that the proof must notice. */
export type DripMutation = keyof typeof EDITS;
export const DRIP_MUTATIONS = Object.keys(EDITS) as readonly DripMutation[];

/** Breaks the copy of the sources that was built into `folder`; the checkout stays as it is. */
export function mutateBuild(folder: string, mutation: DripMutation): void {
  const file = join(folder, 'src/wire/exchange.js');
  const before = readFileSync(file, 'utf8');
  const [from, to] = EDITS[mutation];
  if (!before.includes(from)) throw new Error(`the mutation ${mutation} no longer fits ${file}`);
  writeFileSync(file, before.replace(from, to));
}
