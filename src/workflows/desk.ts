import { condition, defineQuery, defineSignal, setHandler } from '@temporalio/workflow';
import { QUERIES, SIGNALS, VERBS, type Verb } from '../contract.js';
import type { SignalledAct } from '../activities/types.js';

/** What `status` answers; for a person. Programs read the ledger. */
export interface Status {
  readonly is: string;
  readonly disposition: string;
  readonly attempts: number;
  readonly round: number;
  readonly reason: string | null;
  readonly last: string | null;
  /** ISO 8601; null where nothing is waited for. */
  readonly until: string | null;
}

export const statusQuery = defineQuery<Status>(QUERIES.status);
export const recheckSignal = defineSignal(SIGNALS.recheck);
/** Argument of each: `{ actor, reason, requestId }`. What is missing or no text is refused by the ledger, on record. */
export const actSignal = (verb: Verb) => defineSignal<[unknown]>(SIGNALS[verb]);

/** What the ledger can't store, or nobody meant, counts as left out. */
const MAX_TEXT = 500;
const CONTROL = /\p{Cc}/u;

/** Where signals wait until the story turns to them: in order, none lost, none acted on twice. */
export interface Desk {
  readonly hasMail: () => boolean;
  /** Somebody asked for a look at the ledger, and there has been none since. */
  readonly lookAsked: () => boolean;
  /** Takes everything that waits. */
  readonly takeMail: () => SignalledAct[];
  /** Puts back what nobody could judge: it comes with the next mail, and is none by itself. */
  readonly putBack: (acts: readonly SignalledAct[]) => void;
  /** True as soon as there is mail, false when `ms` passed without any. */
  readonly mailWithin: (ms: number, summary: string) => Promise<boolean>;
}

export function openDesk(left: readonly SignalledAct[], recheck: boolean): Desk {
  let inbox = [...left];
  let rechecked = recheck;
  let unjudged: SignalledAct[] = [];
  for (const verb of VERBS) {
    setHandler(actSignal(verb), (raw) => {
      inbox.push({
        verb,
        actor: text(raw, 'actor'),
        reason: text(raw, 'reason'),
        requestId: text(raw, 'requestId'),
      });
    });
  }
  setHandler(recheckSignal, () => {
    rechecked = true;
  });
  const hasMail = (): boolean => inbox.length > 0 || rechecked;
  return {
    hasMail,
    lookAsked: () => rechecked,
    takeMail: () => {
      const taken = [...unjudged, ...inbox];
      inbox = [];
      unjudged = [];
      rechecked = false;
      return taken;
    },
    putBack: (acts) => {
      unjudged = [...acts];
    },
    mailWithin: (ms, summary) => condition(hasMail, Math.max(1, ms), { summary }),
  };
}

function text(raw: unknown, field: string): string {
  const value = typeof raw === 'object' && raw !== null ? (raw as Record<string, unknown>)[field] : undefined;
  if (typeof value !== 'string' || value.length > MAX_TEXT || CONTROL.test(value) || !value.isWellFormed())
    return '';
  return value;
}
