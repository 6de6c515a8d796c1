import type { SeenRequest } from '../scale/journal.js';

/** What the judge takes from elsewhere than the journal; all times in epoch ms of one machine. */
export interface Known {
  /** When the publisher had its answer. */
  publishedAtMs(shipment: string, version: number): number | undefined;
  /** When this obligation was first granted a send, by the ledger. */
  grantedAtMs(key: string): number | undefined;
}

/** What was seen of the lanes (an endpoint and a shipment each); every finding names the keys. */
export interface Findings {
  /** A request of an older version began after one of a newer version; requests marked `out-of-order` aside. */
  readonly inversions: readonly string[];
  /** The same, whatever the mark. */
  readonly stale: readonly string[];
  /** Two requests of one lane were open at once. */
  readonly overlaps: readonly string[];
  /** Marked `out-of-order` although it was published before any newer one was granted its send. */
  readonly unfounded: readonly string[];
  /** Marked `gap` at their first request: the lane moved on before an older one was over. */
  readonly gaps: readonly string[];
  /** Keys with a request that was marked `out-of-order`. */
  readonly outOfOrder: ReadonlySet<string>;
}

/** Lays the requests of each lane beside each other, in the order in which they began at the receiver. */
export function judgeLanes(requests: readonly SeenRequest[], known: Known): Findings {
  const inversions: string[] = [];
  const stale: string[] = [];
  const overlaps: string[] = [];
  const unfounded: string[] = [];
  const gaps: string[] = [];
  const outOfOrder = new Set<string>();
  for (const lane of lanesOf(requests).values()) {
    lane.forEach((request, i) => {
      const before = lane.slice(0, i);
      const newer = before.filter((one) => versionOf(one) > versionOf(request));
      const [first] = newer;
      const open = before.find((one) => one.ended === undefined || one.ended.end > request.begin);
      if (open) overlaps.push(`${request.key} beside ${open.key}`);
      if (request.order === 'gap' && request.attempt === 1) gaps.push(request.key);
      if (first) stale.push(`${request.key} after ${first.key}`);
      if (request.order === 'out-of-order') {
        outOfOrder.add(request.key);
        if (!isFounded(request, newer, known)) unfounded.push(request.key);
      } else if (first) inversions.push(`${request.key} after ${first.key}`);
    });
  }
  return { inversions, stale, overlaps, unfounded, gaps, outOfOrder };
}

/** A lane that went on over a gap owes the older one nothing: it may come after, marked. */
function isFounded(request: SeenRequest, newer: readonly SeenRequest[], known: Known): boolean {
  if (newer.some((one) => one.order === 'gap')) return true;
  const published = known.publishedAtMs(request.shipment, versionOf(request)) ?? -Infinity;
  const granted = newer.map(({ key }) => known.grantedAtMs(key) ?? Infinity);
  return granted.length > 0 && Math.min(...granted) <= published;
}

const versionOf = ({ version }: SeenRequest): number => version ?? -1;

function lanesOf(requests: readonly SeenRequest[]): Map<string, SeenRequest[]> {
  const lanes = new Map<string, SeenRequest[]>();
  for (const request of requests) {
    const lane = `${request.path} ${request.shipment}`;
    const so = lanes.get(lane);
    if (so) so.push(request);
    else lanes.set(lane, [request]);
  }
  return lanes;
}
