import type { Trace } from '../client.js';
import { paintDisposition, type Cell } from './table.js';

type Attempt = Trace['attempts'][number];
type Act = Trace['audit'][number];

export const ATTEMPT_HEAD = [
  'attempt',
  'try',
  'when',
  'started by',
  'outcome',
  'class',
  'status',
  'took',
  'next',
  'error',
] as const;

/** One attempt; without an outcome it is under way, or its worker has died and nobody has noticed so far. */
export function attemptCells(a: Attempt): Cell[] {
  return [
    a.attempt,
    a.tryNumber,
    a.startedAt,
    a.initiator,
    (a.outcome ?? 'under way') + (a.late ? ' (late)' : ''),
    a.class,
    a.status,
    a.tookMs === null ? null : `${a.tookMs} ms`,
    a.nextEligibleAt ?? a.disposition,
    detail(a),
  ];
}

function detail(a: Attempt): string {
  return [
    a.orderMark && `waybill-order: ${a.orderMark}`,
    a.error,
    a.location && `Location: ${a.location}`,
    a.retryAfter && `Retry-After: ${a.retryAfter}${a.retryClamped ? ' (more than we wait)' : ''}`,
  ]
    .filter(Boolean)
    .join('; ');
}

export const paintAttempt = (column: string, text: string) =>
  column === 'outcome'
    ? paintDisposition(text === 'delivered' ? text : text.startsWith('under way') ? 'attempting' : 'waiting')
    : undefined;

export const ACT_HEAD = ['when', 'act', 'who', 'reason', 'request id', 'through', 'refused'] as const;

export const actCells = (act: Act): Cell[] => [
  act.at,
  act.act,
  act.actor,
  act.reason,
  act.requestId,
  act.source,
  act.refused,
];
