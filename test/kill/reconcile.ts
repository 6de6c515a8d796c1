import { Client, type Connection } from '@temporalio/client';
import { WaybillClient } from '../../src/client.js';
import { loadConfig } from '../../src/config.js';
import { obligationKey } from '../../src/contract.js';
import { exitStatus } from '../../scripts/stack/supervised.js';
import type { RoundFact } from './round.js';
import type { Stage } from './stage.js';
import { scriptArgs } from './troupe.js';
import { untilFinal } from './until-final.js';

/** What may pass between a reconciliation and the end of what it mended. */
const MENDED_TIMEOUT_MS = 60_000;

/** Runs `waybill reconcile` as an operator would; answers `kind about` of each finding. */
export async function runReconcile(stage: Stage, dryRun: boolean, signal: AbortSignal): Promise<string[]> {
  const args = ['reconcile', '--grace-ms', '0', '--json', ...(dryRun ? ['--dry-run'] : [])];
  const name = dryRun ? 'reconcile-dry-run' : 'reconcile';
  const { exit, text } = await stage.troupe.hear(name, scriptArgs('src/cli.ts', ...args), stage.env, signal);
  const lines = text.split('\n').flatMap(rowOf);
  const report = lines.find((line) => line.row === 'report');
  if (!report || (dryRun && exitStatus(exit) !== 0))
    throw new Error(`waybill ${args.join(' ')} ended with ${exitStatus(exit)}:\n${text}`);
  return lines
    .filter((line) => line.row === 'finding')
    .map(({ kind, key, eventId }) => `${kind} ${key ?? `event ${eventId ?? ''}`}`);
}

interface Line {
  readonly row: 'finding' | 'report';
  readonly kind?: string;
  readonly key?: string | null;
  readonly eventId?: number | null;
}

/** The command's own lines; a warning of a library beside them is none. */
function rowOf(text: string): Line[] {
  if (!text.startsWith('{"row":')) return [];
  return [JSON.parse(text) as Line];
}

/**
 * Reconciles once where anything is open, and waits again, for a bounded time; in what it answers `stuck` is what is open
 * after that.
 */
export async function mend(
  stage: Stage,
  connection: Connection,
  facts: readonly RoundFact[],
  options: { readonly patienceMs: number; readonly signal: AbortSignal },
): Promise<RoundFact[]> {
  const open = facts.reduce((n, fact) => n + fact.stuck.length, 0);
  if (open === 0) return [...facts];
  const { signal } = options;
  stage.say(`${open} are open: reconciling once`);
  for (const finding of await runReconcile(stage, false, signal)) stage.say(`reconciled: ${finding}`);
  const patienceMs = Math.min(options.patienceMs, MENDED_TIMEOUT_MS);
  const { workflow: workflows } = new Client({ connection });
  return Promise.all(
    facts.map(async (fact) => {
      const { account, shipment, size, stuck, subscribers } = fact;
      if (stuck.length === 0) return fact;
      const client = new WaybillClient({
        ...{ account, actor: 'kill' },
        config: loadConfig({ ...stage.env, WAYBILL_POOL_MAX: '2' }),
      });
      const keyOf = (i: number) => obligationKey(shipment, subscribers[i] ?? '', 1);
      try {
        const desk = { client, workflows, keyOf, signal };
        return { ...fact, stuck: await untilFinal({ stage, desk, size, patienceMs, nthWait: 2 }) };
      } finally {
        await client.close();
      }
    }),
  );
}
