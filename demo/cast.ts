import type { SubscriberInput } from '../src/client.js';
import type { DeliveryPolicy } from '../src/policy/delivery-policy.js';

/** How a subscriber's endpoint behaves; demo/answers.ts says it in HTTP. */
export const ROLES = [
  'healthy',
  'unavailable',
  'throttled',
  'rejecting',
  'slow',
  'hanging',
  'stranger',
  'dropping',
  'hopeless',
  'queueing',
] as const;
export type Role = (typeof ROLES)[number];

/** Of a thousand subscribers; at least one each, and the rest are healthy. */
const SHARES: readonly (readonly [Role, number])[] = [
  ['unavailable', 10],
  ['throttled', 10],
  ['rejecting', 10],
  ['slow', 10],
  ['hanging', 5],
  ['stranger', 5],
  ['dropping', 9],
];

/** Minutes where the default policy takes days. */
const SHORT: Partial<DeliveryPolicy> = {
  firstRetryMs: 2_000,
  factor: 2,
  ceilingMs: 8_000,
  maxTries: 6,
  timeoutMs: 10_000,
  redriveWindowMs: 30_000,
};
const HANGING_DEADLINE_MS = 3_000;
/** Longer than any run: the operator's terminate meets a wait. */
const HOPELESS_RETRY_MS = 3_600_000;
/** An operator needs time to mend a receiver before its dead letter can't be redriven any more. */
const MENDABLE_WINDOW_MS = 900_000;

const POLICIES: Partial<Record<Role, Partial<DeliveryPolicy>>> = {
  slow: { timeoutMs: 4_000 },
  hanging: { timeoutMs: HANGING_DEADLINE_MS },
  stranger: { maxTries: 3 },
  hopeless: { firstRetryMs: HOPELESS_RETRY_MS, ceilingMs: HOPELESS_RETRY_MS },
};

/** One subscriber of the demo. `name` is also the last part of its URL's path. */
export interface Player {
  readonly role: Role;
  readonly name: string;
}

/** The one that is paused before the event and resumed at the end. */
export const PAUSED = 'healthy-0001';
/** The one whose receiver is mended, so that its dead letter can be redriven. */
export const MENDED = 'rejecting-0001';
/** The one whose obligation an operator terminates. */
export const TERMINATED = 'hopeless-0001';
/** The one that is asked for a second time while its first attempt is on the wire. */
export const ASKED_TWICE_AT_ONCE = 'slow-0001';

/** Everybody the main event goes to: `count` players. */
export function cast(count: number): Player[] {
  const others = SHARES.flatMap(([role, share]) =>
    players(role, Math.max(1, Math.round((count * share) / 1000))),
  );
  const hopeless = players('hopeless', 1);
  return [...players('healthy', count - others.length - hopeless.length), ...others, ...hopeless];
}

export const QUEUEING_CAP = 2;
/** Many events at once for few, so that the concurrency cap has something to hold back. */
export const QUEUEING_EVENTS = 12;
export const queueingPlayers = (): Player[] => players('queueing', 2);

function players(role: Role, count: number): Player[] {
  return Array.from({ length: count }, (_, i) => ({
    role,
    name: `${role}-${String(i + 1).padStart(4, '0')}`,
  }));
}

export interface Addresses {
  readonly port: number;
  /** Where the certificate is for another name. */
  readonly strangerPort: number;
}

/** What an owner would write down for this endpoint. */
export function subscriberOf(player: Player, addresses: Addresses): SubscriberInput {
  const port = player.role === 'stranger' ? addresses.strangerPort : addresses.port;
  const queueing = player.role === 'queueing';
  return {
    name: player.name,
    url: `https://127.0.0.1:${port}/${player.role}/${player.name}`,
    labels: { lane: queueing ? 'queueing' : 'main' },
    policy: {
      ...SHORT,
      ...POLICIES[player.role],
      ...(player.name === MENDED ? { redriveWindowMs: MENDABLE_WINDOW_MS } : {}),
    },
    ...(queueing ? { maxConcurrency: QUEUEING_CAP } : {}),
  };
}
