import type { Command } from 'commander';
import type { Log } from '../watch/log.js';
import type { RunningWorker } from '../worker.js';
import { commaList, subcommand, type Common } from './command.js';
import { EXIT, Ended, UsageError } from './faults.js';
import { write, writeJson } from './output.js';

/** `waybill worker`: runs until it is told to end, then drains. */
export function define(program: Command): void {
  subcommand(
    program,
    'worker',
    'Run a worker until SIGTERM or SIGINT, which let running sends finish (WAYBILL_DRAIN_MS); it ends with 0 then. ' +
      'A second signal cuts them, records them as unknown and ends with 130; a third one ends it with nothing recorded.',
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

/** A terminal and whatever started us may both pass on one Ctrl-C: signals this close together are one. */
const ONE_SIGNAL_MS = 1_000;

/**
 * The first signal drains the worker, a second cuts what it sends, a third ends the process. Rejects where the worker
 * failed.
 * @throws Ended where the drain was cut short.
 */
async function untilEnded(worker: RunningWorker, log: Log): Promise<void> {
  let words = 0;
  let lastAtMs = -Infinity;
  const onSignal = (signal: NodeJS.Signals): void => {
    const sinceMs = performance.now() - lastAtMs;
    if (sinceMs < ONE_SIGNAL_MS) return log.info({ signal }, 'worker.same_signal');
    lastAtMs = performance.now();
    words += 1;
    if (words === 1) {
      log.info({ signal }, 'worker.draining');
      worker.stop().catch(() => undefined); // `ended` rejects with the same error
    } else if (words === 2) {
      log.warn({ signal }, 'worker.cutting_sends');
      worker.cutSends();
    } else {
      log.warn({ signal }, 'worker.ended_at_once');
      process.exit(EXIT.interrupted);
    }
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  await worker.ended;
  log.info({}, 'worker.ended');
  if (words > 1) throw new Ended(EXIT.interrupted);
}
