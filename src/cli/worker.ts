import type { Command } from 'commander';
import type { Log } from '../watch/log.js';
import type { RunningWorker } from '../worker.js';
import { commaList, subcommand, type Common } from './command.js';
import { EXIT, UsageError } from './faults.js';
import { write, writeJson } from './output.js';

/** `waybill worker`: runs until it is told to end, then drains. */
export function define(program: Command): void {
  subcommand(
    program,
    'worker',
    'Run a worker until SIGTERM or SIGINT, which let running sends finish (WAYBILL_DRAIN_MS). A second signal ' +
      'ends the process at once; what it was sending is then recorded as unknown.',
    'waybill worker --roles relay,sends',
  )
    .option('--roles <list>', 'what it does, of relay, obligations and sends', 'relay,obligations,sends')
    .action(run);
}

async function run(options: Common & { roles: string }): Promise<void> {
  const { loadConfig } = await import('../config.js');
  const { makeLog } = await import('../watch/log.js');
  const { ROLES, startWorker } = await import('../worker.js');
  const asked = commaList(options.roles);
  const unknown = asked.find((role) => !ROLES.some((known) => known === role));
  if (unknown !== undefined) throw new UsageError(`--roles: '${unknown}' is none of ${ROLES.join(', ')}`);
  if (new Set(asked).size < asked.length) throw new UsageError('--roles: names a role twice');
  const roles = ROLES.filter((role) => asked.includes(role));

  const config = loadConfig();
  const log = makeLog(config.logLevel, config.workerName);
  const { installRuntime } = await import('./temporal-runtime.js');
  installRuntime(log);
  const { connectClient, connectWorker } = await import('../temporal.js');
  const { client, close } = await connectClient();
  try {
    const { connection, namespace } = await connectWorker();
    try {
      const workflows = client.workflow;
      const worker = await startWorker({ config, roles, connection, workflows, namespace, log });
      const ended = untilEnded(worker, log);
      const ready = { ready: true, roles, worker: config.workerName, namespace };
      await Promise.all([ended, options.json ? writeJson(ready) : write('worker ready\n')]);
    } finally {
      await connection.close();
    }
  } finally {
    await close();
  }
}

/** Lets the first signal drain the worker and the second end the process. Rejects where the worker failed. */
async function untilEnded(worker: RunningWorker, log: Log): Promise<void> {
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    log.info({ signal }, stopping ? 'worker.ended_at_once' : 'worker.draining');
    if (stopping) process.exit(EXIT.interrupted);
    stopping = true;
    worker.stop().catch(() => undefined); // `ended` rejects with the same error
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  await worker.ended;
  log.info({}, 'worker.ended');
}
