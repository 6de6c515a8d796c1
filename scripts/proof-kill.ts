/**
 * `npm run proof:kill -- [options]`: kills workers, relay, Postgres, Temporal and the links between them, at named
 * points and at random times, and has a checker judge what became of every delivery.
 */
import { parseOptions, USAGE } from '../test/kill/options.js';
import { prove } from '../test/kill/proof.js';
import { tableOf } from '../test/kill/rows.js';
import { runProof } from './proof-command.js';

await runProof({ name: 'kill', usage: USAGE, parseOptions, prove, tableOf: ({ rows }) => tableOf(rows) });
