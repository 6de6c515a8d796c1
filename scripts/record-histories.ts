import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import pg from 'pg';
import { SCENARIOS, type Stage } from '../test/replay/scenarios.js';
import { startReceiver } from '../test/support/receiver.js';
import { installRuntime, makeTrust, startWaybill } from '../test/support/waybill.js';
import { startStack } from './stack/stack.js';
import { buildWorkflowBundle } from './build-workflow-bundle.js';

/**
 * `npm run record`: what a release leaves for the ones after it. Plays every scenario on real servers and keeps
 * each workflow's history, with the workflow bundle that made it. Nothing in them names a machine.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const IDENTITY = `recorder-${version}`;

const dataDir = mkdtempSync(join(tmpdir(), 'waybill-record-'));
chmodSync(dataDir, 0o711);
const say = (line: string): void => void process.stderr.write(`record: ${line}\n`);
const stack = await startStack({ dataDir, ui: false, durable: false, onProgress: say });
installRuntime();
const address = stack.temporalAddress ?? '';
const temporal = new Client({ connection: await Connection.connect({ address }), identity: IDENTITY });
const connection = await NativeConnection.connect({ address });
const trust = await makeTrust();
const answers: Stage['answers'] = new Map();
const receiver = await startReceiver({
  tls: trust.tls,
  answer: ({ path }, reply) =>
    (answers.get(path) ?? (({ response }) => void response.writeHead(200).end()))(reply),
});
const owner = new pg.Pool({ connectionString: stack.adminUrl, max: 1 });
const waybill = await startWaybill(
  { url: stack.appUrl },
  { client: temporal, connection, namespace: 'default' },
  trust,
  { env: { WAYBILL_WORKER_NAME: IDENTITY } },
);

const on: Stage = {
  ...{ waybill: waybill.client, taskQueue: waybill.taskQueue, temporal, receiver, answers },
  asOwner: (sql, values) => owner.query(sql, values),
};

try {
  const folder = join(ROOT, 'test/histories');
  mkdirSync(folder, { recursive: true });
  for (const [name, play] of Object.entries(SCENARIOS)) {
    const { workflowId, runId } = await play(on, name);
    const history = await shownHistory(workflowId, runId);
    writeFileSync(join(folder, `${version}-${name}.json`), JSON.stringify({ workflowId, history }) + '\n');
    say(`${name}: ${history.events.length} events`);
  }
  const bundle = join(ROOT, 'releases', version, 'workflow-bundle.js');
  await buildWorkflowBundle(bundle);
  say(`bundle: ${bundle.slice(ROOT.length)}`);
} finally {
  await waybill.stop();
  await owner.end();
  await receiver.close();
  trust.dispose();
  await connection.close();
  await temporal.connection.close();
  await stack.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

/** The history as Temporal's own CLI shows it: the form that replayers of every SDK read. */
async function shownHistory(workflowId: string, runId: string | undefined): Promise<{ events: unknown[] }> {
  const run = runId === undefined ? [] : ['--run-id', runId];
  const args = [
    'workflow',
    'show',
    '--address',
    address,
    '--workflow-id',
    workflowId,
    ...run,
    '--output',
    'json',
  ];
  const { stdout } = await promisify(execFile)(stack.env['TEMPORAL_CLI_PATH'] ?? 'temporal', args, {
    maxBuffer: 64 * 1_048_576,
  });
  // A failure's stack names files by their place on this machine; what follows the checkout's is enough.
  return JSON.parse(stdout.replaceAll(ROOT, '')) as { events: unknown[] };
}
