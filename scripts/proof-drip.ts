/**
 * `npm run proof:drip -- [options]`: receivers that drip one byte a second beside healthy deliveries, on a stack of its
 * own; the worker that sends is looked at from outside. Needs Linux: it reads /proc. With WAYBILL_DRIP_MUTATION set it
 * must end red.
 */
import { tableOf } from '../test/support/proof-rows.js';
import { parseOptions, USAGE } from '../test/wire/drip/options.js';
import { prove } from '../test/wire/drip/prove.js';
import { notesOf } from '../test/wire/drip/rows.js';
import { runProof } from './proof-command.js';

await runProof({
  name: 'drip',
  usage: USAGE,
  parseOptions,
  prove,
  tableOf: ({ rows }) => tableOf(rows),
  notesOf,
});
