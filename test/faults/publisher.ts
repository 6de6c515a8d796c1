import { setTimeout as sleep } from 'node:timers/promises';
import { WaybillError, type EventInput, type WaybillClient } from '../../src/client.js';

/** What a publish was answered with. */
export interface Publish {
  readonly version: number;
  readonly tookMs: number;
  /** Of the event, where it succeeded. */
  readonly eventId?: number;
  readonly code?: string;
  /** Name and message of an error without a code. */
  readonly uncoded?: string;
}

export interface Publisher {
  /** Begins no further publish. */
  stop(): void;
  /** Publishes begun so far. */
  count(): number;
  /** Resolves once all that were begun are answered, in their order. */
  answers(): Promise<readonly Publish[]>;
}

export type EventOf = (version: number) => EventInput;

/** Publishes one version after the other, each at its time, whether or not the ones before have been answered. */
export function startPublisher(
  client: WaybillClient,
  eventOf: EventOf,
  firstVersion: number,
  everyMs: number,
): Publisher {
  const stopping = new AbortController();
  const answers: Promise<Publish>[] = [];
  const loop = (async () => {
    for (let version = firstVersion; !stopping.signal.aborted; version += 1) {
      answers.push(publishOnce(client, eventOf(version)));
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    stop: () => stopping.abort(),
    count: () => answers.length,
    answers: async () => {
      await loop;
      return Promise.all(answers);
    },
  };
}

export async function publishOnce(client: WaybillClient, event: EventInput): Promise<Publish> {
  const { version } = event;
  const startedMs = performance.now();
  const tookMs = (): number => Math.round(performance.now() - startedMs);
  try {
    const { eventId } = await client.publish(event);
    return { version, eventId, tookMs: tookMs() };
  } catch (error) {
    if (error instanceof WaybillError) return { version, code: error.code, tookMs: tookMs() };
    return { version, uncoded: String(error), tookMs: tookMs() };
  }
}
