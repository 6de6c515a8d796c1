/**
 * `npm run proof:fairness -- [options]`: a healthy destination beside one that hangs, one with a limit and a large fan-out,
 * on a stack of its own. With WAYBILL_FAIRNESS_MUTATION set it must end red.
 */
import { parseOptions, USAGE } from '../test/fairness/options.js';
import { notesOf, prove } from '../test/fairness/proof.js';
import { tableOf } from '../test/support/proof-rows.js';
import { runProof } from './proof-command.js';

await runProof({
  name: 'fairness',
  usage: USAGE,
  parseOptions,
  prove,
  tableOf: ({ rows }) => tableOf(rows),
  notesOf,
});
