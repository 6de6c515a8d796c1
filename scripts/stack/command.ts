import { delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Interruptions } from './interruptions.js';
import { exitStatus, NotStartedError, supervise } from './supervised.js';

const BIN = fileURLToPath(new URL('../../node_modules/.bin', import.meta.url));
const STOP_TIMEOUT_MS = 10_000;
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;

/**
 * Runs a command in our place, on our stdin, stdout and stderr, and answers its exit status as a shell would. The
 * first wish to end is passed on to it, and to all it started, once; a second one ends it by force. What it leaves
 * behind in its process group ends with it.
 */
export async function runCommand(
  command: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  interruptions: Interruptions,
): Promise<number> {
  interruptions.signal.throwIfAborted();
  try {
    const running = await supervise({
      name: command,
      command,
      args,
      env: { ...env, PATH: searchPath(env) },
      output: 'inherit',
      stopSignal: 'SIGTERM',
      stopTimeoutMs: STOP_TIMEOUT_MS,
      wholeGroup: true,
    });
    interruptions.onInterrupt((signal, again) => running.signal(again ? 'SIGKILL' : signal));
    return exitStatus(await running.exited);
  } catch (error) {
    if (!(error instanceof NotStartedError)) throw error;
    process.stderr.write(`${command}: ${error.code === 'ENOENT' ? 'command not found' : error.message}\n`);
    return error.code === 'ENOENT' ? NOT_FOUND : NOT_EXECUTABLE;
  }
}

/** The checkout's own commands first (`waybill`), the stack's `temporal` last. */
function searchPath(env: NodeJS.ProcessEnv): string {
  const cli = env['TEMPORAL_CLI_PATH'];
  return [BIN, env['PATH'], cli && dirname(cli)].filter(Boolean).join(delimiter);
}
