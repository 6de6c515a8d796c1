import { atLeast, atMost, exactly, type Row } from '../../support/proof-rows.js';
import type { Options } from './options.js';
import type { Attempt, Phase } from './phase.js';
import type { Report } from './prove.js';

const GROWTH_MAX = 1.3;
/** node rounds its timers to whole milliseconds. */
const EARLY_MAX_MS = 5;

/** What the two phases come to, each number beside its limit. */
export function rowsOf(options: Options, alone: Phase, beside: Phase): Row[] {
  const { drips, healthy, lateMs, timeoutMs } = options;
  const heads = headsOf(drips);
  const count = (phase: Phase, kind: Attempt['kind'], outcome: string, cls: string): number =>
    phase.attempts.filter((a) => a.kind === kind && a.outcome === outcome && a.class === cls).length;
  const tookMs = beside.attempts.filter(({ kind }) => kind !== 'healthy').map((a) => a.tookMs);
  const heldMs = beside.seen.heldMs;
  const most = (values: readonly number[]): number => Math.max(0, ...values.map((ms) => ms - timeoutMs));
  const early = Math.max(0, ...tookMs.map((ms) => timeoutMs - ms));
  const requests = alone.seen.healthyRequests + beside.seen.healthyRequests;
  const growth = Math.round((beside.rssBytes / alone.rssBytes) * 1_000) / 1_000;
  return [
    exactly('healthy ones delivered, alone', healthy, count(alone, 'healthy', 'delivered', 'success')),
    exactly('healthy ones delivered, beside', healthy, count(beside, 'healthy', 'delivered', 'success')),
    exactly('requests to healthy ones, both times', 2 * healthy, requests),
    exactly('heads that drip end unknown', heads, count(beside, 'head', 'unknown', 'timeout')),
    exactly('bodies that drip are delivered', drips - heads, count(beside, 'body', 'delivered', 'success')),
    exactly('requests to those that drip', drips, beside.seen.dripRequests),
    exactly('dripped side by side', drips, beside.seen.mostDripping),
    atLeast('healthy ones answered while others dripped', Math.ceil(healthy / 2), beside.seen.healthyBeside),
    atMost('memory beside, by that alone', GROWTH_MAX, growth),
    atMost('descriptors left over', 0, beside.restingDescriptors - alone.restingDescriptors),
    exactly('connections left over at the receivers', 0, beside.restingSockets),
    atMost('ms over the deadline, on record', lateMs + beside.machineLateMs, most(tookMs)),
    atMost('ms over the deadline, as receivers saw it', lateMs + beside.seen.lateMs, most(heldMs)),
    atMost('ms before the deadline, on record', EARLY_MAX_MS, early),
  ];
}

/** Every other one drips before the end of its head. */
export const headsOf = (drips: number): number => Math.floor(drips / 2);

/** What the rows leave out, for people. */
export function notesOf(report: Report): string[] {
  const { healthySecondsAlone, healthySecondsBeside, machineLateMs, rssBytes } = report;
  const mib = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MiB`;
  return [
    `at most resident: ${mib(rssBytes.alone)} alone, ${mib(rssBytes.beside)} beside`,
    `healthy deliveries took ${healthySecondsAlone} s alone, ${healthySecondsBeside} s beside`,
    `a timer of an idle process was ${machineLateMs} ms late at worst: machineLateMs`,
  ];
}
