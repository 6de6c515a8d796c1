import { pino, destination } from 'pino';

/** A field list and a name: one wide line for each thing that happened. Payloads, URLs and secrets are no fields. */
export interface Log {
  debug(fields: object, name: string): void;
  info(fields: object, name: string): void;
  warn(fields: object, name: string): void;
  error(fields: object, name: string): void;
}

/** JSON lines on stderr. */
export const makeLog = (level: string, worker: string): Log =>
  pino({ level, base: { worker } }, destination({ dest: 2, sync: false }));

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
