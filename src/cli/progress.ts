import { SingleBar } from 'cli-progress';

const LINE_EVERY_MS = 5_000;

export interface Progress {
  /** `note` stands behind the figures. */
  update(done: number, total: number, note: string): void;
  stop(): void;
}

/**
 * How far a long task is, on stderr: a bar on a terminal, otherwise a line every five seconds. Nothing with
 * `quiet`, for scripts that read stderr as JSON.
 */
export function startProgress(label: string, quiet: boolean): Progress {
  if (quiet) return { update() {}, stop() {} };
  return process.stderr.isTTY ? bar(label) : lines(label);
}

function bar(label: string): Progress {
  const single = new SingleBar({
    format: `${label} {bar} {value}/{total} {note}`,
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
    gracefulExit: false,
  });
  let started = false;
  return {
    update(done, total, note) {
      if (!started) single.start(total, done, { note });
      started = true;
      single.setTotal(total);
      single.update(done, { note });
    },
    stop() {
      if (started) single.stop();
      started = false;
    },
  };
}

function lines(label: string): Progress {
  let last = Date.now();
  return {
    update(done, total, note) {
      if (Date.now() - last < LINE_EVERY_MS) return;
      last = Date.now();
      process.stderr.write(`${label} ${done}/${total} ${note}\n`);
    },
    stop() {},
  };
}
