import { subjectOf, type Finding, type FindingKind } from './findings.js';
import { repair, type RepairDeps } from './repair.js';
import { survey, type SurveyDeps } from './survey.js';

export interface ReconcileOptions {
  /** Look and tell, mend nothing. */
  readonly dryRun: boolean;
  readonly onFinding?: (reported: Reported) => void;
}

export interface Reported {
  readonly kind: FindingKind;
  readonly key: string | null;
  readonly eventId: number | null;
  /** What was done; null in a dry run. */
  readonly did: string | null;
}

export interface ReconcileReport {
  readonly findings: number;
  readonly byKind: Readonly<Partial<Record<FindingKind, number>>>;
  /** Findings that could not be mended this time; the next run looks again. */
  readonly failed: number;
}

/**
 * Holds ledger and Temporal against each other and mends what doesn't fit, one finding at a time. While everything works
 * it finds nothing and changes nothing. One that can't be mended doesn't keep the others from it.
 */
export async function reconcile(
  deps: SurveyDeps & RepairDeps & { readonly onFault?: (finding: Finding, error: unknown) => void },
  options: ReconcileOptions,
): Promise<ReconcileReport> {
  const byKind: Partial<Record<FindingKind, number>> = {};
  let findings = 0;
  let failed = 0;
  for await (const finding of survey(deps)) {
    findings++;
    byKind[finding.kind] = (byKind[finding.kind] ?? 0) + 1;
    try {
      const did = options.dryRun ? null : await repair(deps, finding);
      options.onFinding?.({ kind: finding.kind, ...subjectOf(finding), did });
    } catch (error) {
      failed++;
      deps.onFault?.(finding, error);
      options.onFinding?.({
        kind: finding.kind,
        ...subjectOf(finding),
        did: 'failed; the next run looks again',
      });
    }
  }
  return { findings, byKind, failed };
}
