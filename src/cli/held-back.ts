import type { Trace } from '../client.js';
import { span } from './span.js';

/** Of a held one: by whom, since when and why, when it ends by itself, and what else would end it. */
export function heldBack({ obligation: o, audit }: Trace, now: Date): string {
  const paused = audit.findLast((act) => act.act === 'pause' && act.refused === null);
  const word = o.heldReason === 'paused' ? paused?.reason : o.heldWord;
  const until = o.heldUntil;
  return (
    `held (${o.heldReason ?? 'no reason on record'}) by ${o.heldBy ?? '?'}` +
    `${o.heldSince ? ` since ${o.heldSince.toISOString()}` : ''}${word ? `: ${word}` : ''}; ` +
    (until
      ? `until ${until.toISOString()}, in ${span(Math.max(0, until.getTime() - now.getTime()))}, or ${wayOut(o)}`
      : `until ${wayOut(o)}`)
  );
}

function wayOut(o: Trace['obligation']): string {
  switch (o.heldReason) {
    case 'subscriber_gone':
      return 'somebody resumes its subscriber: the receiver answered 410, so once it is back';
    case 'subscriber_paused':
      return `somebody resumes its subscriber, ${o.subscriberName}`;
    case 'cohort_paused':
      return `somebody resumes its cohort, ${o.cohort ?? '?'}`;
    case 'account_paused':
      return `somebody resumes its account, ${o.account}`;
    default:
      return 'somebody resumes it';
  }
}
