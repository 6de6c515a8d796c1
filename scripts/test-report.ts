import { readFileSync } from 'node:fs';
import { isCode } from './stack/system-error.js';

/** The part of vitest's JSON report that the closing line needs. */
export interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { status: string; assertionResults: { status: string }[] }[];
}

/** Vitest's report, or undefined where it ended before it wrote one. */
export function readReport(file: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Report;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/**
 * `N passed, N failed, N skipped`, alone on its line. A file that fails outside any test (an import, a hook) counts as
 * one failure, and so does a run that fails without a failing test: a red run never closes with `0 failed`.
 */
export function closingLine(report: Report | undefined, exitStatus: number): string {
  const failedFiles = (report?.testResults ?? []).filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  ).length;
  const failed = (report?.numFailedTests ?? 0) + failedFiles;
  const skipped = (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0);
  const shown = failed === 0 && exitStatus !== 0 ? 1 : failed;
  return `${report?.numPassedTests ?? 0} passed, ${shown} failed, ${skipped} skipped\n`;
}

/** Vitest's status, and 1 for a good run with a skipped test where none may be: in CI every tool is there. */
export function statusOf(report: Report | undefined, exitStatus: number, everyTestRuns: boolean): number {
  const skipped = (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0);
  return exitStatus === 0 && everyTestRuns && skipped > 0 ? 1 : exitStatus;
}
