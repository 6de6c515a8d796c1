/**
 * `npm run proof:faults -- [options]`: brings trouble upon the database, Temporal, the receiver and the links to them
 * while deliveries run, and has a checker judge what became of every delivery and every publish.
 */
import { parseOptions, USAGE } from '../test/faults/options.js';
import { prove } from '../test/faults/proof.js';
import { tableOf } from '../test/faults/rows.js';
import { runProof } from './proof-command.js';

await runProof({ name: 'faults', usage: USAGE, parseOptions, prove, tableOf: ({ rows }) => tableOf(rows) });
