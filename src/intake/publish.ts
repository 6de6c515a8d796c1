import { eventWorkflowId } from '../contract.js';
import { WaybillError } from '../errors.js';
import type { Queryable } from '../ledger/pool.js';
import { checkEvent, type EventInput } from './event-input.js';

/** What stands in the ledger for the event. The same for a first and a repeated publish, but for `created`. */
export interface Published {
  readonly eventId: number;
  readonly account: string;
  readonly shipment: string;
  readonly version: number;
  /** SHA-256 of the payload bytes, hex. */
  readonly digest: string;
  /** ISO 8601, UTC: when it was first published. */
  readonly publishedAt: string;
  /** Workflow id of its fan-out; a small one has no workflow (docs/publishing.md). */
  readonly workflowId: string;
  /** False where the very same event had been published before. */
  readonly created: boolean;
}

export interface PublishContext {
  readonly maxPayloadBytes?: number;
  /** Who publishes, for the audit. */
  readonly publishedBy?: string;
  /** Tests pass their clock; unset means Postgres's own, the only one a publisher's role may use. */
  readonly now?: Date | null;
}

interface Answer {
  readonly status: 'created' | 'same' | 'conflict';
  readonly eventId: number;
  readonly digest: string;
  readonly publishedAt: string;
  readonly differ?: readonly string[];
}

/**
 * Stores event, payload and outbox row on `db`, in whatever transaction that is in. It never breaks the
 * caller's transaction: bad input is refused before the first statement, and a conflict raises nothing in SQL.
 * @throws WaybillError as checkEvent does; `event_conflict` where this version was published with any other
 * body, content type, type, labels or times, its message naming which.
 */
export async function acceptEvent(
  db: Queryable,
  event: EventInput,
  context: PublishContext = {},
): Promise<Published> {
  const e = checkEvent(event, context.maxPayloadBytes);
  const stored = [
    e.account,
    e.shipment,
    e.version,
    e.type,
    e.contentType,
    JSON.stringify(e.labels),
    e.occurredAt,
    e.notBefore,
    e.validUntil,
    e.payload,
    context.publishedBy ?? null,
  ];
  const { rows } = context.now
    ? await db.query<{ answer: Answer }>(
        'SELECT waybill.publish_at($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) AS answer',
        [...stored, context.now],
      )
    : await db.query<{ answer: Answer }>(
        'SELECT waybill.publish($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS answer',
        stored,
      );
  const { answer } = rows[0] as { answer: Answer };
  if (answer.status === 'conflict') {
    const differ = answer.differ ?? [];
    throw new WaybillError(
      'event_conflict',
      `version ${e.version} of this shipment was published before with other ${differ.join(', ')}`,
      differ[0] === undefined ? {} : { field: differ[0] },
    );
  }
  return {
    eventId: answer.eventId,
    account: e.account,
    shipment: e.shipment,
    version: e.version,
    digest: answer.digest,
    publishedAt: new Date(answer.publishedAt).toISOString(),
    workflowId: eventWorkflowId(e.account, e.shipment, e.version),
    created: answer.status === 'created',
  };
}
