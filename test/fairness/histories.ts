import { Client, Connection } from '@temporalio/client';
import pLimit from 'p-limit';
import type { Standing } from '../../src/policy/standing.js';

/** What Temporal has on record of one obligation's run. */
export interface Story {
  readonly key: string;
  /** How often the obligation has asked for its attempt: executions of the activity, repeats by Temporal included. */
  readonly asks: number;
  /** What each of them was refused for, in their order. */
  readonly refusals: readonly string[];
  /** Epoch ms; NaN where it has not come to it. */
  readonly startedAtMs: number;
  readonly firstTaskAtMs: number;
  readonly scheduledAtMs: number;
  readonly takenAtMs: number;
}

const AT_ONCE = 8;
const NEVER = Number.NaN;

/** In the order of the keys. */
export async function storiesOf(
  address: string,
  namespace: string,
  keys: readonly string[],
): Promise<Story[]> {
  const connection = await Connection.connect({ address });
  try {
    const client = new Client({ connection, namespace });
    const limit = pLimit(AT_ONCE);
    return await Promise.all(keys.map((key) => limit(() => storyOf(client, key))));
  } finally {
    await connection.close();
  }
}

async function storyOf(client: Client, key: string): Promise<Story> {
  const { events } = await client.workflow.getHandle(key).fetchHistory();
  const all = events ?? [];
  const attempts = all.flatMap(({ activityTaskScheduledEventAttributes, eventId }) =>
    activityTaskScheduledEventAttributes?.activityType?.name === 'attempt' ? [String(eventId)] : [],
  );
  const taken = all.filter(({ activityTaskStartedEventAttributes }) =>
    attempts.includes(String(activityTaskStartedEventAttributes?.scheduledEventId)),
  );
  const repeats = taken.reduce(
    (sum, { activityTaskStartedEventAttributes }) =>
      sum + Math.max(0, (activityTaskStartedEventAttributes?.attempt ?? 1) - 1),
    0,
  );
  const refusals = all.flatMap(({ activityTaskCompletedEventAttributes: done }) => {
    const data = attempts.includes(String(done?.scheduledEventId)) && done?.result?.payloads?.[0]?.data;
    const standing = data ? (JSON.parse(Buffer.from(data).toString('utf8')) as Standing) : undefined;
    return standing?.is === 'waiting' && standing.reason !== null ? [standing.reason] : [];
  });
  const scheduled = all.find(({ eventId }) => String(eventId) === attempts[0]);
  const task = all.find(({ workflowTaskStartedEventAttributes }) => workflowTaskStartedEventAttributes);
  return {
    key,
    asks: attempts.length + repeats,
    refusals,
    startedAtMs: msOf(all[0]?.eventTime),
    firstTaskAtMs: msOf(task?.eventTime),
    scheduledAtMs: msOf(scheduled?.eventTime),
    takenAtMs: msOf(taken[0]?.eventTime),
  };
}

type Timestamp = {
  readonly seconds?: { toString(): string } | number | null;
  readonly nanos?: number | null;
};

const msOf = (at: Timestamp | null | undefined): number =>
  at ? Number(at.seconds ?? 0) * 1_000 + (at.nanos ?? 0) / 1e6 : NEVER;
