import { expect, test } from 'vitest';
import { PROOF_TIMEOUT_MS, useProof } from '../../support/proof-run.js';
import type { Report } from './prove.js';

/** How late a deadline may be seen to be kept while other tests run; the proof itself wants 250 ms. */
const BUSY = ['--late-ms', '5000'];

const proof = useProof<Report>('wire');

test(
  'a small proof of the wire ends green',
  async () => {
    const kinds =
      'spelling,range,resolver,allow-list,retry-after,redirect,receiver,handshake,certificate,header,proxy,property';
    const run = proof.start(['--only', kinds, '--runs', '300', '--json', ...BUSY]);
    const { status, stdout, stderr } = await run.ended;
    expect(status, stderr).toBe(0);
    const report = proof.reportOf(stdout);
    expect(report.named).toBeGreaterThan(400);
    expect(new Set(report.rows.map(({ kind }) => kind))).toEqual(new Set(kinds.split(',')));
    for (const row of report.rows) expect(row).toMatchObject({ got: row.expected, forbiddenSockets: 0 });
    expect(stderr).toContain('green in ');
  },
  PROOF_TIMEOUT_MS,
);

test('wrong usage is told, and help has an example', async () => {
  const wrong = await proof.start(['--only', 'nonsense']).ended;
  expect(wrong.status).toBe(2);
  expect(wrong.stderr).toContain('--only: there is no nonsense');
  const help = await proof.start(['--help']).ended;
  expect(help.status).toBe(0);
  expect(help.stdout).toContain('For example: npm run proof:wire');
});
