/**
 * `npm test -- [vitest's arguments]`: makes sure of both Temporal programs, runs vitest, and closes with the line
 * `N passed, N failed, N skipped`, which CI reads. Its figures come from vitest's own JSON report. The exit status
 * is vitest's; with WAYBILL_REQUIRE_TOOLS=1, as in CI, a skipped test makes it 1 (see scripts/test-tools.ts).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from './stack/command.js';
import { InterruptedError, interruptions } from './stack/interruptions.js';
import { findTemporalProgram, TEMPORAL_CLI, TEMPORAL_TEST_SERVER } from './stack/temporal-binaries.js';
import { closingLine, readReport, statusOf } from './test-report.js';

const VITEST = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));

async function main(): Promise<number> {
  const onProgress = (line: string) => void process.stderr.write(`test: ${line}\n`);
  const interrupted = interruptions();
  const env = {
    ...process.env,
    TEMPORAL_CLI_PATH: await findTemporalProgram(TEMPORAL_CLI, { onProgress }),
    TEMPORAL_TEST_SERVER_PATH: await findTemporalProgram(TEMPORAL_TEST_SERVER, { onProgress }),
  };
  const folder = mkdtempSync(join(tmpdir(), 'waybill-report-'));
  try {
    const file = join(folder, 'report.json');
    const report = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const args = [VITEST, 'run', ...report, ...process.argv.slice(2)];
    const status = await runCommand(process.execPath, args, env, interrupted);
    const read = readReport(file);
    const everyTestRuns = process.env['WAYBILL_REQUIRE_TOOLS'] === '1';
    const judged = statusOf(read, status, everyTestRuns);
    process.stdout.write(closingLine(read, judged));
    return judged;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof InterruptedError)) process.stderr.write(`test: ${(error as Error).message}\n`);
  process.exitCode = error instanceof InterruptedError ? error.status : 1;
}
