import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { isCode } from './system-error.js';

const SUPERVISOR = fileURLToPath(new URL('supervise.mjs', import.meta.url));
/** What the supervisor itself needs on top of the program's own stop timeout. */
const SUPERVISOR_MARGIN_MS = 6_000;

export interface ProgramSpec {
  /** Shown in the process list and in errors. */
  name: string;
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  cwd?: string;
  /** Run as this user; needs root. */
  runAs?: { uid: number; gid: number } | undefined;
  /** Where stdout and stderr go: to ours (and stdin comes from ours), or to an open file. */
  output: 'inherit' | { fd: number };
  stopSignal: NodeJS.Signals;
  stopTimeoutMs: number;
  /** Signals go to the program and all it started, as from a terminal; otherwise to the program alone. */
  wholeGroup: boolean;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface Supervised {
  pid: number;
  /** Settles when the program and what was left in its group are gone; never rejects. */
  exited: Promise<Exit>;
  signal(signal: NodeJS.Signals): void;
  /** Ends the program by its stop signal, by SIGKILL when it takes too long; resolves when it is gone. */
  stop(): Promise<void>;
}

type Report = { started?: number; failed?: { code?: string; message: string }; exited?: Exit };

/** A program that could not be started; `code` as in `ENOENT`. */
export class NotStartedError extends Error {
  override name = 'NotStartedError';
  readonly code: string | undefined;
  constructor(message: string, code: string | undefined) {
    super(message);
    this.code = code;
  }
}

/**
 * Starts a program that can't outlive this process: a supervisor holds a channel to us and ends the program when
 * the channel closes, which it does even when we are killed with SIGKILL. {@link Supervised.stop} closes the same
 * channel, so the way out is one and the same. Throws {@link NotStartedError} when there is nothing to run.
 */
export async function supervise(spec: ProgramSpec): Promise<Supervised> {
  const stdio = spec.output === 'inherit' ? 'inherit' : spec.output.fd;
  const supervisor = spawn(process.execPath, [SUPERVISOR, spec.name], {
    env: spec.env,
    stdio: [spec.output === 'inherit' ? 'inherit' : 'ignore', stdio, stdio, 'ipc'],
    detached: true,
  });
  const started = deferred<number>();
  const exited = deferred<Exit>();
  const gone = deferred<void>();
  let pid: number | undefined;
  supervisor.on('error', started.reject);
  supervisor.on('message', (report: Report) => {
    if (report.started) started.resolve((pid = report.started));
    if (report.failed) started.reject(new NotStartedError(report.failed.message, report.failed.code));
    if (report.exited) exited.resolve(report.exited);
  });
  supervisor.on('exit', () => {
    started.reject(new NotStartedError(`the supervisor of ${spec.name} ended early`, undefined));
    if (pid !== undefined && supervisor.signalCode) signalQuietly(-pid, spec.stopSignal);
    exited.resolve({ code: null, signal: 'SIGKILL' });
    gone.resolve();
  });
  const { name: _name, env: _env, output: _output, runAs, ...rest } = spec;
  supervisor.send({ start: { ...rest, ...runAs } });
  const programPid = await started.promise;
  return {
    pid: programPid,
    exited: exited.promise,
    signal: (signal) => {
      if (supervisor.connected) supervisor.send({ signal });
    },
    stop: async () => {
      if (supervisor.connected) supervisor.disconnect();
      const lastResort = setTimeout(() => {
        signalQuietly(-programPid, 'SIGKILL');
        supervisor.kill('SIGKILL');
      }, spec.stopTimeoutMs + SUPERVISOR_MARGIN_MS);
      await gone.promise;
      clearTimeout(lastResort);
    },
  };
}

/** A shell's reading of an exit: the status itself, or 128 + n for a death by signal n. */
export function exitStatus({ code, signal }: Exit): number {
  return signal ? 128 + constants.signals[signal] : (code ?? 1);
}

function deferred<T>() {
  let resolve!: (value: T) => void;
  let reject!: (reason: Error) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

/** Signals a process or (negative) a group; one that is gone already is fine. */
function signalQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!isCode(error, 'ESRCH')) throw error;
  }
}
