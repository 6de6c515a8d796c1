/** `npm run bench -- <name> [options]`: what a delivery costs, measured from outside. docs/performance.md tells more. */
import { runProof } from '../scripts/proof-command.js';
import { benchDeliver } from './deliver.js';
import { benchFanOut } from './fanout.js';
import { benchGrowth } from './growth.js';
import { benchIdle } from './idle.js';
import { benchLatency } from './latency.js';
import { parseOptions, USAGE, type BenchName } from './options.js';
import { tableOf, type Report } from './report.js';
import type { StageOptions } from './stage.js';

const RUNS: Readonly<Record<BenchName, (options: StageOptions) => Promise<Report>>> = {
  deliver: benchDeliver,
  fanout: benchFanOut,
  growth: benchGrowth,
  idle: benchIdle,
  latency: benchLatency,
};

await runProof({
  name: 'bench',
  title: 'bench',
  usage: USAGE,
  parseOptions,
  prove: (options) => RUNS[options.bench](options),
  tableOf,
  notesOf: ({ notes }) => notes,
});
