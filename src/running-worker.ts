import type { Worker } from '@temporalio/worker';
import type { Relay } from './intake/relay.js';

export interface RunningWorker {
  /** Resolves once everything has ended; rejects where a part failed, after the others were stopped. */
  readonly ended: Promise<void>;
  /** Takes no new work, lets running sends finish up to the drain time, then ends. */
  stop(): Promise<void>;
  /** Cuts the sends that run as the end of the drain would: what may have arrived is recorded as `unknown`. */
  cutSends(): void;
}

interface Parts {
  readonly workers: readonly Worker[];
  readonly relay: Relay | undefined;
  readonly partitions: NodeJS.Timeout;
  readonly cutSends: () => void;
  readonly closers: readonly (() => Promise<void>)[];
}

/** Runs the parts until one fails or all are told to stop; then closes what they shared. */
export function running({ workers, relay, partitions, cutSends, closers }: Parts): RunningWorker {
  let stopped = false;
  const stopAll = async (): Promise<void> => {
    if (stopped) return;
    stopped = true;
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
    await relay?.stop();
  };
  let letRelayEnd: () => void = () => {};
  const relayEnded =
    relay && workers.length === 0 ? new Promise<void>((resolve) => (letRelayEnd = resolve)) : undefined;
  const ended = (async () => {
    try {
      await Promise.all([...workers.map((worker) => worker.run()), relayEnded]);
    } finally {
      await stopAll();
      // A worker that failed takes its siblings with it; they drain before the pool goes.
      await Promise.allSettled(workers.map((worker) => drained(worker)));
      clearInterval(partitions);
      for (const close of closers) await close();
    }
  })();
  return {
    ended,
    cutSends,
    async stop() {
      await stopAll();
      letRelayEnd();
      await ended;
    },
  };
}

async function drained(worker: Worker): Promise<void> {
  while (!['STOPPED', 'FAILED'].includes(worker.getState())) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
