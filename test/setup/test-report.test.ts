import { expect, test } from 'vitest';
import { closingLine, statusOf, type Report } from '../../scripts/test-report.js';

const report = (given: Partial<Report>): Report => ({
  numPassedTests: 0,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [],
  ...given,
});

test('the closing line has the figures of the report', () => {
  const mixed = report({ numPassedTests: 12, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1 });
  expect(closingLine(mixed, 1)).toBe('12 passed, 1 failed, 3 skipped\n');
  expect(closingLine(report({ numPassedTests: 3 }), 0)).toBe('3 passed, 0 failed, 0 skipped\n');
});

test('a file that fails outside any test is a failure; one with a failed test is counted by its test', () => {
  const testResults = [
    { status: 'failed', assertionResults: [] },
    { status: 'failed', assertionResults: [{ status: 'failed' }] },
    { status: 'passed', assertionResults: [{ status: 'passed' }] },
  ];
  expect(closingLine(report({ numPassedTests: 1, numFailedTests: 1, testResults }), 1)).toBe(
    '1 passed, 2 failed, 0 skipped\n',
  );
});

test('a red run never closes with 0 failed, and neither does one without a report', () => {
  expect(closingLine(report({ numPassedTests: 4 }), 1)).toBe('4 passed, 1 failed, 0 skipped\n');
  expect(closingLine(undefined, 137)).toBe('0 passed, 1 failed, 0 skipped\n');
});

test('where every test has to run, a skipped one makes a good run bad', () => {
  const skipping = report({ numPassedTests: 4, numPendingTests: 1 });
  expect([statusOf(skipping, 0, true), statusOf(skipping, 0, false)]).toEqual([1, 0]);
  expect([statusOf(skipping, 130, true), statusOf(report({}), 0, true)]).toEqual([130, 0]);
  expect(closingLine(skipping, statusOf(skipping, 0, true))).toBe('4 passed, 1 failed, 1 skipped\n');
});
