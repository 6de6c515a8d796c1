/**
 * `npm run proof:reconcile -- [options]`: removes outbox starts, workflows and obligation rows by hand, has
 * `waybill reconcile` name and mend them, and judges from outside what came of each.
 */
import { parseOptions, USAGE } from '../test/reconcile/options.js';
import { prove } from '../test/reconcile/proof.js';
import { tableOf } from '../test/reconcile/rows.js';
import { runProof } from './proof-command.js';

await runProof({
  name: 'reconcile',
  usage: USAGE,
  parseOptions,
  prove,
  tableOf: ({ rows }) => tableOf(rows),
});
