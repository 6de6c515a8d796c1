/**
 * `npm run proof:secrets -- [--short] [--json]`: plants secrets wherever Waybill takes them, makes deliveries fail in
 * every way it knows, and searches every output for them, in every spelling. With WAYBILL_SECRETS_MUTATION=leak it must
 * end red.
 */
import { parseOptions, USAGE } from '../test/leaks/options.js';
import { prove } from '../test/leaks/proof.js';
import { tableOf } from '../test/leaks/search.js';
import { runProof } from './proof-command.js';

await runProof({ name: 'secrets', usage: USAGE, parseOptions, prove, tableOf: ({ rows }) => tableOf(rows) });
