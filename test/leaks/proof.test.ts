import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { wipeDataDir } from '../../scripts/stack/data-dir.js';
import { untilNoneIsLeft } from '../setup/launch.js';
import { startScript, type ScriptRun } from '../support/script-run.js';
import type { Report } from './proof.js';

/** About a minute on two quiet cores; the suite shares them. */
const RUN_TIMEOUT_MS = 400_000;

let run: ScriptRun | undefined;
afterEach(async () => {
  await run?.dispose();
  run = undefined;
}, RUN_TIMEOUT_MS);

const startProof = (args: readonly string[], env: Record<string, string> = {}): ScriptRun =>
  startScript('scripts/proof-secrets.ts', args, env, async (dataDir) => {
    const data = join(dataDir, 'proof-secrets');
    if (existsSync(data)) await wipeDataDir(data); // its Postgres may lie elsewhere, behind a link
  });

const reportOf = (stdout: string): Report => JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Report;

test(
  'a short search for planted secrets finds none, and nothing of it is left behind',
  async () => {
    run = startProof(['--short', '--json']);
    const { status, stdout, stderr } = await run.ended;
    expect(status, stderr).toBe(0);
    const report = reportOf(stdout);
    expect(report).toMatchObject({ verdict: 'green', reasons: [], short: true });
    expect(report.rows.length).toBeGreaterThan(20);
    expect(report.classes).toMatchObject({ '302': 'redirect', mutual: 'server_error', crash: 'success' });
    await untilNoneIsLeft(run.dataDir);
  },
  RUN_TIMEOUT_MS,
);

test(
  'it turns red by a secret in a log, and by nothing else',
  async () => {
    run = startProof(['--short', '--json'], { WAYBILL_SECRETS_MUTATION: 'leak' });
    const { status, stdout, stderr } = await run.ended;
    expect(status, stderr).toBe(1);
    const leaked = 'logs of workers, level trace: payload (URL-encoded)';
    expect(reportOf(stdout)).toMatchObject({ verdict: 'red', reasons: [leaked] });
  },
  RUN_TIMEOUT_MS,
);
