import { SingleBar } from 'cli-progress';
import type { View } from './watch.js';

/** Shows how far the deliveries are, on stderr: a bar on a terminal, otherwise a line whenever something changed. */
export interface Progress {
  show(view: View): void;
  /** A line of its own, above the bar where there is one. */
  say(line: string): void;
  end(): void;
}

export function openProgress(total: number): Progress {
  return process.stderr.isTTY ? onTerminal(total) : inLines(total);
}

const write = (line: string): void => void process.stderr.write(`demo: ${line}\n`);

function counts(view: View): string {
  return Object.entries(view.main)
    .sort(([, a], [, b]) => b - a)
    .map(([disposition, count]) => `${disposition} ${count}`)
    .join(', ');
}

const ended = (view: View): number => view.mainTotal - view.mainOpen;

function inLines(total: number): Progress {
  let last = '';
  return {
    show(view) {
      const line = `${ended(view)}/${total} ended: ${counts(view) || 'nobody matched yet'}`;
      if (line !== last) write(line);
      last = line;
    },
    say: write,
    end: () => undefined,
  };
}

function onTerminal(total: number): Progress {
  const bar = new SingleBar({
    stream: process.stderr,
    format: 'demo: {bar} {value}/{total} ended  {counts}',
    hideCursor: true,
    clearOnComplete: false,
    linewrap: false,
  });
  let started = false;
  return {
    show(view) {
      if (!started) bar.start(total, 0, { counts: '' });
      started = true;
      bar.update(ended(view), { counts: counts(view) });
    },
    say(line) {
      if (started) process.stderr.write('\r\x1b[K');
      write(line);
      if (started) bar.render();
    },
    end() {
      if (started) bar.stop();
      started = false;
    },
  };
}
