import { existsSync } from 'node:fs';

/** What this release needs of examples/receiver.ts; a test holds the two together. */
export interface ReceiverModule {
  startReceiver(options: ReceiverOptions): Promise<{ readonly url: string; close(): Promise<void> }>;
}

export interface ReceiverOptions {
  readonly cert: string;
  readonly key: string;
  readonly secrets: readonly string[];
  readonly port?: number;
  readonly host?: string;
  readonly journal?: string;
  readonly answer?: number;
  readonly delayMs?: number;
  readonly maxBytes?: number;
  readonly onRequest?: (line: JournalLine) => void;
}

/** A line of the receiver's journal; docs/subscriber-protocol.md explains the fields. */
export interface JournalLine {
  readonly key: string;
  readonly attempt: number | null;
  readonly atMs: number;
  readonly bodySha256: string | null;
  readonly bodyBytes: number;
  readonly signature: 'valid' | 'invalid' | 'old' | null;
  readonly duplicate: boolean;
  readonly older: boolean;
  readonly status: number | null;
  readonly answeredAtMs: number | null;
}

/**
 * The example that subscribers are told to copy, itself: its source in a checkout, the built file in a package. It lies
 * outside `src`, since it must be whole without it.
 */
export async function loadReceiver(): Promise<ReceiverModule> {
  const source = new URL('../../examples/receiver.ts', import.meta.url);
  const file = existsSync(source) ? source : new URL('../examples/receiver.js', import.meta.url);
  return (await import(file.href)) as ReceiverModule;
}
