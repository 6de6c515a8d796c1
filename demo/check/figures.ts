import type { JournalRequest } from '../journal.js';
import type { Histories } from './histories.js';
import type { Judgement } from './judge.js';
import type { LedgerView } from './ledger.js';

/** What the demo prints as JSON; docs/demo.md says what each figure means and where it comes from. */
export interface Figures {
  readonly verdict: 'green' | 'red';
  /** Why it is red; empty where it is green. */
  readonly reasons: readonly string[];
  readonly subscribers: number;
  readonly obligations: number;
  readonly workflows: number;
  readonly delivered: number;
  readonly dead: number;
  readonly terminated: number;
  readonly open: number;
  readonly byDisposition: Readonly<Record<string, number>>;
  readonly attempts: number;
  readonly unknown: number;
  readonly requests: number;
  readonly keysReceived: number;
  readonly requestsUnexplained: number;
  readonly sentWhileHeld: number;
  readonly sentAfterTerminate: number;
  readonly overConcurrencyCap: number;
  readonly badSignatures: number;
  readonly alteredBodies: number;
  readonly attemptsWithoutOutcome: number;
  readonly deliveredUnseen: number;
  readonly answersUnrecorded: number;
  readonly payloadBytesInHistories: number;
  readonly historyBytesMedian: number;
  readonly historiesRead: number;
  readonly ledgerBytesPerObligation: number;
  /** The events that exercise the concurrency cap; not part of the figures of the main event above. */
  readonly capEvent: {
    readonly subscribers: number;
    readonly cap: number;
    readonly obligations: number;
    readonly delivered: number;
    readonly requests: number;
    readonly mostOpenAtOnce: number;
  };
  readonly seconds: number;
}

export interface Evidence {
  readonly journal: readonly JournalRequest[];
  readonly ledger: LedgerView;
  readonly judgement: Judgement;
  readonly histories: Histories;
  readonly workflows: number;
  readonly ledgerBytesPerObligation: number;
  readonly seconds: number;
  readonly queueingShipment: string;
  /** How many subscribers the demo was asked for. */
  readonly asked: number;
  readonly gaveUp: string | undefined;
}

export function figuresOf(evidence: Evidence): Figures {
  const { journal, ledger, judgement, histories } = evidence;
  const { mostOpen, ...faults } = judgement;
  const aside = ledger.obligations.filter((o) => o.shipment === evidence.queueingShipment);
  const asideKeys = new Set(aside.map((o) => o.key));
  const main = ledger.obligations.filter((o) => !asideKeys.has(o.key));
  const requests = journal.filter((r) => !asideKeys.has(r.key));
  const attempts = ledger.attempts.filter((a) => !asideKeys.has(a.key));
  const byDisposition: Record<string, number> = {};
  for (const o of main) byDisposition[o.disposition] = (byDisposition[o.disposition] ?? 0) + 1;
  const { delivered = 0, dead = 0, terminated = 0 } = byDisposition;

  const figures = {
    subscribers: ledger.subscribers,
    obligations: main.length,
    workflows: evidence.workflows,
    delivered,
    dead,
    terminated,
    open: main.length - delivered - dead - terminated,
    byDisposition,
    attempts: attempts.length,
    unknown: attempts.filter((a) => a.outcomes.some((o) => o.outcome === 'unknown')).length,
    requests: requests.length,
    keysReceived: new Set(requests.map((r) => r.key)).size,
    ...faults,
    payloadBytesInHistories: histories.payloadBytesInHistories,
    historyBytesMedian: histories.historyBytesMedian,
    historiesRead: histories.historiesRead,
    ledgerBytesPerObligation: evidence.ledgerBytesPerObligation,
    capEvent: {
      subscribers: new Set(aside.map((o) => o.subscriberId)).size,
      cap: aside[0]?.cap ?? 0,
      obligations: aside.length,
      delivered: aside.filter((o) => o.disposition === 'delivered').length,
      requests: journal.length - requests.length,
      mostOpenAtOnce: Math.max(0, ...aside.map((o) => mostOpen.get(o.subscriberId) ?? 0)),
    },
    seconds: evidence.seconds,
  };
  const reasons = [...(evidence.gaveUp ? [evidence.gaveUp] : []), ...faultsIn(figures, evidence.asked)];
  return { verdict: reasons.length === 0 ? 'green' : 'red', reasons, ...figures };
}

/** Figures that must be zero, and what it means where one is not. */
const MUST_BE_ZERO = {
  open: 'obligations are still open',
  requestsUnexplained: 'requests have no reason on record',
  sentWhileHeld: 'requests came while their obligation was held',
  sentAfterTerminate: 'requests came after their obligation was terminated',
  overConcurrencyCap: "requests passed their subscriber's concurrency cap",
  badSignatures: 'requests had no good signature',
  alteredBodies: 'requests had another body than was published',
  attemptsWithoutOutcome: 'attempts have no outcome on record',
  deliveredUnseen: 'deliveries are on record that the receiver did not see',
  answersUnrecorded: 'obligations were answered well by the receiver, and the ledger does not know',
  payloadBytesInHistories: 'bytes of the payload stand in Temporal histories',
} as const;

function faultsIn(figures: Omit<Figures, 'verdict' | 'reasons'>, asked: number): string[] {
  const { subscribers, obligations, workflows, capEvent } = figures;
  const reasons: string[] = [];
  for (const [field, meaning] of Object.entries(MUST_BE_ZERO)) {
    const count = figures[field as keyof typeof MUST_BE_ZERO];
    if (count !== 0) reasons.push(`${field}: ${count} ${meaning}`);
  }
  if (subscribers !== asked) reasons.push(`subscribers: ${subscribers} are live, ${asked} were asked for`);
  if (obligations !== subscribers) reasons.push(`obligations: ${obligations} for ${subscribers} subscribers`);
  if (workflows !== obligations)
    reasons.push(`workflows: Temporal counts ${workflows} for ${obligations} obligations`);
  if (capEvent.delivered !== capEvent.obligations) {
    reasons.push(`capEvent: ${capEvent.delivered} of ${capEvent.obligations} obligations were delivered`);
  }
  return reasons;
}
