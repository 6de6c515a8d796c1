import { DefaultLogger, Runtime } from '@temporalio/worker';
import type { Log } from '../watch/log.js';

/**
 * Temporal's own runtime, once for the process: its lines go to our log (stdout stays the command's), and signals
 * stay ours.
 */
export function installRuntime(log: Log): void {
  Runtime.install({
    shutdownSignals: [],
    logger: new DefaultLogger('INFO', ({ level, message, meta }) => {
      const fields = { ...meta, temporal: message };
      if (level === 'ERROR') log.error(fields, 'temporal');
      else if (level === 'WARN') log.warn(fields, 'temporal');
      else log.debug(fields, 'temporal');
    }),
  });
}
