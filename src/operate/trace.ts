import { parseObligationKey } from '../contract.js';
import { WaybillError } from '../errors.js';
import { coded } from '../ledger/pool.js';
import {
  attemptsOf,
  auditOf,
  eventsOf,
  findObligations,
  type AttemptRow,
  type AuditRow,
  type EventRow,
  type ObligationRow,
} from '../ledger/trace.js';
import { waitOf, type Wait } from '../ledger/wait.js';
import { checkKey, type Door } from './obligations.js';

/** Why an obligation stands where it stands: every attempt, every act, and what it is about. No payload. */
export interface Trace {
  readonly obligation: ObligationRow;
  readonly event: EventRow;
  readonly attempts: readonly AttemptRow[];
  readonly audit: readonly AuditRow[];
  /** What keeps it back although nobody holds it; null where nothing does, or where it is over. */
  readonly wait: Wait | null;
}

/** @throws WaybillError `invalid_field`, `not_found`. */
export async function traceObligation(door: Door, text: string): Promise<Trace> {
  const key = checkKey(text);
  const { shipment, version } = parseObligationKey(key) as { shipment: string; version: number };
  return coded(async () => {
    const [obligation] = await findObligations(door.db, { account: door.account, key, limit: 1 });
    if (!obligation) throw new WaybillError('not_found', 'no such obligation', { field: 'key' });
    const [event] = await eventsOf(door.db, door.account, shipment, version, 1);
    if (!event) throw new WaybillError('not_found', 'no such obligation', { field: 'key' });
    return {
      obligation,
      event,
      attempts: await attemptsOf(door.db, key),
      audit: await auditOf(door.db, key),
      wait: await waitOf(door.db, door.account, key),
    };
  });
}
