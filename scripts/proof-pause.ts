/**
 * `npm run proof:pause -- [options]`: pauses of every reach while a worker stands still, and the resume of many held
 * deliveries, on a stack of its own. With WAYBILL_PAUSE_MUTATION set it must end red.
 */
import { parseOptions, USAGE } from '../test/pause/options.js';
import { prove } from '../test/pause/proof.js';
import { tableOf } from '../test/support/proof-rows.js';
import { runProof } from './proof-command.js';

await runProof({ name: 'pause', usage: USAGE, parseOptions, prove, tableOf: ({ rows }) => tableOf(rows) });
