import { editFunction, mutate, type FunctionEdit } from '../../demo/mutation.js';
import { MUTATIONS, type Mutation } from '../../demo/options.js';

const EDITS = {
  // Whoever asks while another's lease runs is told that it is over.
  'lease-not-honoured': { name: 'claim', edits: [['IF o.lease_until > v_now THEN', 'IF false THEN']] },
  // Pause and terminate are granted, audited and answered, and change nothing.
  'act-ignored': {
    name: 'act',
    edits: [
      [
        "IF p_verb = 'pause' THEN",
        "IF p_verb IN ('pause', 'terminate') THEN v_changed := true; ELSIF false THEN",
      ],
    ],
  },
} as const satisfies Readonly<Record<string, FunctionEdit>>;

/** Ways to break the ledger that the proof must notice. */
export type KillMutation = Mutation | keyof typeof EDITS;
export const KILL_MUTATIONS = [...MUTATIONS, ...(Object.keys(EDITS) as (keyof typeof EDITS)[])] as const;

/** @see mutate */
export const mutateLedger = (adminUrl: string, mutation: KillMutation): Promise<void> =>
  mutation in EDITS
    ? editFunction(adminUrl, EDITS[mutation as keyof typeof EDITS])
    : mutate(adminUrl, mutation as Mutation);
