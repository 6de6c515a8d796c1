import { createHash } from 'node:crypto';

/** What Temporal lists as running. */
export interface Listed {
  add(workflowId: string): void;
  /** False for what must be read by its id: it isn't listed, or it is one of those that are read anyway. */
  vouchesFor(workflowId: string): boolean;
}

const DIGEST_BYTES = 6;

/**
 * Some fifty bytes for each workflow: of its id a digest is kept. That two of a million share one, and a missing one is
 * vouched for, happens once in three hundred million looks.
 * @param readsAnyway so many of those that are listed are read all the same, another choice each time: a list may be stale
 */
export function openList(readsAnyway: number): Listed {
  const digests = new Set<number>();
  return {
    add: (workflowId) => void digests.add(digestOf(workflowId)),
    vouchesFor: (workflowId) =>
      digests.has(digestOf(workflowId)) && Math.random() * digests.size >= readsAnyway,
  };
}

const digestOf = (workflowId: string): number =>
  createHash('sha256').update(workflowId).digest().readUIntBE(0, DIGEST_BYTES);
