import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '@temporalio/client';
import proto from '@temporalio/proto';
import pLimit from 'p-limit';

/** Histories read at once: the server answers about as fast as one asks. */
const AT_ONCE = 8;
/** Visibility lags behind the workflows; how long a count may take to catch up. */
const COUNT_TIMEOUT_MS = 20_000;
const COUNT_EVERY_MS = 500;
/** More workflows than this are sampled: evenly over the keys, in key order. */
export const MOST_HISTORIES = 5_000;

export interface Histories {
  readonly historiesRead: number;
  /** Of the history as the server hands it out, in protobuf. */
  readonly historyBytesMedian: number;
  readonly historyBytesMost: number;
  /** Bytes of the payload's marker found in histories, in plain, in base64 or in hex. */
  readonly payloadBytesInHistories: number;
}

/** Workflows that answer to the query; waits for visibility to reach `expected`, and answers what there is then. */
export async function countWorkflows(
  connection: Connection,
  namespace: string,
  query: string,
  expected: number,
): Promise<number> {
  const deadlineMs = performance.now() + COUNT_TIMEOUT_MS;
  for (;;) {
    const { count } = await connection.workflowService.countWorkflowExecutions({ namespace, query });
    if (Number(count) === expected || performance.now() > deadlineMs) return Number(count);
    await sleep(COUNT_EVERY_MS);
  }
}

export async function readHistories(
  connection: Pick<Connection, 'workflowService'>,
  namespace: string,
  workflowIds: readonly string[],
  marker: string,
): Promise<Histories> {
  const step = Math.max(1, Math.ceil(workflowIds.length / MOST_HISTORIES));
  const chosen = workflowIds.filter((_, i) => i % step === 0);
  const limit = pLimit(AT_ONCE);
  const spellings = spellingsOf(marker);
  const read = await Promise.all(
    chosen.map((workflowId) =>
      limit(async () => {
        const bytes = await historyBytes(connection, namespace, workflowId);
        return { bytes: bytes.byteLength, found: markerBytes(bytes, spellings) };
      }),
    ),
  );
  return {
    historiesRead: read.length,
    historyBytesMedian: median(read.map((r) => r.bytes)),
    historyBytesMost: read.reduce((most, r) => Math.max(most, r.bytes), 0),
    payloadBytesInHistories: read.reduce((sum, r) => sum + r.found, 0),
  };
}

async function historyBytes(
  connection: Pick<Connection, 'workflowService'>,
  namespace: string,
  workflowId: string,
): Promise<Buffer> {
  const pages: Uint8Array[] = [];
  let nextPageToken: Uint8Array | undefined;
  do {
    const page = await connection.workflowService.getWorkflowExecutionHistory({
      namespace,
      execution: { workflowId },
      ...(nextPageToken ? { nextPageToken } : {}),
    });
    pages.push(proto.temporal.api.history.v1.History.encode(page.history ?? {}).finish());
    nextPageToken = page.nextPageToken?.byteLength ? page.nextPageToken : undefined;
  } while (nextPageToken);
  return Buffer.concat(pages);
}

/**
 * The marker as it would stand in bytes, hex, and base64: in base64 a text begins at one of three places of a
 * group, and what is certain then is the middle of it.
 */
export function spellingsOf(marker: string): Buffer[] {
  const bytes = Buffer.from(marker, 'utf8');
  const inBase64 = [0, 1, 2].map((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    return Buffer.from(encoded.slice(shift === 0 ? 0 : 4, -4));
  });
  return [bytes, Buffer.from(bytes.toString('hex')), ...inBase64];
}

function markerBytes(haystack: Buffer, spellings: readonly Buffer[]): number {
  let found = 0;
  for (const needle of spellings) {
    for (let at = haystack.indexOf(needle); at >= 0; at = haystack.indexOf(needle, at + needle.byteLength)) {
      found += needle.byteLength;
    }
  }
  return found;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low = 0, high = 0] =
    sorted.length % 2 === 1 ? [sorted[middle], sorted[middle]] : [sorted[middle - 1], sorted[middle]];
  return Math.round((low + high) / 2);
}
