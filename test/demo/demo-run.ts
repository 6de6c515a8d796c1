import type { Figures } from '../../demo/check/figures.js';
import { startScript, type ScriptRun } from '../support/script-run.js';

export type DemoRun = ScriptRun;

/** Starts `npm run demo` as a process of its own with a data folder of its own. */
export const startDemo = (args: readonly string[], env: Record<string, string> = {}): DemoRun =>
  startScript('demo/main.ts', args, env);

/** The JSON object on stdout's last line. */
export function lastLine(stdout: string): Figures {
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Figures;
}
