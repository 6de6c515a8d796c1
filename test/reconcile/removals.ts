/** Everything that is removed by hand, what reconciliation must call it, and where it must lead. */

export type End = 'delivered' | 'held' | 'terminated';
/** Where an obligation stands when the hand comes: never tried, tried in vain, or delivered. */
export type Stand = 'pending' | 'waiting' | 'delivered';

export interface Removal {
  readonly kind: 'workflow-missing' | 'workflow-terminated' | 'record-missing';
  /** In words, for the report. */
  readonly what: string;
  readonly of: Stand;
  /** The row of the obligation. */
  readonly row: boolean;
  /** Intents and outcomes of its attempts. */
  readonly attempts: boolean;
  readonly workflow: 'left' | 'deleted' | 'terminated';
  readonly end: End;
}

const removal = (
  kind: Removal['kind'],
  what: string,
  of: Stand,
  end: End,
  removed: { row?: true; attempts?: true; workflow?: 'deleted' | 'terminated' },
): Removal => ({
  ...{ kind, what, of, end },
  row: removed.row ?? false,
  attempts: removed.attempts ?? false,
  workflow: removed.workflow ?? 'left',
});

/** A tenth of the workflows goes to these in turn. */
export const WORKFLOW_REMOVALS: readonly Removal[] = [
  removal('workflow-missing', 'workflow of a tried one', 'waiting', 'delivered', { workflow: 'deleted' }),
  removal('workflow-missing', 'workflow of an untried one', 'pending', 'delivered', { workflow: 'deleted' }),
  // A person's word, by Temporal's own tools: it ends the obligation.
  removal('workflow-terminated', 'workflow, terminated', 'waiting', 'terminated', { workflow: 'terminated' }),
];

/** A tenth of the obligation rows goes to these in turn. Held is what may have been sent, for all anybody can tell. */
export const ROW_REMOVALS: readonly Removal[] = [
  removal('record-missing', 'row', 'waiting', 'delivered', { row: true }),
  removal('record-missing', 'row of an untried one', 'pending', 'delivered', { row: true }),
  removal('record-missing', 'row and attempts', 'waiting', 'held', { row: true, attempts: true }),
  removal('record-missing', 'row and workflow', 'waiting', 'delivered', { row: true, workflow: 'deleted' }),
  removal('record-missing', 'row and terminated workflow', 'waiting', 'terminated', {
    ...{ row: true, workflow: 'terminated' },
  }),
  removal('record-missing', 'row of a delivered one', 'delivered', 'delivered', { row: true }),
  removal('record-missing', 'row and attempts of a delivered one', 'delivered', 'delivered', {
    ...{ row: true, attempts: true },
  }),
  removal('record-missing', 'all of a delivered one', 'delivered', 'held', {
    ...{ row: true, attempts: true, workflow: 'deleted' },
  }),
  removal('record-missing', 'all of an untried one', 'pending', 'held', {
    ...{ row: true, attempts: true, workflow: 'deleted' },
  }),
];

export interface Victim {
  readonly key: string;
  readonly removal: Removal;
}

/** Chooses a tenth, and one of each at least, over what stands there; each obligation loses one thing. */
export function chooseVictims(keysByStand: Readonly<Record<Stand, readonly string[]>>): Victim[] {
  const left: Record<Stand, string[]> = {
    pending: [...keysByStand.pending],
    waiting: [...keysByStand.waiting],
    delivered: [...keysByStand.delivered],
  };
  const tenth = Math.ceil(Object.values(keysByStand).flat().length / 10);
  return [WORKFLOW_REMOVALS, ROW_REMOVALS].flatMap((removals) =>
    Array.from({ length: Math.max(tenth, removals.length) }, (_, i) => {
      const chosen = removals[i % removals.length] as Removal;
      const key = left[chosen.of].shift();
      if (key === undefined) throw new Error(`too few obligations are ${chosen.of} to remove from`);
      return { key, removal: chosen };
    }),
  );
}
