import type { SeenRequest } from '../scale/journal.js';
import { atLeast, exactly, type Row } from '../support/proof-rows.js';
import type { EventRecord, Owed } from './ledger.js';

/** Subscribers are called `<group>-<n>`, their endpoints `/<group>/<name>`. */
export type Group = 'shadow' | 'live' | 'wave' | 'rest' | 'few';

export interface Evidence {
  readonly events: readonly EventRecord[];
  readonly requests: readonly SeenRequest[];
  /** How many subscribers each group has. */
  readonly sizes: Readonly<Record<Group, number>>;
  readonly shadow: ShadowPart;
  readonly wave: WavePart;
  readonly few: FewPart;
  readonly stuck: number;
}

export interface ShadowPart {
  readonly shipments: readonly string[];
  /** Published after one of them had gone live. */
  readonly afterwards: string;
  /** That one. */
  readonly turnedLive: string;
}

export interface WavePart {
  /** Published before the switch or while it was thrown. */
  readonly before: readonly string[];
  /** Published after it had been answered. */
  readonly after: readonly string[];
  /** Published after it had been switched on again. */
  readonly onAgain: string;
  /** What was owed to the cohort once the switch had been answered. */
  readonly owedAtSwitch: ReadonlySet<string>;
  /** When it had been answered, in epoch ms by the database's clock. */
  readonly switchedAtMs: number;
  /** Of it, not over then. */
  readonly openAtSwitch: number;
}

export interface FewPart {
  readonly cap: number;
  readonly shipments: readonly string[];
  readonly raisedCap: number;
  /** Published after the cap had been raised. */
  readonly raised: readonly string[];
  /** The longest-standing first. */
  readonly standing: readonly string[];
}

/** Each number beside its limit. */
export const rowsOf = (evidence: Evidence): Row[] => [
  ...shadowRows(evidence),
  ...waveRows(evidence),
  ...fewRows(evidence),
  exactly('events whose counts do not add up', 0, evidence.events.filter(doesNotAddUp(evidence)).length),
  exactly('stuck', 0, evidence.stuck),
];

function shadowRows({ events, requests, shadow, sizes }: Evidence): Row[] {
  const own = events.filter(({ shipment }) => shadow.shipments.includes(shipment));
  const owed = owedTo('shadow', own);
  const afterwards = events.filter(({ shipment }) => shipment === shadow.afterwards);
  const askedAfter = requests
    .filter(({ shipment }) => shipment === shadow.afterwards)
    .map(({ path }) => path);
  const count = sizes.shadow * shadow.shipments.length;
  return [
    exactly('shadow: requests', 0, requestsTo('shadow', requests, shadow.shipments).length),
    exactly('shadow: obligations that ended shadowed', count, endedAs(owed, 'shadowed')),
    exactly(
      'shadow: with one attempt on record, signed and not sent',
      count,
      owed.filter(({ intents, shadowed }) => intents === 1 && shadowed === 1).length,
    ),
    exactly(
      'live ones beside them delivered',
      sizes.live * shadow.shipments.length,
      endedAs(owedTo('live', own), 'delivered'),
    ),
    exactly(
      'shadow: still in shadow mode when one went live',
      sizes.shadow - 1,
      endedAs(owedTo('shadow', afterwards), 'shadowed'),
    ),
    exactly(
      'shadow: requests to the one that went live',
      1,
      askedAfter.filter((path) => path === `/shadow/${shadow.turnedLive}`).length,
    ),
    exactly('shadow: requests then', 1, askedAfter.filter((path) => path.startsWith('/shadow/')).length),
  ];
}

function waveRows({ events, requests, sizes, wave }: Evidence): Row[] {
  const of = (shipments: readonly string[]): EventRecord[] =>
    events.filter(({ shipment }) => shipments.includes(shipment));
  const all = [...wave.before, ...wave.after];
  const owed = owedTo('wave', of(all));
  const fresh = owed.filter(
    ({ createdAtMs, key }) => !wave.owedAtSwitch.has(key) || createdAtMs > wave.switchedAtMs,
  );
  return [
    atLeast('cohort off: obligations open at the switch', 1, wave.openAtSwitch),
    atLeast('cohort off: events afterwards', 1, wave.after.length),
    exactly('cohort off: new obligations after its answer', 0, fresh.length),
    exactly('cohort off: requests for later events', 0, requestsTo('wave', requests, wave.after).length),
    exactly('cohort off: running ones delivered', wave.owedAtSwitch.size, endedAs(owed, 'delivered')),
    exactly(
      'cohort off: left out of later events, with the reason',
      sizes.wave * wave.after.length,
      leftOut(of(wave.after), 'cohort-off'),
    ),
    exactly(
      'cohort off: delivered to others',
      sizes.rest * all.length,
      endedAs(owedTo('rest', of(all)), 'delivered'),
    ),
    exactly(
      'cohort on again: delivered',
      sizes.wave,
      endedAs(owedTo('wave', of([wave.onAgain])), 'delivered'),
    ),
  ];
}

function fewRows({ events, few, requests, sizes }: Evidence): Row[] {
  const parts = [
    { called: 'cap', cap: few.cap, shipments: few.shipments },
    { called: 'cap raised', cap: few.raisedCap, shipments: few.raised },
  ];
  return parts.flatMap(({ called, cap, shipments }) => {
    const own = events.filter(({ shipment }) => shipments.includes(shipment));
    const chosen = few.standing.slice(0, cap).sort();
    const others = own.filter(({ owed }) => {
      const names = owed.map(({ subscriber }) => subscriber).sort();
      return names.length !== chosen.length || names.some((name, i) => name !== chosen[i]);
    });
    const asked = new Set(requestsTo('few', requests, shipments).map(({ path }) => path));
    return [
      exactly(`${called}: events to others than the longest-standing ${cap}`, 0, others.length),
      exactly(`${called}: subscribers with requests`, cap, asked.size),
      exactly(
        `${called}: left out, with the reason`,
        (sizes.few - cap) * shipments.length,
        leftOut(own, 'cohort-cap'),
      ),
    ];
  });
}

const GROUPS_OF: Readonly<Record<string, readonly Group[]>> = {
  'rollout.shadow': ['shadow', 'live'],
  'rollout.wave': ['wave', 'rest'],
  'rollout.few': ['few'],
};

/** Whoever matches is owed the event or left out of it, and is one of the two. */
const doesNotAddUp =
  ({ sizes }: Evidence) =>
  ({ leftOut: out, owed, type }: EventRecord): boolean => {
    const names = [...owed, ...out].map(({ subscriber }) => subscriber);
    const matching = (GROUPS_OF[type] ?? []).reduce((sum, group) => sum + sizes[group], 0);
    return names.length !== matching || new Set(names).size !== names.length;
  };

const owedTo = (group: Group, events: readonly EventRecord[]): Owed[] =>
  events.flatMap(({ owed }) => owed.filter(({ subscriber }) => subscriber.startsWith(`${group}-`)));
const endedAs = (owed: readonly Owed[], disposition: string): number =>
  owed.filter((one) => one.disposition === disposition).length;
const leftOut = (events: readonly EventRecord[], reason: string): number =>
  events.reduce((sum, event) => sum + event.leftOut.filter((one) => one.reason === reason).length, 0);
const requestsTo = (
  group: Group,
  requests: readonly SeenRequest[],
  shipments: readonly string[],
): SeenRequest[] =>
  requests.filter(({ path, shipment }) => path.startsWith(`/${group}/`) && shipments.includes(shipment));
