import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';
import type pg from 'pg';
import type { Received } from '../support/receiver.js';
import type { Place } from './search.js';

/** Protobuf bytes as text, so that what a payload holds is seen. */
function readable(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  const { type, data } = (value ?? {}) as { type?: unknown; data?: unknown };
  return type === 'Buffer' && Array.isArray(data) ? Buffer.from(data as number[]).toString('utf8') : value;
}

/** Every workflow of the namespace: its history as JSON and as it lies on the server, and what lists show of it. */
export async function placesOfTemporal(client: Client): Promise<{ places: Place[]; workflows: number }> {
  const json: string[] = [];
  const raw: Uint8Array[] = [];
  const listed: string[] = [];
  let workflows = 0;
  for await (const { workflowId, runId } of client.workflow.list()) {
    workflows += 1;
    const handle = client.workflow.getHandle(workflowId, runId);
    const history = await handle.fetchHistory();
    json.push(JSON.stringify(history, readable));
    raw.push(proto.temporal.api.history.v1.History.encode(history).finish());
    const { raw: described } = await handle.describe();
    listed.push(JSON.stringify(described, readable));
  }
  return {
    workflows,
    places: [
      { place: 'Temporal histories, as JSON', content: json.join('\n') },
      { place: 'Temporal histories, as stored', content: Buffer.concat(raw) },
      { place: 'Temporal lists: search attributes, memos, details', content: listed.join('\n') },
    ],
  };
}

const BY_RIGHT: Readonly<Record<string, readonly string[]>> = {
  event_payloads: ['payload'],
  response_excerpts: ['answer'],
};

/** Every table of the schema, a row a line, bytes in clear. */
export async function placesOfDatabase(db: pg.Pool): Promise<Place[]> {
  const { rows: tables } = await db.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = 'waybill'::regnamespace
       AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`,
  );
  const places: Place[] = [];
  for (const { name } of tables) {
    const { rows } = await db.query<Record<string, unknown>>(`SELECT * FROM waybill.${name}`);
    const content = `${name}\n${rows.map((row) => JSON.stringify(row, readable)).join('\n')}`;
    places.push({ place: `table ${name}`, content, holds: BY_RIGHT[name] ?? [] });
  }
  return places;
}

/** The log files below a folder, but for one in it, as one place. */
export function placeOfLogs(place: string, folder: string, except?: string): Place {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.log') && (!except || !file.startsWith(`${except}/`)))
    .map((file) => join(folder, file))
    .filter((file) => statSync(file).isFile());
  return { place, content: Buffer.concat(files.map((file) => readFileSync(file))) };
}

/** What was sent but for the one place of each secret: the path, the body, and the headers it was planted in. */
export function placeOfWire(requests: readonly Received[]): Place {
  const rest = requests.map(({ headers: { authorization: _, 'x-key': __, ...headers } }) => headers);
  return { place: 'requests, but for the right place of each secret', content: JSON.stringify(rest) };
}
