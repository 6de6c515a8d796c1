import type { Role } from '../../demo/cast.js';
import type { SubscriberInput } from '../../src/client.js';
import type { DeliveryPolicy } from '../../src/policy/delivery-policy.js';
import { newSecret } from '../../src/wire/sign.js';
import type { EventOf } from './publisher.js';

/** The event that goes to every subscriber of a trial, before its fault and after it. */
export const EVERYBODY = 'shipment.delivered';
/** The event that a publisher publishes over and over while the fault lasts; it goes to {@link FEW}. */
export const TRICKLE = 'shipment.scanned';
export const FEW = 2;

/** Seconds where the default takes days; tries enough for a receiver that is cut off for half a minute. */
const POLICY: Partial<DeliveryPolicy> = {
  firstRetryMs: 500,
  factor: 2,
  ceilingMs: 2_000,
  maxTries: 200,
  timeoutMs: 4_000,
};

/** A subscriber of one trial: `demo/receiver.ts` plays its endpoint by role. */
export interface Player {
  readonly role: Role;
  readonly name: string;
  readonly secret: string;
  /** Tries that its deliveries take where nothing but its receiver decides. */
  readonly tries: number;
}

/** A third are slow, so that sends are in flight when the fault comes; some refuse twice; the rest answer 200. */
export function playersOf(trial: string, size: number): Player[] {
  return Array.from({ length: size }, (_, i) => {
    const role: Role = i % 3 === 0 ? 'slow' : i % 12 === 2 ? 'unavailable' : 'healthy';
    const name = `${role}-${trial}-${String(i).padStart(3, '0')}`;
    return { role, name, secret: newSecret(), tries: role === 'unavailable' ? 3 : 1 };
  });
}

/** The first {@link FEW}, a slow and a quick one, get the trickle too. */
export const subscriberOf = (player: Player, i: number, port: number): SubscriberInput => ({
  name: player.name,
  secret: player.secret,
  url: `https://127.0.0.1:${port}/${player.role}/${player.name}`,
  eventTypes: i < FEW ? [EVERYBODY, TRICKLE] : [EVERYBODY],
  policy: { ...POLICY },
});

/** Versions of one story, of a type. */
export const eventsOf =
  (shipment: string) =>
  (type: string): EventOf =>
  (version) => ({
    ...{ shipment, version, type, contentType: 'application/json' },
    payload: JSON.stringify({ shipment, version, note: 'x'.repeat(2_000) }),
  });
