/**
 * `npm run proof:order -- [options]`: versions of shipments, published out of order, to subscribers that want them in order,
 * on a stack of its own. With WAYBILL_ORDER_MUTATION set it must end red.
 */
import { parseOptions, USAGE } from '../test/order/options.js';
import { prove } from '../test/order/proof.js';
import { tableOf } from '../test/support/proof-rows.js';
import { runProof } from './proof-command.js';

await runProof({ name: 'order', usage: USAGE, parseOptions, prove, tableOf: ({ rows }) => tableOf(rows) });
