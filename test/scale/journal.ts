import { linesOf, withEnds, type EndLine } from '../../demo/journal.js';

/** Written when the head of a request is in, before anything is answered. */
export interface BeginLine {
  /** Place among all lines: beginnings, ends and marks share one row 1, 2, 3... */
  readonly begin: number;
  /** Epoch ms, by the receiver's clock. */
  readonly atMs: number;
  readonly path: string;
  /** The idempotency key; empty where the request has none. */
  readonly key: string;
  readonly shipment: string;
  /** NaN is written as null. */
  readonly version: number | null;
  readonly attempt: number | null;
  /** The header `waybill-order`. */
  readonly order: string | null;
}

/** A moment that somebody asked to be written down: what begins after it stands after it. */
export interface Mark {
  readonly mark: string;
  readonly place: number;
  readonly atMs: number;
}

export type ScaleLine = BeginLine | EndLine | Mark;

/** A request and its end, if it had one by the time of reading. */
export type SeenRequest = BeginLine & { readonly ended: EndLine | undefined };

/** Everything a receiver has written down but the marks, in the order in which the requests began. */
export const readRequests = (path: string): SeenRequest[] =>
  withEnds(linesOf<ScaleLine>(path), (line): line is BeginLine => 'begin' in line);
