/**
 * `npm run proof:rollout -- [options]`: shadow mode, and cohorts with a switch and a cap, on a stack of its own. With
 * WAYBILL_ROLLOUT_MUTATION set it must end red.
 */
import { parseOptions, USAGE } from '../test/rollout/options.js';
import { prove } from '../test/rollout/proof.js';
import { tableOf } from '../test/support/proof-rows.js';
import { runProof } from './proof-command.js';

await runProof({ name: 'rollout', usage: USAGE, parseOptions, prove, tableOf: ({ rows }) => tableOf(rows) });
