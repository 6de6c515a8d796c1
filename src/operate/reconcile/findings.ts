import type { ObligationKey } from '../../contract.js';
import type { OpenObligation, UnfinishedEvent } from '../../ledger/reconcile.js';
import type { WorkflowTruth } from './workflow-truth.js';

/** Everything that can stand between ledger and Temporal, by name; docs/operating.md says what is done about each. */
export const FINDING_KINDS = [
  'outbox-not-relayed',
  'event-not-relayed',
  'event-not-fanned-out',
  'workflow-missing',
  'workflow-closed',
  'workflow-terminated',
  'workflow-cancelled',
  'workflow-reset',
  'lease-ran-out',
  'record-missing',
] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

interface OfObligation {
  readonly key: ObligationKey;
  readonly row: OpenObligation;
  readonly truth: WorkflowTruth;
}

/** One mismatch, with what was read about it. */
export type Finding =
  | {
      readonly kind: 'outbox-not-relayed';
      readonly outboxId: number;
      readonly eventId: number | null;
      readonly key: ObligationKey | null;
    }
  | { readonly kind: 'event-not-relayed' | 'event-not-fanned-out'; readonly event: UnfinishedEvent }
  | ({
      readonly kind:
        | 'workflow-missing'
        | 'workflow-closed'
        | 'workflow-terminated'
        | 'workflow-cancelled'
        | 'workflow-reset'
        | 'lease-ran-out';
    } & OfObligation)
  | { readonly kind: 'record-missing'; readonly key: ObligationKey; readonly truth: WorkflowTruth };

/** What the finding is about: an obligation's key, or an event. */
export function subjectOf(finding: Finding): { key: ObligationKey | null; eventId: number | null } {
  if ('event' in finding) return { key: null, eventId: finding.event.id };
  if (finding.kind === 'outbox-not-relayed') return { key: finding.key, eventId: finding.eventId };
  return { key: finding.key, eventId: null };
}
