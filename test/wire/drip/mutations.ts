import { editBuild } from '../../kill/build.js';

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

/** @see editBuild */
export function mutateBuild(folder: string, mutation: DripMutation): void {
  const [from, to] = EDITS[mutation];
  editBuild(folder, { file: 'src/wire/exchange.ts', from, to });
}
