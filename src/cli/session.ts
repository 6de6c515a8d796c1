import type { WaybillClient } from '../client.js';
import type { Config } from '../config.js';
import { actorOf, type Scoped } from './command.js';

/** Opens a client for one command, on the environment's configuration, and closes it whatever happens. */
export async function withClient<T>(
  options: Scoped & { readonly actor?: string },
  work: (client: WaybillClient, config: Config) => Promise<T>,
): Promise<T> {
  const [{ WaybillClient }, { loadConfig }] = await Promise.all([
    import('../client.js'),
    import('../config.js'),
  ]);
  const config = loadConfig();
  const client = new WaybillClient({
    account: options.account,
    actor: actorOf(options.actor),
    config,
    source: 'cli',
  });
  try {
    return await work(client, config);
  } finally {
    await client.close();
  }
}

/**
 * Runs `work` with a signal that Ctrl-C or SIGTERM aborts, so that it can say where things stand before it ends.
 * A second one ends the process.
 */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interrupted = new AbortController();
  const abort = (): void => interrupted.abort();
  process.once('SIGINT', abort).once('SIGTERM', abort);
  try {
    return await work(interrupted.signal);
  } finally {
    process.off('SIGINT', abort).off('SIGTERM', abort);
  }
}
