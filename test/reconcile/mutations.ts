import { editFunction, type FunctionEdit } from '../../demo/mutation.js';

const EDITS = {
  // What may have been sent is rebuilt as if nothing had been, and sent.
  'record-lost-not-held': {
    name: 'rebuild_obligation',
    edits: [["WHEN p_attempts > v_outcomes OR v_intents > v_outcomes THEN 'held'", "WHEN false THEN 'held'"]],
  },
  // The row is said to be rebuilt, and isn't.
  'rebuild-nothing': {
    name: 'rebuild_obligation',
    edits: [["v_held := v_becomes = 'held';", 'RETURN v_becomes;']],
  },
} as const satisfies Readonly<Record<string, FunctionEdit>>;

/** Ways to break reconciliation that the proof must notice. */
export type ReconcileMutation = keyof typeof EDITS;
export const MUTATIONS = Object.keys(EDITS) as readonly ReconcileMutation[];

/** @see editFunction */
export const mutateReconcile = (adminUrl: string, mutation: ReconcileMutation): Promise<void> =>
  editFunction(adminUrl, EDITS[mutation]);
