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
  pino({ level, base: { worker }, serializers: { err: safeError } }, destination({ dest: 2, sync: false }));

/**
 * What of an error may be logged. Not Postgres's `detail` and `where`: they quote rows and arguments, and so excerpts
 * of answers, addresses or ids that are nobody's business here.
 */
export function safeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code } = error as { code?: unknown };
  const cause = error.cause === undefined ? {} : { cause: safeError(error.cause) };
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(code === undefined ? {} : { code }),
    ...cause,
  };
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
