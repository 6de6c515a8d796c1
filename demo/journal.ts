import { openSync, readFileSync, writeSync } from 'node:fs';

/** A request as the receiver saw it; written once its body is complete or has broken off. */
export interface RequestLine {
  /** Place among all beginnings and ends of requests: 1, 2, 3... */
  readonly begin: number;
  /** Epoch ms when the head had been read, by the receiver's clock. */
  readonly headAtMs: number;
  readonly path: string;
  /** The idempotency key; empty where the request has none. */
  readonly key: string;
  /** The attempt header; NaN is written as null. */
  readonly attempt: number | null;
  /** Null where the body broke off. */
  readonly bodySha256: string | null;
  readonly bodyBytes: number;
  /** What the `standardwebhooks` package's verifier says, with the subscriber's secret. */
  readonly signature: 'good' | 'bad' | 'not judged';
}

/** How a request ended: an answer was given, or the connection was gone. */
export interface EndLine {
  /** The `begin` of the request it belongs to. */
  readonly endOf: number;
  /** Place in the same row as `begin`. */
  readonly end: number;
  readonly atMs: number;
  /** Null: no answer was given. */
  readonly status: number | null;
}

export type JournalLine = RequestLine | EndLine;

/** Appends one line; it is with the operating system when the call returns. */
export function openJournal(path: string): (line: JournalLine) => void {
  const file = openSync(path, 'a', 0o600);
  return (line) => {
    writeSync(file, `${JSON.stringify(line)}\n`);
  };
}

/** A request and its end, if it had one by the time of reading. */
export type JournalRequest = RequestLine & { readonly ended: EndLine | undefined };

/** Everything a receiver has written down, in the order in which the requests began. */
export function readJournal(path: string): JournalRequest[] {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as JournalLine);
  const ends = new Map<number, EndLine>();
  for (const line of lines) if ('endOf' in line) ends.set(line.endOf, line);
  return lines
    .filter((line): line is RequestLine => 'begin' in line)
    .map((line) => ({ ...line, ended: ends.get(line.begin) }))
    .sort((a, b) => a.begin - b.begin);
}
