import type { SeenRequest } from '../scale/journal.js';
import { atLeast, exactly, type Row } from '../support/proof-rows.js';
import { judgeLanes, type Findings, type Known } from './judge.js';
import type { GapPlayed } from './gap.js';
import type { OnRecord } from './ledger.js';
import type { Options } from './options.js';
import { outOfOrderIn } from './plan.js';
import { namesOf, type Ordered, type Played } from './play.js';

export interface Evidence {
  readonly played: Played;
  readonly requests: readonly SeenRequest[];
  readonly records: readonly OnRecord[];
}

/** What the main part comes to, for the subscribers of one policy. */
export function rowsOf(order: Ordered, options: Options, { played, records, requests }: Evidence): Row[] {
  const { shipments, subscribers, versions } = options;
  const { plan, publishedAtMs } = played;
  const names = new Set(namesOf(order, subscribers));
  const own = records.filter(({ subscriber }) => names.has(subscriber));
  const theirs = requests.filter(({ path }) => names.has(path.split('/')[2] ?? ''));
  const findings = judgeLanes(theirs, knownOf(own, publishedAtMs));
  const called = (row: string): string => `${order}: ${row}`;
  const ended = (...as: readonly string[]): number =>
    own.filter(({ disposition }) => as.includes(disposition)).length;
  const owed = shipments * versions * subscribers;
  const newest = own.filter(({ shipment, version }) => plan.newest.get(shipment) === version);
  const lateOnes = new Set(plan.late.map(({ shipment, version }) => `${shipment} ${version}`));
  const late = own.filter(({ shipment, version }) => lateOnes.has(`${shipment} ${version}`));
  const all = order === 'serialize' ? ['delivered'] : ['delivered', 'superseded'];
  return [
    exactly(called(`obligations that ended ${all.join(' or ')}`), owed, ended(...all)),
    exactly(called('newest versions delivered'), shipments * subscribers, delivered(newest)),
    ...(order === 'serialize' ? serializeRows(findings) : skipStaleRows(findings, own)).map((row) => ({
      ...row,
      row: called(row.row),
    })),
    exactly(called('requests of two versions open at once'), 0, findings.overlaps.length),
    exactly(
      called(order === 'serialize' ? 'late versions sent out-of-order' : 'late versions superseded'),
      plan.late.length * subscribers,
      late.filter(({ disposition, key }) =>
        order === 'serialize' ? findings.outOfOrder.has(key) : disposition === 'superseded',
      ).length,
    ),
    exactly(called('delivered on record, never answered 200'), 0, unanswered(own, theirs)),
    exactly(called('marks on the wire unlike those on record'), 0, unlike(own, theirs)),
  ];
}

const serializeRows = (findings: Findings): Row[] => [
  exactly('older versions begun after a newer one, unmarked', 0, findings.inversions.length),
  exactly('out-of-order though published in time', 0, findings.unfounded.length),
  exactly('first requests marked gap', 0, findings.gaps.length),
];

function skipStaleRows(findings: Findings, own: readonly OnRecord[]): Row[] {
  const newestDelivered = new Map<string, number>();
  for (const { disposition, shipment, subscriber, version } of own)
    if (disposition === 'delivered')
      newestDelivered.set(
        `${subscriber} ${shipment}`,
        Math.max(version, newestDelivered.get(`${subscriber} ${shipment}`) ?? -1),
      );
  const withoutNewer = own.filter(
    ({ disposition, shipment, subscriber, version }) =>
      disposition === 'superseded' && version > (newestDelivered.get(`${subscriber} ${shipment}`) ?? -1),
  );
  return [
    exactly('older versions begun after a newer one', 0, findings.stale.length),
    exactly('superseded without a newer one delivered', 0, withoutNewer.length),
  ];
}

/** What the small set comes to whose lanes have a head that doesn't move. */
export function gapRows(
  { dead, held, stuck }: GapPlayed,
  records: readonly OnRecord[],
  requests: readonly SeenRequest[],
): Row[] {
  const of = (shipments: readonly string[], version: number): OnRecord[] =>
    records.filter((record) => shipments.includes(record.shipment) && record.version === version);
  const marked = (version: number, mark: string): number =>
    new Set(
      requests
        .filter((request) => held.includes(request.shipment))
        .filter((request) => request.version === version && request.order === mark)
        .map(({ key }) => key),
    ).size;
  return [
    exactly('gap: versions behind a held one sent with gap', held.length, marked(2, 'gap')),
    exactly('gap: held ones sent out-of-order afterwards', held.length, marked(1, 'out-of-order')),
    exactly(
      'gap: held and next ones delivered',
      2 * held.length,
      delivered([...of(held, 1), ...of(held, 2)]),
    ),
    exactly('gap: versions behind a dead one delivered', dead.length, delivered(of(dead, 2))),
    exactly('gap: stuck', 0, stuck),
    exactly('gap: marks on the wire unlike those on record', 0, unlike(records, requests)),
  ];
}

/** That there was something to prove. */
export function stressRows({ played, requests }: Evidence): Row[] {
  const { acts, plan, stuck } = played;
  return [
    exactly('stuck', 0, stuck),
    atLeast('versions published after a newer one', 1, outOfOrderIn(plan.steps)),
    atLeast('requests refused', 1, requests.filter(({ ended }) => ended?.status === 500).length),
    atLeast('pauses of obligations', 1, acts.obligations),
    atLeast('pauses of subscribers', 1, acts.subscribers),
  ];
}

const delivered = (records: readonly OnRecord[]): number =>
  records.filter(({ disposition }) => disposition === 'delivered').length;

function unanswered(records: readonly OnRecord[], requests: readonly SeenRequest[]): number {
  const answered = new Set(requests.filter(({ ended }) => ended?.status === 200).map(({ key }) => key));
  return records.filter(({ disposition, key }) => disposition === 'delivered' && !answered.has(key)).length;
}

function unlike(records: readonly OnRecord[], requests: readonly SeenRequest[]): number {
  const marks = new Map(records.map(({ key, marks: own }) => [key, own]));
  return requests.filter(({ attempt, key, order }) => (marks.get(key)?.[String(attempt)] ?? null) !== order)
    .length;
}

function knownOf(records: readonly OnRecord[], publishedAtMs: Played['publishedAtMs']): Known {
  const granted = new Map(records.map(({ grantedAtMs, key }) => [key, grantedAtMs ?? undefined]));
  return {
    publishedAtMs: (shipment, version) => publishedAtMs.get(`${shipment} ${version}`),
    grantedAtMs: (key) => granted.get(key),
  };
}
