/**
 * `npm run proof:wire -- [options]`: the wire against whatever a URL, a resolver or a receiver does. With
 * WAYBILL_WIRE_MUTATION=unguarded it must end red.
 */
import { parseOptions, USAGE } from '../test/wire/proof/options.js';
import { prove } from '../test/wire/proof/prove.js';
import { tableOf } from '../test/wire/proof/rows.js';
import { runProof } from './proof-command.js';

await runProof({
  name: 'wire',
  usage: USAGE,
  parseOptions,
  prove,
  tableOf: ({ rows, limits }) => tableOf(rows, limits),
  notesOf: ({ named, rows }) => [`${named} named rows, ${rows.length - named} properties`],
});
