import { Client, Connection } from '@temporalio/client';
import { QUERIES } from '../../src/contract.js';
import type { Stage } from './stage.js';

const TOLD = 20;

/** What isn't over, in words: what the ledger says of it, and what its workflow waits for. The first {@link TOLD} of them. */
export async function tellStuck({ ledger, stack }: Stage, ...accounts: string[]): Promise<string[]> {
  const { rows } = await ledger.query<{ key: string; ledger: string }>(
    `SELECT o.key, o.disposition || ', attempts ' || o.attempts || coalesce(', held ' || o.held_reason, '') AS ledger
       FROM waybill.obligations o JOIN waybill.events e ON e.id = o.event_id
       WHERE e.account = ANY ($1) AND o.disposition IN ('pending', 'attempting', 'waiting', 'held')
       ORDER BY o.key LIMIT $2`,
    [accounts, TOLD],
  );
  if (rows.length === 0) return [];
  const connection = await Connection.connect({ address: stack.temporalAddress ?? '' });
  const client = new Client({ connection });
  try {
    return await Promise.all(
      rows.map(async ({ key, ledger: said }) => {
        const story = await client.workflow
          .getHandle(key)
          .query(QUERIES.status)
          .then(
            (status) => JSON.stringify(status),
            (error: unknown) => String(error),
          );
        return `stuck: ${key}: ${said}; its workflow: ${story}`;
      }),
    );
  } finally {
    await connection.close();
  }
}
