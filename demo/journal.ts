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
export function openJournal<Line extends object = JournalLine>(path: string): (line: Line) => void {
  const file = openSync(path, 'a', 0o600);
  return (line) => {
    writeSync(file, `${JSON.stringify(line)}\n`);
  };
}

/** A request and its end, if it had one by the time of reading. */
export type JournalRequest = RequestLine & { readonly ended: EndLine | undefined };

/** Everything a receiver has written down, in the order in which the requests began. */
export const readJournal = (path: string): JournalRequest[] =>
  withEnds(linesOf<JournalLine>(path), (line): line is RequestLine => 'begin' in line);

/** The lines of a journal; it may be read while it is written. */
export const linesOf = <Line>(path: string): Line[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1) // what follows the last line's end isn't whole yet
    .map((line) => JSON.parse(line) as Line);

/** The requests among these lines, each with its end, in the order in which they began. */
export function withEnds<Request extends { readonly begin: number }>(
  lines: readonly object[],
  isRequest: (line: object) => line is Request,
): (Request & { readonly ended: EndLine | undefined })[] {
  const ends = new Map<number, EndLine>();
  for (const line of lines) if (isEnd(line)) ends.set(line.endOf, line);
  return lines
    .filter(isRequest)
    .map((line) => ({ ...line, ended: ends.get(line.begin) }))
    .sort((a, b) => a.begin - b.begin);
}

const isEnd = (line: object): line is EndLine => 'endOf' in line;
